"""The time that players took: by our clock, and as they report it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evalsmith.arena.play.load import HostLoad
from evalsmith.arena.results.entry import SideUsage


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


class TimeSums:
    """The times of one player, summed up game by game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._games = self._moves = 0
        self._seconds = self._reported = self._measured = 0.0
        self._longest_game = self._longest_move = 0.0
        self._bytes: int | None = None

    def add(self, usage: SideUsage) -> None:
        """Count what the player used in a game."""
        self._games += 1
        self._seconds += usage.seconds
        self._longest_game = max(self._longest_game, usage.seconds)
        self._longest_move = max(self._longest_move, usage.longest)
        if usage.reported is not None:
            self._moves += usage.reported.moves
            self._reported += usage.reported.seconds
            self._measured += usage.reported.measured
        if usage.bytes is not None:
            self._bytes = max(self._bytes or 0, usage.bytes)

    def result(self) -> Times:
        """What they come to."""
        moves = self._moves
        return Times(
            name=self.name,
            time_avg=round(self._seconds / max(1, self._games), 6),
            time_max=round(self._longest_game, 6),
            longest=round(self._longest_move, 6),
            reported_avg=round(self._reported / self._games, 6) if moves else None,
            # A program may round its times up, or count from before it was asked: no answer comes before it was given.
            latency=max(0.0, round((self._measured - self._reported) / moves, 6)) if moves else None,
            bytes=self._bytes,
        )


def time_sentences(times: Sequence[Times], hosts: Sequence[HostLoad], overload: Sequence[str]) -> list[str]:
    """The times that players reported beside ours, who played if there were several hosts, and if one was too busy."""
    lines = [
        f"{one.name} reported {one.reported_avg:.3f} s per game; we saw {1000 * one.latency:.1f} ms more per move"
        for one in times
        if one.reported_avg is not None and one.latency is not None
    ]
    lines += [one.sentence() for one in hosts] if len(hosts) > 1 else []
    return [*lines, f"NOT A FAIR MEASUREMENT of times: {'; '.join(overload)}"] if overload else lines
