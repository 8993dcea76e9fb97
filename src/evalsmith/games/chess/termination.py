"""Which rule has ended a game of chess."""

from __future__ import annotations

from evalsmith.games.chess import GAME
from evalsmith.games.chess.words import CLOCK_BIT, FIFTY_MOVES, STATE
from evalsmith.games.game import Position


def termination(position: Position) -> str:
    """The rule by its name; mate comes before the clock, as in the result."""
    if not GAME.moves(position):
        return "mate" if GAME.check(position) else "stalemate"
    clock = int(position[STATE]) >> CLOCK_BIT & 0xFFFF
    return "fifty moves" if clock >= FIFTY_MOVES else "insufficient material"
