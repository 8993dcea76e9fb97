"""What the nodes of a simulation learn from it: visits, sums, and bounds that rest on finished games alone."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, helper, int64, volatile
from evalsmith.engine.mcts import blocks, slots
from evalsmith.engine.mcts.rollout import max_bound, worth
from evalsmith.engine.mcts.tree import add, narrow
from evalsmith.games import contract


@helper("void(integers, int64, int64)")
def _end_after(arena: Integers, node: int, plies: int) -> None:
    """Note how many plies the game of a proven node still lasts."""
    arena[node + blocks.INFO] = (arena[node + blocks.INFO] & ((1 << blocks.DISTANCE) - 1)) + (plies << blocks.DISTANCE)


@helper("int64(integers, int64, int64)")
def _tighten(context: Integers, node: int, block: int) -> int:
    """Bring blocks.LOW and blocks.HIGH of a player's node up to date with its children; whether they changed."""
    arena = slots.arena(context)
    end = block + ((arena[block] & blocks.HEAD) >> 1)
    limit = max_bound(context)
    sign = 1 if (arena[node + blocks.INFO] >> blocks.SIDE) & 1 == 0 else -1
    lowest, highest = -limit, -limit
    for edge in range(block + 1, end, 2):
        child = volatile(arena, edge + 1)
        low, high = -limit, limit
        if child > 0:
            low, high = arena[child + blocks.LOW], arena[child + blocks.HIGH]
            if sign < 0:
                low, high = -high, -low
        lowest, highest = max(lowest, low), max(highest, high)
    if lowest == highest:  # the winner hurries, the loser does not
        distance = -1
        for edge in range(block + 1, end, 2):
            child = volatile(arena, edge + 1)
            if child > 0 and arena[child + blocks.LOW] == sign * lowest and arena[child + blocks.HIGH] == sign * lowest:
                plies = arena[child + blocks.INFO] >> blocks.DISTANCE
                if distance < 0 or (plies < distance) == (lowest > 0):
                    distance = plies
        _end_after(arena, node, distance + 1)
    return narrow(context, node, lowest, highest) if sign > 0 else narrow(context, node, -highest, -lowest)


@helper("float64(integers, int64, int64)", floats=True)
def _average(context: Integers, node: int, block: int) -> float:
    """Bring the bounds of a chance node up to date; the mean of its outcomes so far, weighted by probability."""
    arena = slots.arena(context)
    end = block + ((arena[block] & blocks.HEAD) >> 1)
    limit = float(max_bound(context))
    total, seen, value, lowest, highest = 0.0, 0.0, 0.0, 0.0, 0.0
    proven, distance = 1, 0
    for edge in range(block + 1, end, 2):
        child, share = volatile(arena, edge + 1), float(arena[edge] >> blocks.MOVE_BITS)
        total += share
        if child <= 0:
            lowest -= share * limit
            highest += share * limit
            proven = 0 if share > 0.0 else proven
            continue
        low, high = arena[child + blocks.LOW], arena[child + blocks.HIGH]
        lowest += share * float(low)
        highest += share * float(high)
        visits = volatile(arena, child + blocks.VISITS) & blocks.VISITED
        if low == high:
            seen += share
            value += share * worth(context, low)
            distance = max(distance, arena[child + blocks.INFO] >> blocks.DISTANCE)
        else:
            proven = 0
            if visits > 0:  # else another thread made the child and is still below it
                seen += share
                value += share * float(arena[child + blocks.SUM]) / (float(visits) * blocks.ONE)
    if proven != 0:
        _end_after(arena, node, distance + 1)
        exact = int64(np.floor(lowest / total + 0.5))
        narrow(context, node, exact, exact)
    else:
        narrow(context, node, int64(np.floor(lowest / total)), int64(np.ceil(highest / total)))
    return value / seen if seen > 0.0 else 0.0


@helper("void(integers, int64, float64, int64)", floats=True)
def back_up(context: Integers, last: int, value: float, changed: int) -> None:
    """Give every node of the path the value of the simulation, and what its last node proved (``changed``).

    A value stays within what is proven: with a proven move at hand the mover need not suffer a worse one.
    """
    arena, path, limit = slots.arena(context), slots.path(context), max_bound(context)
    for ply in range(last, -1, -1):
        node = path[ply]
        block = volatile(arena, node + blocks.EDGES)
        visits = add(context, arena, node + blocks.VISITS, 1 - context[slots.PENDING]) & blocks.VISITED
        chance = arena[node + blocks.INFO] & blocks.STATUS == contract.CHANCE and (ply < last or changed != 0)
        if chance:
            low, high = arena[node + blocks.LOW], arena[node + blocks.HIGH]
            value = _average(context, node, block)
            changed = 1 if low != arena[node + blocks.LOW] or high != arena[node + blocks.HIGH] else 0
        elif block > 0 and changed != 0:
            changed = _tighten(context, node, block)
        low, high = arena[node + blocks.LOW], arena[node + blocks.HIGH]
        if low > -limit:
            value = max(value, worth(context, low))
        if high < limit:
            value = min(value, worth(context, high))
        if chance:
            arena[node + blocks.SUM] = int64(value * blocks.ONE * visits)
        else:
            add(context, arena, node + blocks.SUM, int64(value * blocks.ONE))
