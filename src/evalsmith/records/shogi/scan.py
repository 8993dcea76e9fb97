"""What the first pass over a text of shogi games finds, and how texts are handed to it block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalsmith.records.record import Fault, Faults
from evalsmith.records.shogi.blocks import GAME_LIMIT, LONG_GAME, LONG_LINE_HEAD, Block, count_lines
from evalsmith.records.shogi.lines import (
    BEGIN,
    CLAIM,
    CLAIMS,
    FIRST,
    FIRST_STRAY,
    FULL,
    GAMES,
    LINE,
    MOVE_COLUMNS,
    PLACE,
    REST,
    REST_LINE,
    ROOM,
    STRAY,
    TOTALS,
    WIDTH,
)

_MAX_GAMES = 4096  # of one pass
_GATHERED = 4  # blocks; a pass over more of them costs less a game, and memory for larger ones costs more

Letters: TypeAlias = npt.NDArray[np.uint16]

BAD_LINE = "a line that is not understood"
OUTSIDE = "text outside of a game"


@dataclass
class Scan:
    """Games found in a text: a row of ``facts`` for each, in columns that its format names.

    Game ``i`` has the moves from ``first[i]`` to ``first[i + 1]``, a row of ``rows`` each; its columns are those of
    ``lines``. ``totals`` sums the pass up.
    """

    facts: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]

    @property
    def first(self) -> npt.NDArray[np.int64]:
        """Where the moves of each game begin, and where those of the last one end."""
        return np.append(self.facts[:, FIRST], self.totals[CLAIMS])

    @property
    def claims(self) -> npt.NDArray[np.int64]:
        """What is claimed of each move."""
        return np.ascontiguousarray(self.rows[:, CLAIM])

    def place(self, move: int) -> int:
        """Where a move stands in the text."""
        return int(self.rows[move, PLACE])

    def cut(self) -> Scan:
        """The same without the unused room."""
        return Scan(self.facts[: self.totals[GAMES]], self.totals, self.rows[: self.totals[CLAIMS]])

    def without_first(self) -> Scan:
        """The same without the first game."""
        begin = int(self.first[1])
        facts = self.facts[1:].copy()
        facts[:, FIRST] -= begin
        totals = self.totals.copy()
        totals[GAMES] -= 1
        totals[CLAIMS] -= begin
        return Scan(facts, totals, self.rows[begin:])


class Room:
    """The arrays that passes write to. A file has one: memory that is fresh costs more than most of a pass."""

    def __init__(self) -> None:
        self._letters: Letters = np.empty(0, dtype=np.uint16)
        self._rows: npt.NDArray[np.int64] = np.empty((0, MOVE_COLUMNS), dtype=np.int64)
        self._facts: npt.NDArray[np.int64] = np.empty((0, 0), dtype=np.int64)

    def letters(self, content: bytes) -> Letters:
        """The bytes of a text, as numbers of the narrowest kind of which compiled code has rows."""
        if len(self._letters) < len(content):
            self._letters = np.empty(len(content) + len(content) // 4, dtype=np.uint16)
        letters = self._letters[: len(content)]
        letters[:] = np.frombuffer(content, dtype=np.uint8)
        return letters

    def empty(self, claims: int, columns: int) -> Scan:
        """Room for what a pass finds in a text that cannot hold more than so many moves."""
        if len(self._rows) < claims + 1:
            self._rows = np.empty((claims + claims // 4 + 1, MOVE_COLUMNS), dtype=np.int64)
        games = min(_MAX_GAMES, claims)
        if self._facts.shape[0] < games or self._facts.shape[1] != columns:
            self._facts = np.empty((games, columns), dtype=np.int64)
        totals = np.zeros(TOTALS, dtype=np.int64)
        totals[WIDTH], totals[ROOM] = columns, games
        return Scan(self._facts[:games], totals, self._rows)


@dataclass(frozen=True)
class Found:
    """A text and the games found in it; ``number`` counts the first of them in its file, from 1.

    The text begins at byte ``base`` of the file, on line ``line``. ``gaps`` are places of it where so many bytes are
    left out. The next pass overwrites all but the text; ``letters`` are the text as compiled code takes it.
    """

    text: bytes
    letters: Letters
    scan: Scan
    number: int
    line: int
    base: int = 0
    gaps: tuple[tuple[int, int], ...] = ()

    def tell_strays(self, path: Path, faults: Faults, shown: str) -> None:
        """Report the lines outside of games, ``shown`` being the first of them."""
        if self.scan.totals[STRAY]:
            place = int(self.scan.totals[FIRST_STRAY])
            line = self.line + count_lines(self.text, 0, place)
            faults.add(Fault(str(path), self._named(line, place), None, OUTSIDE, shown))

    def where(self, row: int, place: int | None = None) -> str:
        """The line and the byte of the file where a place of a game is, or where the game begins.

        Lines are counted from the game's first, so it stays cheap.
        """
        line, begin = int(self.scan.facts[row, LINE]), int(self.scan.facts[row, BEGIN])
        if place is None:
            return self._named(line, begin)
        return self._named(line + count_lines(self.text, begin, place), place)

    def _named(self, line: int, place: int) -> str:
        return f"line {line} (byte {self.base + place + sum(size for gap, size in self.gaps if gap <= place)})"


def scan_all(
    parts: Iterator[Block],
    scan: Callable[[Letters, int, bool, bool, Room], Scan],
    path: Path,
    faults: Faults,
) -> Iterator[Found]:
    """Scan a file part by part; a game that goes on in the next part waits for it, within a limit."""
    room = Room()
    text, base = b"", 0
    waiting: list[bytes] = []
    gaps: list[tuple[int, int]] = []
    line, number, dropping = 1, 1, False
    for part in parts:
        if part.dropped:
            gaps.append((len(text) + sum(map(len, waiting)) + LONG_LINE_HEAD, part.dropped))
        waiting.append(part.content)
        if len(waiting) < _GATHERED and not part.last:
            continue
        text, waiting = b"".join((text, *waiting)), []
        while True:
            letters = room.letters(text)
            scanned = scan(letters, line, part.last, dropping, room)
            if dropping and len(scanned.facts):
                scanned, dropping = scanned.without_first(), False
            yield Found(text, letters, scanned, number, line, base, tuple(gaps))
            number += len(scanned.facts)
            rest, line = int(scanned.totals[REST]), int(scanned.totals[REST_LINE])
            text, base = text[rest:], base + rest + sum(size for gap, size in gaps if gap <= rest)
            gaps = [(gap - rest, size) for gap, size in gaps if gap > rest]
            if not scanned.totals[FULL]:
                break
        if len(text) > GAME_LIMIT or (dropping and text):
            if not dropping:
                place = f"line {line} (byte {base})"
                faults.add(Fault(str(path), place, number, LONG_GAME, f"over {GAME_LIMIT} bytes"))
                number += 1
            line += count_lines(text, 0, len(text))
            base += len(text) + sum(size for _, size in gaps)
            text, gaps, dropping = b"", [], True
