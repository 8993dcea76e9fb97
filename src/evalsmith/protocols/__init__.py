"""Protocols: what engines and interfaces say to each other, one grammar each."""

from __future__ import annotations

from pathlib import Path

from evalsmith.games import Game
from evalsmith.run import InputError

USUAL = {"chess": "uci", "shogi": "usi"}
"""The protocol that the world speaks with engines of a game."""

__all__ = ["USUAL", "run_engine"]


def run_engine(game: Game, protocol: str | None, weights: Path | None, table_bytes: int) -> None:
    """Speak a protocol on standard input and output; the game's usual one where none is named."""
    from evalsmith.protocols.uci import UCI, USI, run_uci

    chosen = protocol or USUAL.get(game.name, "uci")
    dialects = {"uci": UCI, "usi": USI}
    if chosen not in dialects:
        raise InputError(f"no protocol is called {chosen!r}; there are: {', '.join(dialects)}")
    run_uci(game, dialects[chosen], weights, table_bytes)
