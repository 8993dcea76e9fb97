"""Protocols: what engines and interfaces say to each other, one grammar each."""

from __future__ import annotations

from evalsmith.games import Game
from evalsmith.protocols.engine import METHODS, EngineOptions
from evalsmith.run import InputError

DEFAULT_PROTOCOLS = {"chess": "uci", "shogi": "usi", "othello": "nboard", "dvonn": "codecup", "drmario": "states"}
"""The protocol that the world speaks with engines of a game."""
ONLY = {"nboard": ("othello",), "gtp": ("othello",)}
"""Protocols whose moves and boards are those of certain games."""
NAMES = ("uci", "usi", "nboard", "gtp", "codecup", "states")

__all__ = ["DEFAULT_PROTOCOLS", "NAMES", "EngineOptions", "run_engine"]


def run_engine(game: Game, protocol: str | None, options: EngineOptions) -> None:
    """Speak a protocol on standard input and output; the game's default one where none is named."""
    chosen = protocol or DEFAULT_PROTOCOLS.get(game.name, "uci")
    if chosen not in NAMES:
        raise InputError(f"unknown protocol {chosen!r}; expected one of {', '.join(NAMES)}")
    if game.name not in ONLY.get(chosen, (game.name,)):
        raise InputError(f"{chosen} is a protocol for {' and '.join(ONLY[chosen])}, not for {game.name}")
    if options.method not in METHODS:
        raise InputError(f"the method must be one of {', '.join(METHODS)}, not {options.method!r}")
    if options.method == "mcts" and options.without:
        raise InputError(f"the techniques to be left out belong to alphabeta, not to {options.method}")
    if options.method == "mcts" and options.replacement != EngineOptions().replacement:
        raise InputError(f"the replacement in the table belongs to alphabeta, not to {options.method}")
    if chosen == "nboard":
        from evalsmith.protocols.nboard import run_nboard

        run_nboard(game, options)
    elif chosen == "gtp":
        from evalsmith.protocols.gtp import run_gtp

        run_gtp(game, options)
    elif chosen == "codecup":
        from evalsmith.protocols.codecup import run_codecup

        run_codecup(game, options)
    elif chosen == "states":
        from evalsmith.protocols.states import run_states

        run_states(game, options)
    else:
        from evalsmith.protocols.uci import UCI, USI, run_uci

        run_uci(game, UCI if chosen == "uci" else USI, options)
