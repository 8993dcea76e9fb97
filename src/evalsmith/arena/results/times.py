"""The time that players took: by our clock, and as they report it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evalsmith.arena.results.entry import GameEntry, Reported


@dataclass(frozen=True)
class Times:
    """The times of one player in seconds: per game, and of its longest move.

    ``reported_avg`` is the mean time per game that the player reported, ``latency`` how much more we measured per move,
    over the moves that it reported; None if it never reported any. ``bytes`` is the most memory that it held.
    """

    name: str
    time_avg: float
    time_max: float
    longest: float
    reported_avg: float | None
    latency: float | None
    bytes: int | None

    def to_json(self) -> dict[str, Any]:
        """As it appears in a result; scripts of users read ``told_avg``."""
        return {
            "name": self.name,
            "time_avg": self.time_avg,
            "time_max": self.time_max,
            "longest": self.longest,
            "told_avg": self.reported_avg,
            "latency": self.latency,
            "bytes": self.bytes,
        }


def times_of(name: str, entries: Iterable[GameEntry]) -> Times:
    """The times of a player over the games that it took part in."""
    usages = [entry.usage[entry.sides.index(name)] for entry in entries if name in entry.sides]
    seconds = [usage.seconds for usage in usages]
    reports = [usage.reported or Reported() for usage in usages]
    moves = sum(report.moves for report in reports)
    reported = sum(report.seconds for report in reports)
    measured = sum(report.measured for report in reports)
    return Times(
        name=name,
        time_avg=round(sum(seconds) / len(seconds) if seconds else 0.0, 6),
        time_max=round(max(seconds, default=0.0), 6),
        longest=round(max((usage.longest for usage in usages), default=0.0), 6),
        reported_avg=round(reported / len(seconds), 6) if moves else None,
        # A program may round its times up, or count from before it was asked: no answer comes before it was given.
        latency=max(0.0, round((measured - reported) / moves, 6)) if moves else None,
        bytes=max((usage.bytes for usage in usages if usage.bytes is not None), default=None),
    )


def time_sentences(times: Sequence[Times], overload: Sequence[str]) -> list[str]:
    """The times that players reported beside ours, and whether the machine was too busy."""
    lines = [
        f"{one.name} reported {one.reported_avg:.3f} s per game; we saw {1000 * one.latency:.1f} ms more per move"
        for one in times
        if one.reported_avg is not None and one.latency is not None
    ]
    return [*lines, f"NOT A FAIR MEASUREMENT of times: {'; '.join(overload)}"] if overload else lines
