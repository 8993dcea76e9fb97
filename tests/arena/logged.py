"""Finished games for tests, made from their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evalsmith.arena.results.counting import CountedGames
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.standings import Standings, standings


def logged(key: GameKey, result: int, **more: Any) -> GameEntry:
    """A game of that name and result; ``more`` are keys of the log."""
    line = {"round": key.round, "pair": key.pair, "half": key.half, "sides": list(key.sides), "result": result,
            "reason": "rule", "seconds": [0.0, 0.0]}  # fmt: skip
    return GameEntry.from_json(line | more)


def counted(names: Iterable[str], games: Mapping[GameKey, GameEntry]) -> CountedGames:
    """Games as if they came from a log."""
    return CountedGames(tuple(games.values()), tuple(names))


def table_of(names: Iterable[str], games: Mapping[GameKey, GameEntry], *arguments: Any, **named: Any) -> Standings:
    """The table of games."""
    return standings(counted(names, games).tally(), *arguments, **named)
