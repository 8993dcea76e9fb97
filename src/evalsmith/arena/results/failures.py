"""The failures of a player, summed up game by game."""

from __future__ import annotations

from collections import Counter

from evalsmith.arena.results.entry import GameEntry
from evalsmith.arena.statistics.verdict import Failures


class FailureSums:
    """In how many of its games a player failed, why, and how late it was."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._games = self._failed = self._late_moves = 0
        self._reasons: Counter[str] = Counter()
        self._late = 0.0
        self._latest: float | None = None

    def add(self, entry: GameEntry) -> None:
        """Count a game of the player."""
        self._games += 1
        if not entry.failed:
            return
        side = entry.sides.index(self.name)
        self._failed += side in entry.failed_sides
        for one in entry.failed:
            if one.side != side:
                continue
            self._reasons[one.reason] += 1
            if one.late is not None:
                self._late += one.late
                self._late_moves += 1
                self._latest = one.late if self._latest is None else max(self._latest, one.late)

    def result(self) -> Failures:
        """What they come to."""
        late = round(self._late / self._late_moves, 4) if self._late_moves else None
        return Failures(self.name, self._games, self._failed, dict(self._reasons), late, self._latest)
