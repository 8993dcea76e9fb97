"""Values of positions in the search: for the mover, in the game's unit, with the distance to a win.

Sooner is better for the winner and later for the loser, so a win at ply n is worth ``win`` - n. The table counts plies
from the position, the search from the root.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Words, helper
from evalsmith.games import scores
from evalsmith.games.contract import WIN_VALUE, evaluate_of, result_of

MAX_PLY = 128  # the deepest ply of a search: positions there are leaves

_decided_above = helper("int64(int64)", inline=True)(scores.decided_above)
_repetition_value = helper("int64(int64, int64)", inline=True)(scores.repetition_value)


@helper("int64(integers, words, int64)")
def finished(context: Integers, position: Words, ply: int) -> int:
    """The value of a finished game: sooner is better for the winner, later for the loser."""
    value = result_of(context, position)
    if context[WIN_VALUE] > 0:
        if value > 0:
            return value - ply
        if value < 0:
            return value + ply
    return value


@helper("int64(integers)", inline=True)
def decided_above(context: Integers) -> int:
    """Values above this are proven wins; above every value where games have a margin."""
    return _decided_above(context[WIN_VALUE])


@helper("int64(integers, int64, int64)", inline=True)
def repetition_value(context: Integers, repeated: int, ply: int) -> int:
    """What a repetition at a ply is worth to the mover."""
    value = _repetition_value(context[WIN_VALUE], repeated)
    return value - ply if value > 0 else value + ply if value < 0 else 0


@helper("int64(integers, int64, int64)")
def from_root(context: Integers, value: int, plies: int) -> int:
    """A value as seen from ``plies`` earlier: a proven win or loss is that much further away."""
    if context[WIN_VALUE] > 0:
        won = decided_above(context)
        if value > won:
            return value - plies
        if value < -won:
            return value + plies
    return value


@helper("int64(integers, words)")
def static(context: Integers, position: Words) -> int:
    """The evaluation, held below every value that a finished game can have."""
    win = context[WIN_VALUE]
    bound = win - 2 * MAX_PLY - 1 if win > 4 * MAX_PLY else scores.INFINITE - 1
    return min(max(evaluate_of(context, position), -bound), bound)
