"""Shogi games that were found in a text, played through and made into a batch; broken ones become faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from evalsmith.games import Position
from evalsmith.games.shogi.squares import STATE
from evalsmith.records.batch import Batch, Texts
from evalsmith.records.format import ILLEGAL as NOT_LEGAL
from evalsmith.records.format import NO_MOVES, BrokenGameError
from evalsmith.records.record import UNKNOWN, Faults
from evalsmith.records.shogi.columns import columns
from evalsmith.records.shogi.lines import CLAIM, LINE
from evalsmith.records.shogi.replay import MATED, TIMES, WRONG, Played, replay, standard_start
from evalsmith.records.shogi.scan import Found
from evalsmith.records.shogi.terminations import ILLEGAL, LAST_ILLEGAL, NOT_STATED, settle


@dataclass(frozen=True, slots=True)
class Broken:
    """A game that is known to be broken before it is played through, with the place in the text."""

    error: BrokenGameError
    place: int | None = None

    def __post_init__(self) -> None:
        # It would keep alive all that was read when it was raised.
        self.error.__traceback__ = None


class Headings:
    """What a text says of its games besides their moves, by their numbers in the text.

    At first they all have the standard start, and nothing else is known of them. ``texts`` makes names and dates when
    somebody asks for them, which is seldom.
    """

    def __init__(self, count: int, texts: Callable[[int], Texts]) -> None:
        standard = standard_start()
        self.starts = np.empty((count, len(standard)), dtype=np.uint64)
        self.starts[:] = standard
        self.standard = np.ones(count, dtype=np.bool_)
        self.terminations = [NOT_STATED] * count
        self.ratings = np.full((count, 2), UNKNOWN, dtype=np.int32)
        self.texts = texts
        self.broken: dict[int, Broken] = {}

    def set_start(self, row: int, start: Position, standard: bool) -> None:
        """A game that begins elsewhere."""
        if not standard:
            self.starts[row], self.standard[row] = start, False


class LateTexts(Sequence[Texts]):
    """The texts of some games, each made when it is asked for."""

    def __init__(self, make: Callable[[int], Texts], rows: list[int]) -> None:
        self._make, self._rows = make, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Texts: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Texts]: ...

    def __getitem__(self, index: int | slice) -> Texts | Sequence[Texts]:
        if isinstance(index, slice):
            return [self._make(row) for row in self._rows[index]]
        return self._make(self._rows[index])

    def __reduce__(self) -> tuple[type[list[Texts]], tuple[list[Texts]]]:
        return list, (list(self),)


def make_batch(
    found: Found,
    headings: Headings,
    move_text: Callable[[int], str],
    path: Path,
    faults: Faults,
    moveless: bool = False,
) -> Batch:
    """Play the games through. ``move_text`` gives the text of a move; ``moveless`` games are sound."""
    scan, first = found.scan, found.scan.first
    played = replay(scan.claims, first, headings.starts)
    lengths = np.diff(first)
    sound = (played.facts[:, WRONG] < 0) & (lengths > (-1 if moveless else 0))
    sound[list(headings.broken)] = False
    for row in np.flatnonzero(~sound).tolist():
        broken = headings.broken.get(row)
        wrong = int(played.facts[row, WRONG])
        if broken is None and wrong >= 0:
            # An illegal move that ended the game is not part of it; who made it has lost.
            ended = wrong == lengths[row] - 1 and headings.terminations[row].name == ILLEGAL.name
            if ended and (wrong > 0 or moveless):
                faults.warn(LAST_ILLEGAL)
                headings.terminations[row], lengths[row], sound[row] = ILLEGAL, wrong, True
                continue
            if not ended:
                broken = _illegal(found, played, row, move_text, _room(faults))
        _tell(found, row, broken or Broken(BrokenGameError(NO_MOVES)), path, faults)
    return _batch(found, headings, played, np.flatnonzero(sound), lengths[sound], path, faults)


def _room(faults: Faults) -> bool:
    """Whether the next fault is stored in full; of the others only the reason counts, and a file may hold millions."""
    return len(faults.examples) < faults.limit


def _illegal(found: Found, played: Played, row: int, move_text: Callable[[int], str], whole: bool) -> Broken:
    """The fault of a game that goes wrong, without details where nobody will see them."""
    if not whole:
        return Broken(BrokenGameError(NOT_LEGAL))
    claims, begin, wrong = found.scan.rows[:, CLAIM], int(found.scan.first[row]), int(played.facts[row, WRONG])
    last = int(claims[begin + wrong - 1]) & 127 if wrong else None
    error = played.broken(row, int(claims[begin + wrong]), move_text(begin + wrong), last)
    return Broken(error, found.scan.place(begin + wrong))


def _tell(found: Found, row: int, broken: Broken, path: Path, faults: Faults) -> None:
    error, place, begin = broken.error, broken.place, int(found.scan.first[row])
    if place is None and error.move is not None and error.move <= int(found.scan.first[row + 1]) - begin:
        place = found.scan.place(begin + error.move - 1)
    faults.add(error.fault(path, found.where(row, place) if _room(faults) else "", found.number + row))


def _batch(
    found: Found,
    headings: Headings,
    played: Played,
    rows: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int64],
    path: Path,
    faults: Faults,
) -> Batch:
    """The columns of the sound games."""
    scan, first = found.scan, found.scan.first
    known = columns(scan.rows, first, headings.starts)
    games: Any = slice(None)
    moves: Any = slice(None)
    if len(rows) < len(scan.facts) or int(lengths.sum()) < len(scan.rows):
        # The moves of sound games stand after one another, but for what lies between them.
        games, before = rows, np.cumsum(lengths) - lengths
        moves = np.repeat(first[rows] - before, lengths) + np.arange(int(lengths.sum()))
        first = np.append(0, np.cumsum(lengths))
    # Of a game that is broken off, the position reached is that before the illegal move.
    movers = (played.ends[games, STATE] & np.uint64(1)).astype(np.int64)
    numbers = rows.tolist()
    terminations = [headings.terminations[row] for row in numbers]
    settled = settle(terminations, movers, played.facts[games, MATED] != 0, played.facts[games, TIMES], faults)
    return Batch(
        "shogi",
        str(path),
        played.moves[moves],
        first,
        headings.starts[games],
        headings.standard[games],
        settled.results,
        settled.finished,
        headings.ratings[games],
        found.number + rows,
        scan.facts[rows, LINE],
        known.scores[moves],
        known.depths[moves],
        known.seconds[moves],
        np.full(int(first[-1]), UNKNOWN, dtype=np.int32),
        LateTexts(headings.texts, numbers),
    )
