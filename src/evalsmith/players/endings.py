"""How a game ended by its rules, by name; the same whoever played it and wherever.

A game that knows more than check tells it by its hook ``ending``: the name of the rule that ended a finished position.
"""

from __future__ import annotations

from evalsmith.games import Game, Position

BY_RULE, BY_MATE, BY_STALEMATE, BY_REPETITION, BY_LENGTH = "rule", "mate", "stalemate", "repetition", "length"
BY_RESIGNATION = "resignation"


def knows_endings(game: Game) -> bool:
    """Whether there is more to say of a finished position than that the rules ended it."""
    return game.hook("ending") is not None or hasattr(game.rules_module, "check")


def name_of_end(game: Game, position: Position) -> str:
    """What ended the game in a position where it is over: what the game says, or mate and stalemate by check alone."""
    tell = game.hook("ending")
    if tell is not None:
        return str(tell(position))
    if not knows_endings(game) or game.moves(position):
        return BY_RULE
    if game.check(position):
        return BY_MATE
    return BY_STALEMATE if game.result(position) == 0 else BY_RULE
