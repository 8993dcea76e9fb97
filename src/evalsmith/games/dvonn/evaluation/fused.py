"""The same sum as over the terms of stacking, in one look-up a stack: a table holds all that its state decides.

The state of a stack is its height, zone, freedom, how many enemies can move onto it, and whether it is guarded. Stacks,
stones, heights, mobile stacks, situations, attacked stones and moves onto enemies all follow from it, so their weights
are added up beforehand, for each number of stacks on the board.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Word, Words, at, helper, int64, lowest, popcount, scan, scratch
from evalsmith.games.dvonn import layout
from evalsmith.games.dvonn.evaluation.zones import find_zones, hanging_stacks, write_digits, zone_at
from evalsmith.games.dvonn.layout import (
    COUNTED,
    FULL,
    HANGING,
    HIGHEST,
    MOBILES,
    MOVES,
    ONTO_ENEMIES,
    ONTO_REDS,
    SITUATIONS,
    STONES,
    TO_MOVE,
    ZONES,
)
from evalsmith.games.dvonn.rules import (
    BLACK,
    DIGITS,
    HEIGHTS,
    RED,
    STATE,
    WHITE,
    around_field,
    beside,
    height_at,
    low_stacks,
    open_sided,
    reach_of,
    stones_in,
)

_0, _1 = np.uint64(0), np.uint64(1)
_ATTACKS = 3  # more attackers than this are counted apart
# The table of a side at 256·height + 32·zone + 8·freedom + 2·attackers + guarded.
_SHAPE = (HIGHEST + 1, 8, 4, _ATTACKS + 1, 2)
STATES = (HIGHEST + 1) * 8 * 4 * (_ATTACKS + 1) * 2
_zones = scratch("words", ZONES)
_digits = scratch("words", 3)
# Of a side: how many of its stacks can move onto each field, in two digits, and its stacks with a move, with two.
_ONCE, _TWICE, _MOBILE, _FREE, _PLANES = 0, 1, 2, 3, 4
_sides = scratch("words", 2 * _PLANES)


def tables(rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What a stack of the mover and one of the enemy count in each state, from weights blended for 0 … 49 stacks."""
    height, zone, freedom, attacks, guarded = np.indices(_SHAPE)
    zone, high = np.minimum(zone, ZONES - 1), np.maximum(height, 1)
    attackers = np.minimum(attacks, 2)
    situation = ((np.minimum(high, 6) - 1) * 4 + np.minimum(zone, 3)) * 4 + freedom
    situation = (situation * 3 + attackers) * 2 + guarded
    shared = rows[:, layout.STACKS + zone] + rows[:, STONES + zone] * high + rows[:, layout.BY_HEIGHT + high - 1]
    shared += rows[:, layout.MOBILE + zone] * (freedom >= 2) - rows[:, ONTO_ENEMIES + zone] * attacks
    found = []
    for whose, sign in ((0, 1), (1, -1)):
        own = rows[:, layout.SITUATION + whose * SITUATIONS + situation]
        attacked = rows[:, layout.ATTACKED + whose].reshape(-1, 1, 1, 1, 1, 1) * (high * (attacks > 0))
        found.append(sign * (shared + own + attacked))
    return np.stack(found, axis=1).reshape(len(rows), -1)


@helper("int64(words, uint64, uint64, words, words, indices)")
def _moves(position: Words, own: Word, enemy: Word, digits: Words, side: Words, row: Indices) -> int:
    """What one side's moves count, by where they come from; where they go is left in ``side``."""
    red = position[RED]
    occupied = position[WHITE] | position[BLACK] | red
    movers = own & open_sided(occupied) & low_stacks(position)
    ones, twos, fours, eights = position[3], position[4], position[5], position[6]
    # A field has 18 others on its lines at most.
    once, twice, fourfold, eightfold, beyond = _0, _0, _0, _0, _0
    mobile, free = _0, _0
    total = 0
    while movers != _0:
        bit = scan(movers)
        reached = reach_of(ones, twos, fours, eights, bit) & occupied
        source = lowest(movers)
        movers ^= source
        if reached != _0:
            zone = zone_at(digits, bit)
            mobile |= source
            if reached & (reached - _1) != _0:
                free |= source
            total += row[MOVES + zone] * popcount(reached) + row[ONTO_REDS + zone] * popcount(reached & red)
            carry = once & reached
            once ^= reached
            higher = twice & carry
            twice ^= carry
            carry = fourfold & higher
            fourfold ^= higher
            beyond |= eightfold & carry
            eightfold ^= carry
    often = fourfold | eightfold | beyond
    side[_ONCE], side[_TWICE] = once | often, twice | often
    side[_MOBILE], side[_FREE] = mobile, free
    if often & enemy != _0:
        left = often & enemy
        while left != _0:
            shift = np.uint64(scan(left))
            more = np.int64((once >> shift) & _1) + 2 * np.int64((twice >> shift) & _1) - _ATTACKS
            more += 4 * np.int64((fourfold >> shift) & _1) + 8 * np.int64((eightfold >> shift) & _1)
            more += 16 * np.int64((beyond >> shift) & _1)
            total += row[ONTO_ENEMIES + zone_at(digits, scan(left))] * more
            left ^= lowest(left)
    return total


@helper("uint64(words, uint64)", inline=True)
def _highest(position: Words, stacks: Word) -> Word:
    """One of the highest of some stacks, as a bit."""
    for digit in range(DIGITS):
        higher = stacks & position[HEIGHTS + DIGITS - 1 - digit]
        if higher != _0:
            stacks = higher
    return lowest(stacks)


