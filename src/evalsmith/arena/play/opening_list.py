"""Many openings in few bytes: a match of a million games has half a million of them.

Most openings are a line of a book, or the start, and some moves more. So a list of them is the numbers of these lines
and the moves in one row: some 50 bytes for an opening of eight plies, where objects take a thousand.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import overload

import numpy as np

from evalsmith.games import Game
from evalsmith.games.opening import Opening

_FIRST_SIZE = 1 << 10  # of a table of keys


class OpeningList(Sequence[Opening]):
    """Openings that continue some ``lines``."""

    def __init__(self, lines: Sequence[Opening]) -> None:
        self._lines = lines
        self._line, self._moves, self._ends = array("i"), array("i"), array("q")

    def append(self, line: int, moves: Sequence[int] = ()) -> None:
        """Add a line with moves after it."""
        self._line.append(line)
        self._moves.extend(moves)
        self._ends.append(len(self._moves))

    def take(self, other: OpeningList, number: int) -> None:
        """Add an opening of another list that continues the same lines."""
        self.append(other._line[number], other._own_moves(number))

    def __len__(self) -> int:
        return len(self._line)

    @overload
    def __getitem__(self, number: int) -> Opening: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Opening]: ...
    def __getitem__(self, number: int | slice) -> Opening | Sequence[Opening]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        number = range(len(self))[number]
        line, moves = self._lines[self._line[number]], self._own_moves(number)
        return replace(line, moves=(*line.moves, *moves)) if moves else line

    def _own_moves(self, number: int) -> array[int]:
        return self._moves[self._ends[number - 1] if number else 0 : self._ends[number]]


class Spare:
    """The best of the openings that were judged and not taken: few of them are held at a time."""

    def __init__(self, lines: Sequence[Opening]) -> None:
        self._lines, self._scores = lines, array("q")
        self._openings = OpeningList(lines)
        self.seen = 0

    def add(self, line: int, moves: Sequence[int], score: int, wanted: int) -> None:
        """Hold an opening, if it may be among the ``wanted`` ones with the least scores; of equals, the first."""
        self.seen += 1
        self._openings.append(line, moves)
        self._scores.append(score)
        if len(self._scores) > 2 * wanted + _FIRST_SIZE:
            self._hold(sorted(self._best(wanted)))

    def move_to(self, found: OpeningList, wanted: int) -> int:
        """Add the ``wanted`` ones with the least scores to a list; the largest of these scores."""
        best = self._best(wanted)
        for number in best:
            found.take(self._openings, number)
        return self._scores[best[-1]]

    def _best(self, wanted: int) -> list[int]:
        order: list[int] = np.argsort(np.frombuffer(self._scores, dtype=np.int64), kind="stable")[:wanted].tolist()
        return order

    def _hold(self, numbers: Sequence[int]) -> None:
        held, scores = OpeningList(self._lines), array("q")
        for number in numbers:
            held.take(self._openings, number)
            scores.append(self._scores[number])
        self._openings, self._scores = held, scores


class Keys:
    """A set of 64-bit keys in one table, of 12 to 24 bytes each."""

    def __init__(self, keys: Sequence[int] = ()) -> None:
        self._table, self._count, self._zero = array("Q", bytes(8 * _FIRST_SIZE)), 0, False
        for key in keys:
            self.add(key)

    def add(self, key: int) -> bool:
        """Put a key in; whether it is new."""
        if key == 0:  # an empty place of the table
            new, self._zero = not self._zero, True
            return new
        if 3 * self._count > 2 * len(self._table):
            self._grow()
        return self._put(key)

    def _put(self, key: int) -> bool:
        table, mask = self._table, len(self._table) - 1
        place = (key ^ key >> 32) & mask
        while table[place]:
            if table[place] == key:
                return False
            place = (place + 1) & mask
        table[place] = key
        self._count += 1
        return True

    def _grow(self) -> None:
        old, self._count = self._table, 0
        self._table = array("Q", bytes(16 * len(old)))
        for key in old:
            if key:
                self._put(key)


class DealtOpenings(Sequence[Opening]):
    """Starts that a game names by their texts, each of them made when it is asked for."""

    def __init__(self, game: Game, texts: Sequence[str], numbers: Sequence[int]) -> None:
        self._game, self._texts, self._numbers = game, texts, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, number: int) -> Opening: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Opening]: ...
    def __getitem__(self, number: int | slice) -> Opening | Sequence[Opening]:
        if isinstance(number, slice):
            return DealtOpenings(self._game, self._texts, self._numbers[number])
        text = self._texts[self._numbers[number]]
        return Opening(self._game.parse(text), text=text)
