"""What players took: by our clock, and by their own account of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evalsmith.arena.results.entry import GameEntry, Reported


@dataclass(frozen=True)
class Times:
    """The times of one player, in seconds; those a game, and the longest move.

    ``told_avg`` is the mean time a game by the player's own account, ``latency`` how much more of each move we saw, on
    the moves where it gave an account; None where it never did. ``bytes`` is the most memory it held.
    """

    name: str
    time_avg: float
    time_max: float
    longest: float
    told_avg: float | None
    latency: float | None
    bytes: int | None


def times_of(name: str, entries: Iterable[GameEntry]) -> Times:
    """The times of a player over the games that it took part in."""
    seconds: list[float] = []
    longest = told = measured = moves = 0.0
    most: int | None = None
    for entry in entries:
        if name not in entry.sides:
            continue
        usage = entry.usage[entry.sides.index(name)]
        own = usage.reported or Reported()
        seconds.append(usage.seconds)
        longest = max(longest, usage.longest)
        told, measured, moves = told + own.seconds, measured + own.measured, moves + own.moves
        if usage.bytes is not None:
            most = max(most or 0, usage.bytes)
    average = sum(seconds) / len(seconds) if seconds else 0.0
    return Times(
        name,
        round(average, 6),
        round(max(seconds, default=0.0), 6),
        round(longest, 6),
        round(told / len(seconds), 6) if moves else None,
        round((measured - told) / moves, 6) if moves else None,
        most,
    )
