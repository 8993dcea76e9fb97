"""What a position of the placing phase has: placed stones by where they lie, and how far apart the reds are."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, lowest, popcount, scan, scratch
from evalsmith.games.dvonn import board, layout
from evalsmith.games.dvonn.evaluation.zones import find_zones
from evalsmith.games.dvonn.layout import (
    PLACED,
    SIDE,
    SIDE_BESIDE_ENEMY,
    SIDE_BESIDE_OWN,
    SPREAD,
    SPREAD_FROM,
    SPREADS,
    ZONES,
)
from evalsmith.games.dvonn.rules import BLACK, RED, REDS, STATE, WHITE, around_field

_0, _1 = np.uint64(0), np.uint64(1)
_CORNERS = np.uint64(board.fields_with(3))
_SIDES = np.uint64(board.fields_with(3) | board.fields_with(4))
_STEP, _ROW, _SLANT = np.uint64(1), np.uint64(board.WIDTH), np.uint64(board.WIDTH + 1)
_DISTANCES = board.bit_distances()
_zones = scratch("words", ZONES)


@helper("int64(uint64, uint64)", inline=True)
def _pairs(first: Word, second: Word) -> int:
    """How often one of the first is beside one of the second."""
    total = popcount((first << _STEP) & second) + popcount((first >> _STEP) & second)
    total += popcount((first << _ROW) & second) + popcount((first >> _ROW) & second)
    return total + popcount((first << _SLANT) & second) + popcount((first >> _SLANT) & second)


@helper("int64(uint64)", inline=True)
def _spread(red: Word) -> int:
    """The sum of the distances between three reds."""
    first = scan(red)
    red ^= lowest(red)
    second = scan(red)
    third = scan(red ^ lowest(red))
    return _DISTANCES[64 * first + second] + _DISTANCES[64 * first + third] + _DISTANCES[64 * second + third]


@helper("int64(uint64, uint64, words, int64, integers, integers, int64)")
def look_up_placed(
    own: Word, enemy: Word, zones: Words, sign: int, counts: Integers, found: Integers, count: int
) -> int:
    """One side's placed stones: their counts, and a look-up for each; how many look-ups there are."""
    for zone in range(1, ZONES):
        waiting = own & zones[zone]
        counts[PLACED + zone - 1] += sign * popcount(waiting)
        counts[SIDE + zone - 1] += sign * popcount(waiting & _SIDES)
        while waiting != _0:
            bit, stone = scan(waiting), lowest(waiting)
            around = around_field(bit)
            kind = popcount(stone & _SIDES) + popcount(stone & _CORNERS)
            index = (kind * (ZONES - 1) + zone - 1) * 4 + min(popcount(around & own), 3)
            found[2 * count] = layout.PLACED_AROUND + 4 * index + min(popcount(around & enemy), 3)
            found[2 * count + 1] = sign
            count += 1
            waiting ^= stone
    counts[layout.CORNER] += sign * popcount(own & _CORNERS)
    counts[SIDE_BESIDE_ENEMY] += sign * _pairs(own & _SIDES, enemy)
    counts[SIDE_BESIDE_OWN] += sign * _pairs(own & _SIDES, own)
    return count


@helper("int64(words, integers, integers)")
def describe_placing(position: Words, counts: Integers, found: Integers) -> int:
    """Counts from ``PLACED`` to ``PLACED_AROUND``, and look-ups, the spread of the reds among them."""
    own, enemy, red = position[WHITE], position[BLACK], position[RED]
    if position[STATE] & _1 != _0:
        own, enemy = enemy, own
    zones = _zones()
    find_zones(red, zones)
    for k in range(PLACED, layout.PLACED_AROUND):
        counts[k] = 0
    count = look_up_placed(own, enemy, zones, 1, counts, found, 0)
    count = look_up_placed(enemy, own, zones, -1, counts, found, count)
    if popcount(red) == REDS:
        odd = popcount(own | enemy | red) & 1
        found[2 * count], found[2 * count + 1] = SPREAD + SPREADS * odd + _spread(red) - SPREAD_FROM, 1
        count += 1
    return count
