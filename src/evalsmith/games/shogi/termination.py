"""Which rule has ended a game of shogi."""

from __future__ import annotations

from evalsmith.games.game import Position
from evalsmith.games.shogi import GAME


def termination(position: Position) -> str:
    """The rule by its name; who has no move has lost, be it without check."""
    if GAME.moves(position):
        return "length"
    return "mate" if GAME.check(position) else "stalemate"
