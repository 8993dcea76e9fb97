"""Finished games for tests, made from their names."""

from __future__ import annotations

from typing import Any

from evalsmith.arena.results.entry import GameEntry, GameKey


def logged(key: GameKey, result: int, **more: Any) -> GameEntry:
    """A game of that name and result; ``more`` are keys of the log."""
    line = {"round": key.round, "pair": key.pair, "half": key.half, "sides": list(key.sides), "result": result,
            "reason": "rule", "seconds": [0.0, 0.0]}  # fmt: skip
    return GameEntry.from_json(line | more)
