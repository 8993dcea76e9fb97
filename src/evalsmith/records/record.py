"""What a file of games gives: records, the faults of broken games, and the sum of a reading.

Units: results, scores and labels are in the game's unit (centidiscs, centipawns). A result is for
the first side (black in Othello), scores and labels are for the side to move.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

UNKNOWN = -(2**31)  # stands for "not known" in int32 columns


@dataclass(frozen=True, slots=True)
class Score:
    """What the mover's program said before it moved: value for the mover, search depth, seconds taken."""

    value: int | None
    depth: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One played game.

    ``start`` is a position text, or None for the standard start. ``moves`` are the game's move numbers, with passes.
    ``finished`` says that the moves reach the end of the game, ``termination`` what else ended it, if the file says so:
    resigned, time, agreed, left. ``scores`` is empty or has one entry per move. ``labels`` gives exact values by ply:
    ply 0 is the start, ply ``len(moves)`` the position after the last move. ``annotations`` gives values of moves at
    the start, by their text. ``comments`` are texts by ply; one may have several lines. ``number`` counts the games of
    the file from 1, broken ones too; ``offset`` is the byte or the line where the game stands.
    """

    game: str
    moves: tuple[int, ...]
    start: str | None = None
    result: int | None = None
    finished: bool = False
    termination: str = ""
    players: tuple[str, str] = ("", "")
    ratings: tuple[float | None, float | None] = (None, None)
    event: str = ""
    date: str = ""
    time_control: str = ""
    source: str = ""
    number: int = 1
    offset: int = 0
    scores: tuple[Score | None, ...] = ()
    labels: dict[int, int] = field(default_factory=dict)
    annotations: dict[str, int] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that could not be read, or a file from some place on.

    ``reason`` is one of a few fixed texts, so that faults can be counted by it; ``detail`` says the rest.
    ``place`` is a byte or a line; ``game`` is None where the fault is the file's, ``move`` counts from 1.
    """

    file: str
    place: str
    game: int | None
    reason: str
    detail: str = ""
    move: int | None = None

    def __str__(self) -> str:
        """One line: where, and what is wrong."""
        where = [self.file]
        if self.place:
            where.append(self.place)
        if self.game is not None:
            where.append(f"game {self.game}")
        if self.move is not None:
            where.append(f"move {self.move}")
        what = f"{self.reason}: {self.detail}" if self.detail else self.reason
        return f"{', '.join(where)}: {what}"


class Faults:
    """Collects faults: all are counted by reason, the first ``limit`` are examples, stored in full.

    Warnings are counts of what is odd about games that were read all the same.
    """

    def __init__(self, limit: int = 100) -> None:
        self.limit = limit
        self.examples: list[Fault] = []
        self.counts: Counter[str] = Counter()
        self.warnings: Counter[str] = Counter()

    def add(self, fault: Fault) -> None:
        """Count a fault, and store it while there is room."""
        self.counts[fault.reason] += 1
        if len(self.examples) < self.limit:
            self.examples.append(fault)

    def warn(self, remark: str, count: int = 1) -> None:
        """Count something odd that cost no game."""
        if count:
            self.warnings[remark] += count


@dataclass(frozen=True)
class Reading:
    """The sum of a reading: games read, faults and warnings by reason, and the first faults in full."""

    games: int
    faults: dict[str, int]
    warnings: dict[str, int]
    examples: tuple[Fault, ...]

    @property
    def broken(self) -> int:
        """How many faults there were."""
        return sum(self.faults.values())
