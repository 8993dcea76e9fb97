"""What players took: by our clock, and by their own account of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evalsmith.arena.log import Entry


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


def times_of(name: str, entries: Iterable[Entry]) -> Times:
    """The times of a player over the games that it took part in."""
    seconds: list[float] = []
    longest = told = measured = moves = 0.0
    most: int | None = None
    for entry in entries:
        if name not in entry["sides"]:
            continue
        side = entry["sides"].index(name)
        seconds.append(float(entry["seconds"][side]))
        longest = max(longest, *_numbers(entry.get("longest"), side, 1))
        one_told, one_measured, one_moves = _numbers((entry.get("told") or [[], []])[side], 0, 3)
        told, measured, moves = told + one_told, measured + one_measured, moves + one_moves
        held = (entry.get("bytes") or [None, None])[side]
        if held is not None:
            most = max(most or 0, int(held))
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


def _numbers(values: object, first: int, count: int) -> list[float]:
    """So many numbers of a list, zeros where a log has none."""
    found = values[first : first + count] if isinstance(values, list) else []
    return [float(value) for value in found] + [0.0] * (count - len(found))
