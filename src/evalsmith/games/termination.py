"""Why a finished game ended, by name: the same name whoever played it and wherever it is shown.

A game that can say more than mate and stalemate has a hook ``termination``: it names the rule that ended a finished
position.
"""

from __future__ import annotations

from evalsmith.games.game import Game, Position

BY_RULE, BY_MATE, BY_STALEMATE, BY_REPETITION, BY_LENGTH = "rule", "mate", "stalemate", "repetition", "length"
BY_RESIGNATION, BY_DECLARATION, BY_IMPASSE = "resignation", "declaration", "impasse"


def termination_of(game: Game, position: Position) -> str:
    """Why the game is over in a finished position: by the game's own hook, or mate and stalemate by check alone."""
    name = game.hook("termination")
    if name is not None:
        return str(name(position))
    if not hasattr(game.rules_module, "check") or game.moves(position):
        return BY_RULE
    if game.check(position):
        return BY_MATE
    return BY_STALEMATE if game.result(position) == 0 else BY_RULE
