"""Which way a simulation goes: the outcome that is due, or the move with the highest bound.

Simulations of other threads that are still below a node count as visits, and as losses for who chooses.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, helper, volatile
from evalsmith.engine.mcts import blocks, slots


@helper("int64(integers, int64, int64)", floats=True)
def pick_outcome(arena: Integers, block: int, end: int) -> int:
    """The edge of the outcome that was visited least for its probability; those that are proven need no visit.

    0 if all are, which only another thread can have brought about.
    """
    best, lowest = 0, 0.0
    for edge in range(block + 1, end, 2):
        child, share = volatile(arena, edge + 1), arena[edge] >> blocks.MOVE_BITS
        if share == 0 or (child > 0 and arena[child + blocks.LOW] == arena[child + blocks.HIGH]):
            continue
        word = arena[child + blocks.VISITS] if child > 0 else -child  # a claimed child is one visit away
        rate = ((word & blocks.VISITED) + (word >> blocks.VISIT_BITS) + 1) / float(share)
        if best == 0 or rate < lowest:
            best, lowest = edge, rate
    return best


@helper("int64(integers, int64, int64, int64)", floats=True)
def pick_move(context: Integers, node: int, block: int, end: int) -> int:
    """The edge with the highest bound: what the move was worth so far, and more the less is known of it.

    0 if no move is better than one that is proven, which only another thread can have brought about.
    """
    arena = slots.arena(context)
    sign = 1 if (arena[node + blocks.INFO] >> blocks.SIDE) & 1 == 0 else -1
    known = arena[node + blocks.LOW] if sign > 0 else -arena[node + blocks.HIGH]
    visits = max(arena[node + blocks.VISITS] & blocks.VISITED, 1)
    weight = slots.constants(context)[slots.EXPLORATION]
    spread = weight * np.sqrt(np.log(float(visits)))
    if context[slots.SELECTION] == slots.PUCT:
        spread = weight * np.sqrt(float(visits)) / blocks.SHARE
    untried = (
        sign * float(arena[node + blocks.SUM]) / (float(visits) * blocks.ONE)
    )  # a move not yet tried is taken for the mean
    best, highest, share_of_best = 0, 0.0, -1
    for edge in range(block + 1, end, 2):
        child, share = volatile(arena, edge + 1), arena[edge] >> blocks.MOVE_BITS
        count, value = 0, untried
        if child > 0:
            low, high = arena[child + blocks.LOW], arena[child + blocks.HIGH]
            if low == high or (high if sign > 0 else -low) <= known:
                continue  # proven, or no better than a move that is
            word = volatile(arena, child + blocks.VISITS)
            pending = word >> blocks.VISIT_BITS
            count = (word & blocks.VISITED) + pending
            value = (sign * float(arena[child + blocks.SUM]) - float(pending) * blocks.ONE) / (
                float(max(count, 1)) * blocks.ONE
            )
        elif child < 0:
            count, value = 1, -1.0
        if context[slots.SELECTION] == slots.PUCT:
            bound = value + spread * float(share) / (1.0 + count)
        elif count == 0:
            bound = 1e9
        else:
            bound = value + spread / np.sqrt(float(count))
        if best == 0 or bound > highest or (bound == highest and share > share_of_best):
            best, highest, share_of_best = edge, bound, share
    return best