@helper("int64(words, uint64, uint64, words, words, words, int64, indices, indices)")
def _stacks(
    position: Words,
    own: Word,
    enemy: Word,
    digits: Words,
    side: Words,
    other: Words,
    whose: int,
    row: Indices,
    table: Indices,
) -> int:
    """What one side's stacks count, for the mover; ``whose`` is 0 for the mover's, 1 for the enemy's."""
    red = position[RED]
    opened = open_sided(own | enemy | red)
    mobile, attacked = side[_MOBILE], other[_ONCE] | other[_TWICE]
    # The digits of the state. Heights above HIGHEST count as that.
    high = position[6] & (position[5] | (position[4] & position[3]))
    high |= ~low_stacks(position)
    h0, h1, h2, h3 = position[3] | high, position[4] | high, position[5] & ~high, position[6] | high
    z0, z1, z2 = digits[0], digits[1], digits[2]
    f0, f1 = (opened & ~mobile) | side[_FREE], mobile
    a0, a1 = other[_ONCE], other[_TWICE]
    guarded = side[_ONCE] | side[_TWICE]
    total, near = 0, 0
    waiting = own
    while waiting != _0:
        bit = scan(waiting)
        waiting ^= lowest(waiting)
        s = np.uint64(bit)
        state = (h3 >> s) & _1
        state = (state + state) | ((h2 >> s) & _1)
        state = (state + state) | ((h1 >> s) & _1)
        height = (state + state) | ((h0 >> s) & _1)
        state = (height + height) | ((z2 >> s) & _1)
        state = (state + state) | ((z1 >> s) & _1)
        state = (state + state) | ((z0 >> s) & _1)
        state = (state + state) | ((f1 >> s) & _1)
        state = (state + state) | ((f0 >> s) & _1)
        state = (state + state) | ((a1 >> s) & _1)
        state = (state + state) | ((a0 >> s) & _1)
        state = (state + state) | ((guarded >> s) & _1)
        total += table[np.int64(state)]
        around = around_field(bit)
        index = min(popcount(around & own), 3) * 4 + min(popcount(around & enemy), 3)
        index = 2 * index + min(popcount(around & red), 1)
        near += row[layout.AROUND + 3 * index + min(int64(height), 3) - 1]
    near += row[layout.SAFE + whose * COUNTED + min(popcount(mobile & ~attacked), COUNTED - 1)]
    targets, largest = own & attacked, 0
    if targets != _0:
        first = _highest(position, targets)
        largest = height_at(position, scan(first))
        targets ^= first
        if targets != _0:
            near += row[layout.SECOND + whose] * height_at(position, scan(_highest(position, targets)))
    near += row[layout.LARGEST + whose * COUNTED + min(largest, COUNTED - 1)]
    high &= own
    while high != _0:
        bit = scan(high)
        worth = row[STONES + zone_at(digits, bit)]
        if attacked & lowest(high) != _0:
            worth += row[layout.ATTACKED + whose]
        near += (height_at(position, bit) - HIGHEST) * worth
        high ^= lowest(high)
    return total + near if whose == 0 else total - near


@helper("int64(words, uint64, uint64, indices)")
def _steps(position: Words, own: Word, enemy: Word, row: Indices) -> int:
    """What the steps along stacks to a red count, and what lies beyond bridges."""
    red = position[RED]
    occupied = position[WHITE] | position[BLACK] | red
    reached, step, bridges, total = red, 0, 0, 0
    layer = beside(red) & occupied & ~red
    while layer != _0:
        mine, theirs = layer & own, layer & enemy
        more = popcount(mine) - popcount(theirs)
        total += row[layout.LAYERS + min(step, layout.STEPS - 1)] * more
        if bridges > 0:
            place = min(bridges, layout.BRIDGES) - 1
            stones = stones_in(position, mine) - stones_in(position, theirs)
            total += row[layout.BEYOND_STACKS + place] * more + row[layout.BEYOND_STONES + place] * stones
        if layer & (layer - _1) == _0:
            bridges += 1
        step += 1
        reached |= layer
        layer = beside(layer) & occupied & ~reached
    return total


@helper("int64(words, indices, indices)")
def sum_of_stacking(position: Words, row: Indices, table: Indices) -> int:
    """The sum, times the scale of the blend: from the weights and the tables for this number of stacks."""
    own, enemy, red = position[WHITE], position[BLACK], position[RED]
    if position[STATE] & _1 != _0:
        own, enemy = enemy, own
    zones, digits, mine = _zones(), _digits(), _sides()
    theirs = at(mine, _PLANES)
    find_zones(red, zones)
    write_digits(zones, digits)
    total: int = row[TO_MOVE] + _steps(position, own, enemy, row)
    hanging = hanging_stacks(own | enemy | red)
    if hanging != _0:
        for zone in range(1, ZONES):
            hung = hanging & zones[zone]
            total += row[HANGING + zone - 1] * (popcount(hung & own) - popcount(hung & enemy))
    total += _moves(position, own, enemy, digits, mine, row) - _moves(position, enemy, own, digits, theirs, row)
    total += _stacks(position, own, enemy, digits, mine, theirs, 0, row, table)
    total += _stacks(position, enemy, own, digits, theirs, mine, 1, row, at(table, STATES))
    most = MOBILES - 1
    pair = MOBILES * min(popcount(mine[_MOBILE]), most) + min(popcount(theirs[_MOBILE]), most)
    held = layout.HELD * popcount(red & own) + popcount(red & enemy)
    total += row[layout.REDS_HELD + held] + row[layout.RED_STACKS + popcount(red) - 1]
    return total + row[layout.MOBILE_PAIR + pair]


TABLES = FULL + 1  # numbers of stacks, from 0
TABLE_SIZE = 2 * STATES
