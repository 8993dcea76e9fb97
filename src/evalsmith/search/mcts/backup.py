"""What the nodes of a simulation learn from it: visits, sums, and bounds that rest on finished games alone."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, helper, int64, integers_at, volatile
from evalsmith.games.contract import CHANCE
from evalsmith.search.mcts.rollout import most, worth
from evalsmith.search.mcts.slots import (
    ARENA,
    DISTANCE,
    EDGES,
    HEAD,
    HIGH,
    INFO,
    LOW,
    MOVE_BITS,
    ONE,
    PATH,
    PENDING,
    SIDE,
    STATUS,
    SUM,
    VISITED,
    VISITS,
)
from evalsmith.search.mcts.tree import add, narrow


@helper("void(integers, int64, int64)")
def _end_after(arena: Integers, node: int, plies: int) -> None:
    """Note how many plies the game of a proven node still lasts."""
    arena[node + INFO] = (arena[node + INFO] & ((1 << DISTANCE) - 1)) + (plies << DISTANCE)


@helper("int64(integers, int64, int64)")
def _tighten(context: Integers, node: int, block: int) -> int:
    """Bring LOW and HIGH of a player's node up to date with its children; whether they changed."""
    arena = integers_at(context[ARENA])
    end = block + ((arena[block] & HEAD) >> 1)
    limit = most(context)
    sign = 1 if (arena[node + INFO] >> SIDE) & 1 == 0 else -1
    least, highest = -limit, -limit
    for edge in range(block + 1, end, 2):
        child = volatile(arena, edge + 1)
        low, high = -limit, limit
        if child > 0:
            low, high = arena[child + LOW], arena[child + HIGH]
            if sign < 0:
                low, high = -high, -low
        least, highest = max(least, low), max(highest, high)
    if least == highest:  # the winner hurries, the loser does not
        distance = -1
        for edge in range(block + 1, end, 2):
            child = volatile(arena, edge + 1)
            if child > 0 and arena[child + LOW] == sign * least and arena[child + HIGH] == sign * least:
                plies = arena[child + INFO] >> DISTANCE
                if distance < 0 or (plies < distance) == (least > 0):
                    distance = plies
        _end_after(arena, node, distance + 1)
    return narrow(context, node, least, highest) if sign > 0 else narrow(context, node, -highest, -least)


@helper("float64(integers, int64, int64)", floats=True)
def _average(context: Integers, node: int, block: int) -> float:
    """Bring the bounds of a chance node up to date; the mean of its outcomes so far, weighted by probability."""
    arena = integers_at(context[ARENA])
    end = block + ((arena[block] & HEAD) >> 1)
    limit = float(most(context))
    total, seen, value, least, highest = 0.0, 0.0, 0.0, 0.0, 0.0
    proven, distance = 1, 0
    for edge in range(block + 1, end, 2):
        child, share = volatile(arena, edge + 1), float(arena[edge] >> MOVE_BITS)
        total += share
        if child <= 0:
            least -= share * limit
            highest += share * limit
            proven = 0 if share > 0.0 else proven
            continue
        low, high = arena[child + LOW], arena[child + HIGH]
        least += share * float(low)
        highest += share * float(high)
        visits = volatile(arena, child + VISITS) & VISITED
        if low == high:
            seen += share
            value += share * worth(context, low)
            distance = max(distance, arena[child + INFO] >> DISTANCE)
        else:
            proven = 0
            if visits > 0:  # else another thread made the child and is still below it
                seen += share
                value += share * float(arena[child + SUM]) / (float(visits) * ONE)
    if proven != 0:
        _end_after(arena, node, distance + 1)
        exact = int64(np.floor(least / total + 0.5))
        narrow(context, node, exact, exact)
    else:
        narrow(context, node, int64(np.floor(least / total)), int64(np.ceil(highest / total)))
    return value / seen if seen > 0.0 else 0.0


@helper("void(integers, int64, float64, int64)", floats=True)
def back_up(context: Integers, last: int, value: float, changed: int) -> None:
    """Give every node of the path the value of the simulation, and what its last node proved (``changed``).

    A value stays within what is proven: with a proven move at hand the mover need not suffer a worse one.
    """
    arena, path, limit = integers_at(context[ARENA]), integers_at(context[PATH]), most(context)
    for ply in range(last, -1, -1):
        node = path[ply]
        block = volatile(arena, node + EDGES)
        visits = add(context, arena, node + VISITS, 1 - context[PENDING]) & VISITED
        chance = arena[node + INFO] & STATUS == CHANCE and (ply < last or changed != 0)
        if chance:
            low, high = arena[node + LOW], arena[node + HIGH]
            value = _average(context, node, block)
            changed = 1 if low != arena[node + LOW] or high != arena[node + HIGH] else 0
        elif block > 0 and changed != 0:
            changed = _tighten(context, node, block)
        low, high = arena[node + LOW], arena[node + HIGH]
        if low > -limit:
            value = max(value, worth(context, low))
        if high < limit:
            value = min(value, worth(context, high))
        if chance:
            arena[node + SUM] = int64(value * ONE * visits)
        else:
            add(context, arena, node + SUM, int64(value * ONE))
