"""Values of positions in the search: for the mover, in the game's unit, with the distance to a win.

Sooner is better for the winner and later for the loser, so a win at ply n is worth ``win`` - n. The table counts plies
from the position, the search from the root.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Words, helper
from evalsmith.games.contract import WIN_VALUE, evaluate_of, result_of

MAX_PLY = 128  # the deepest ply of a search; a leaf so deep is not searched further
INFINITE = 1 << 22  # above every value; values fit 24 bits with their sign


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
def decided(context: Integers) -> int:
    """Values beyond this are proven wins; above every value where games have a margin."""
    win = context[WIN_VALUE]
    return win - min(2 * MAX_PLY, win // 2) if win > 0 else INFINITE


@helper("int64(integers, int64, int64)")
def moved_on(context: Integers, value: int, plies: int) -> int:
    """The same value seen from ``plies`` earlier: what is won or lost is that much further away."""
    if context[WIN_VALUE] > 0:
        won = decided(context)
        if value > won:
            return value - plies
        if value < -won:
            return value + plies
    return value


@helper("int64(integers, words)")
def static(context: Integers, position: Words) -> int:
    """The evaluation, kept below every value that a finished game can have."""
    win = context[WIN_VALUE]
    most = win - 2 * MAX_PLY - 1 if win > 4 * MAX_PLY else INFINITE - 1
    return min(max(evaluate_of(context, position), -most), most)
