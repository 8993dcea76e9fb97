"""What the first pass over a text of shogi games finds, and how texts are handed to it block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from evalsmith.records.record import UNKNOWN, Fault, Faults
from evalsmith.records.shogi_blocks import GAME_LIMIT, LONG_GAME, count_lines

# Columns that every format's games have: where a game begins, on which line, and its first claim.
BEGIN, LINE, FIRST = range(3)
# What the pass says of the whole text: how many games and claims there are, where the rest begins and its line, how
# many lines stand outside of games and the first of them, whether there was no room for more games, and the phase.
GAMES, CLAIMS, REST, REST_LINE, STRAY, FIRST_STRAY, FULL, PHASE = range(8)
_TOTALS = 8
_MOST_GAMES = 4096  # of one pass

BAD_LINE = "a line that is not understood"
OUTSIDE = "text outside of a game"

Content = TypeVar("Content", bytes, str)


@dataclass
class Scan:
    """Games found in a text: a row of ``facts`` for each, in columns that its format names.

    Game ``i`` has the claims from ``facts[i, FIRST]`` to those of the next one. A move of it stands at ``places``, took
    ``times`` (milliseconds, −1 unknown), and its program said ``scores`` before it, for the mover (UNKNOWN where it
    did not). The text from ``rest`` on, line ``rest_line``, is still to be read.
    """

    facts: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]
    claims: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    times: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int32]

    @property
    def first(self) -> npt.NDArray[np.int64]:
        """Where the claims of each game begin, and where those of the last one end."""
        return np.append(self.facts[:, FIRST], self.totals[CLAIMS])

    def cut(self) -> Scan:
        """The same without the unused room."""
        games, claims = int(self.totals[GAMES]), int(self.totals[CLAIMS])
        return Scan(
            self.facts[:games], self.totals, self.claims[:claims], self.places[:claims], self.times[:claims],
            self.scores[:claims],
        )  # fmt: skip

    def without_first(self) -> Scan:
        """The same without the first game."""
        begin = int(self.first[1])
        facts = self.facts[1:].copy()
        facts[:, FIRST] -= begin
        totals = self.totals.copy()
        totals[GAMES] -= 1
        totals[CLAIMS] -= begin
        return Scan(
            facts, totals, self.claims[begin:], self.places[begin:], self.times[begin:], self.scores[begin:]
        )  # fmt: skip


def prepare(claims: int, columns: int) -> Scan:
    """Room for what a pass finds in a text that cannot hold more than so many moves."""
    return Scan(
        np.empty((min(_MOST_GAMES, claims), columns), dtype=np.int64),
        np.zeros(_TOTALS, dtype=np.int64),
        np.empty(claims, dtype=np.int64),
        np.empty(claims, dtype=np.int64),
        np.empty(claims, dtype=np.int64),
        np.full(claims, UNKNOWN, dtype=np.int32),
    )


@dataclass(frozen=True)
class Found(Generic[Content]):
    """A text and the games found in it; ``number`` counts the first of them in its file, from 1."""

    text: Content
    scan: Scan
    number: int
    line: int

    def tell_strays(self, path: Path, faults: Faults, shown: str) -> None:
        """Report the lines outside of games, ``shown`` being the first of them."""
        if self.scan.totals[STRAY]:
            line = self.line + count_lines(self.text, 0, int(self.scan.totals[FIRST_STRAY]))
            faults.add(Fault(str(path), f"line {line}", None, OUTSIDE, shown))

    def line_at(self, row: int, place: int) -> int:
        """The line of the file where a place of a game is; counted from the game's first line, so it stays cheap."""
        facts = self.scan.facts[row]
        return int(facts[LINE]) + count_lines(self.text, int(facts[BEGIN]), place)


def scan_all(
    parts: Iterator[tuple[Content, bool]],
    scan: Callable[[Content, int, bool, bool], Scan],
    path: Path,
    faults: Faults,
) -> Iterator[Found[Content]]:
    """Scan a file part by part; a game that goes on in the next part waits for it, within a limit."""
    waiting: Content | None = None
    line, number, dropping = 1, 1, False
    for part, last in parts:
        text = part if waiting is None else waiting + part
        while True:
            scanned = scan(text, line, last, dropping)
            if dropping and len(scanned.facts):
                scanned, dropping = scanned.without_first(), False
            yield Found(text, scanned, number, line)
            number += len(scanned.facts)
            rest, line = int(scanned.totals[REST]), int(scanned.totals[REST_LINE])
            waiting = text[rest:]
            if not scanned.totals[FULL]:
                break
            text = waiting
        if len(waiting) > GAME_LIMIT or (dropping and waiting):
            if not dropping:
                faults.add(Fault(str(path), f"line {line}", number, LONG_GAME, f"over {GAME_LIMIT} bytes"))
                number += 1
            line += count_lines(waiting, 0, len(waiting))
            waiting, dropping = waiting[:0], True
