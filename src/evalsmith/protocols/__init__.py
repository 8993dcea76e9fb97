"""Protocols: what engines and interfaces say to each other, one grammar each."""

from __future__ import annotations

from pathlib import Path

from evalsmith.games import Game
from evalsmith.run import InputError

USUAL = {"chess": "uci", "shogi": "usi", "othello": "nboard", "dvonn": "codecup"}
"""The protocol that the world speaks with engines of a game."""
ONLY = {"nboard": ("othello",), "gtp": ("othello",)}
"""Protocols whose moves and boards are those of certain games."""
NAMES = ("uci", "usi", "nboard", "gtp", "codecup")

__all__ = ["NAMES", "USUAL", "run_engine"]


def run_engine(game: Game, protocol: str | None, weights: Path | None, table_bytes: int) -> None:
    """Speak a protocol on standard input and output; the game's usual one where none is named."""
    chosen = protocol or USUAL.get(game.name, "uci")
    if chosen not in NAMES:
        raise InputError(f"no protocol is called {chosen!r}; there are: {', '.join(NAMES)}")
    if game.name not in ONLY.get(chosen, (game.name,)):
        raise InputError(f"{chosen} is a protocol for {' and '.join(ONLY[chosen])}, not for {game.name}")
    if chosen == "nboard":
        from evalsmith.protocols.nboard import run_nboard

        run_nboard(game, weights, table_bytes)
    elif chosen == "gtp":
        from evalsmith.protocols.gtp import run_gtp

        run_gtp(game, weights, table_bytes)
    elif chosen == "codecup":
        from evalsmith.protocols.codecup import run_codecup

        run_codecup(game, weights, table_bytes)
    else:
        from evalsmith.protocols.uci import UCI, USI, run_uci

        run_uci(game, UCI if chosen == "uci" else USI, weights, table_bytes)
