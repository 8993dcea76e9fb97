"""The score of a match while it is played, counted game by game."""

from __future__ import annotations

from collections.abc import Iterable

from evalsmith.arena.results.entry import GameEntry, GameKey, sign
from evalsmith.arena.statistics.elo import pentanomial
from evalsmith.arena.statistics.sequential import SequentialTest, half_points


class LiveScore:
    """The games of a match so far, from the first player's view, and where its sequential test stands.

    Only games whose pair is not counted yet are in memory.
    """

    def __init__(self, test: SequentialTest) -> None:
        self.test = test
        self._values: dict[tuple[int, int], int] = {}
        self._games = [0, 0, 0]
        self._pairs = [0, 0, 0, 0, 0]
        self._failed = 0

    def add(self, key: GameKey, entry: GameEntry) -> bool:
        """Count a game; whether the sequential test is decided by now."""
        value = entry.value_for(key.first)
        self._values[key.pair, key.half] = value
        self._games[1 - sign(value)] += 1
        self._failed += bool(entry.failed)
        other = self._values.get((key.pair, 1 - key.half))
        if other is not None:
            self._pairs[half_points(value, other)] += 1
        taken = self.test.pairs
        decided = self.test.decided_by(self._values)
        if self.test.config is not None:
            self._forget(range(taken, self.test.pairs))
        elif other is not None:
            self._forget((key.pair,))
        return decided

    def _forget(self, pairs: Iterable[int]) -> None:
        for pair in pairs:
            for half in (0, 1):
                del self._values[pair, half]

    def __str__(self) -> str:
        won, drawn, lost = self._games
        parts = [f"W–D–L {won}–{drawn}–{lost}"]
        if any(self._pairs):
            parts.append(f"Elo {pentanomial(self._pairs).elo_text(0)}")
        if self.test.state is not None:
            state = self.test.state
            parts.append(f"LLR {round(state.llr, 2) + 0.0:.2f} of {state.lower:.2f} … {state.upper:.2f}")
        if self._failed:
            parts.append(f"{self._failed} failed")
        return ", ".join(parts)
