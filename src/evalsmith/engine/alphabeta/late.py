"""Late moves: by how many plies they are reduced, and when they may be left out."""

from __future__ import annotations

from evalsmith.compile import Integers, Words, helper
from evalsmith.engine.alphabeta import ordering, slots, techniques
from evalsmith.games import contract


@helper("int64(integers, words, int64, int64, int64, int64, int64)")
def reduction(context: Integers, position: Words, ply: int, depth: int, tried: int, move: int, narrow: int) -> int:
    """How many plies less a late quiet move is worth; one that was good elsewhere is reduced less."""
    plies = slots.reductions(context, min(depth, slots.REDUCED_DEPTHS - 1))[min(tried, slots.REDUCED_MOVES - 1)]
    earlier = ordering.history_of(context, position, move) // context[slots.LMR_HISTORY]
    plies -= min(max(earlier, -2), 2)
    plies += 1 - slots.nodes(context, ply)[slots.IMPROVING]
    plies -= 1 - narrow
    if context[slots.TECHNIQUES] & techniques.CUT_NODES != 0:
        plies += slots.nodes(context, ply)[slots.CUT]
    return min(max(plies, 0), depth - 2)


@helper("int64(integers, int64, int64)", inline=True)
def enough(context: Integers, ply: int, depth: int) -> int:
    """How many moves are tried at the most before quiet ones are left out."""
    if context[slots.TECHNIQUES] & techniques.LATE_MOVES == 0 or depth > context[slots.LATE_DEPTH]:
        return 1 << 30
    moves = context[slots.LATE_MOVES] + depth * depth
    return moves if slots.nodes(context, ply)[slots.IMPROVING] != 0 else moves // 2


@helper("int64(integers, words, int64, int64, int64, int64, int64, int64)", inline=True)
def skips(
    context: Integers, position: Words, ply: int, depth: int, tried: int, move: int, quiet: int, less: int
) -> int:
    """Whether a late move near the horizon may be left out: enough others were tried, or it loses material."""
    used = context[slots.TECHNIQUES]
    if quiet != 0 and used & techniques.LATE_MOVES != 0 and depth <= context[slots.LATE_DEPTH]:
        if tried >= enough(context, ply, depth):
            return 1
        left = depth - less
        if left <= 3 and ordering.history_of(context, position, move) < -context[slots.LATE_HISTORY] * left:
            return 1
    if used & techniques.EXCHANGE != 0 and depth <= context[slots.EXCHANGE_DEPTH]:
        step = context[slots.EXCHANGE_QUIET] if quiet != 0 else context[slots.EXCHANGE_NOISY]
        return 1 - contract.exchange_of(context, position, move, -step * depth)
    return 0
