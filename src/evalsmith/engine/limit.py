"""When a search stops, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.run import InputError

MAX_DEPTH = 100
MAX_THREADS = 256
NO_LIMIT = 1 << 62
MAX_SECONDS = 1_000_000_000


@dataclass(frozen=True)
class Limit:
    """When to stop: after a depth, a number of nodes, or seconds; whichever comes first.

    After ``soft_seconds`` no deeper search is begun, and a single legal move is played at once. ``free_seconds`` are
    lost if they are not used, so a search goes on at least as long.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    soft_seconds: float | None = None
    free_seconds: float = 0.0

    @property
    def enough_seconds(self) -> float | None:
        """When a search that may end anywhere ends: the soft seconds, but no free ones are given away."""
        times = (None if self.soft_seconds is None else max(self.soft_seconds, self.free_seconds), self.seconds)
        return min((time for time in times if time is not None), default=None)

    def __post_init__(self) -> None:
        limits = (
            ("depth", self.depth),
            ("number of nodes", self.nodes),
            ("movetime", self.seconds),
            ("soft time", self.soft_seconds),
        )
        for name, value in limits:
            if value is not None and not 0 < value < NO_LIMIT:
                raise InputError(f"the {name} must be above 0 and finite, not {value}")
        if max(self.seconds or 0, self.soft_seconds or 0) > MAX_SECONDS:
            raise InputError(f"the movetime must be at most {MAX_SECONDS:,} s, not {self.seconds}")
        if self.depth is not None and self.depth > MAX_DEPTH:
            raise InputError(f"the depth must be at most {MAX_DEPTH}, not {self.depth}")

    def __str__(self) -> str:
        parts = [f"{self.nodes} nodes"] if self.nodes else []
        parts += [f"depth {self.depth}"] if self.depth else []
        parts += [f"{self.seconds} s"] if self.seconds else []
        return ", ".join(parts) or "no limit"


@dataclass(frozen=True)
class Line:
    """One line of play: its first move is the one that is judged. The score is for the side to move.

    A tree search also says how often it visited the move, and how much it expected of it beforehand.
    """

    move: int
    score: int
    depth: int
    moves: tuple[int, ...]
    visits: int | None = None
    prior: float | None = None


@dataclass(frozen=True)
class SearchResult:
    """What a search found: the lines, best first, and what they cost."""

    lines: tuple[Line, ...]
    depth: int
    selective_depth: int
    nodes: int
    seconds: float

    @classmethod
    def empty(cls, seconds: float) -> SearchResult:
        """What a search of a finished game found."""
        return cls(lines=(), depth=0, selective_depth=0, nodes=0, seconds=seconds)


@dataclass(frozen=True)
class State:
    """A running search: the depth that is done, the deepest ply, how full its memory is in thousandths.

    ``current`` is the root move being searched, or -1, and its number from 1.
    """

    depth: int
    selective_depth: int
    full: int
    current: tuple[int, int] = (-1, 0)
