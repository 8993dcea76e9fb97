"""What a position of the stacking phase has: counts of the mover less the enemy, and look-ups stack by stack.

This is the definition of the evaluation, for tuner and ``explain``; ``fused`` gives the same sum faster.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, at, helper, lowest, popcount, scan, scratch
from evalsmith.games.dvonn import layout
from evalsmith.games.dvonn.evaluation.zones import find_zones, hanging_stacks, write_digits, zone_at
from evalsmith.games.dvonn.layout import (
    BY_HEIGHT,
    COUNTED,
    COUNTS,
    HANGING,
    HIGHEST,
    MOBILE,
    MOBILES,
    MOVES,
    ONTO_ENEMIES,
    ONTO_REDS,
    SITUATION,
    SITUATIONS,
    STACKS,
    STONES,
    TO_MOVE,
    ZONES,
)
from evalsmith.games.dvonn.rules import (
    BLACK,
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
_zones = scratch("words", ZONES)
# Bitboards of one position: the binary digits of the zones, and for the mover and the enemy the stacks that one of
# theirs can move onto, that two or more can, and their own stacks with a move and with two or more.
ONTO, ONTO_TWICE, MOBILE_STACKS, FREE_STACKS, PLANES = 0, 1, 2, 3, 4
planes_of = scratch("words", 3 + 2 * PLANES)


@helper("void(words, uint64, uint64, integers)")
def count_steps(position: Words, own: Word, enemy: Word, counts: Integers) -> None:
    """Stacks by how many steps along stacks lead to a red, and what lies beyond a step with a single stack."""
    red = position[RED]
    occupied = position[WHITE] | position[BLACK] | red
    reached, step, bridges = red, 0, 0
    layer = beside(red) & occupied & ~red
    while layer != _0:
        mine, theirs = layer & own, layer & enemy
        more = popcount(mine) - popcount(theirs)
        counts[layout.LAYERS + min(step, layout.STEPS - 1)] += more
        if bridges > 0:
            place = min(bridges, layout.BRIDGES) - 1
            counts[layout.BEYOND_STACKS + place] += more
            counts[layout.BEYOND_STONES + place] += stones_in(position, mine) - stones_in(position, theirs)
        if layer & (layer - _1) == _0:
            bridges += 1
        step += 1
        reached |= layer
        layer = beside(layer) & occupied & ~reached


@helper("void(words, uint64, uint64, words, words, words, int64, integers)")
def count_moves(
    position: Words, own: Word, enemy: Word, zones: Words, planes: Words, side: Words, sign: int, counts: Integers
) -> None:
    """One side's mobile stacks and moves; which fields they can move onto, and how often, is left in ``side``."""
    red = position[RED]
    occupied = position[WHITE] | position[BLACK] | red
    movers = own & open_sided(occupied) & low_stacks(position)
    ones, twos, fours, eights = position[3], position[4], position[5], position[6]
    # How many can move onto each field, digit by digit: a field has 18 others on its lines at most.
    once, twice, fourfold, eightfold, beyond = _0, _0, _0, _0, _0
    mobile, free = _0, _0
    while movers != _0:
        bit = scan(movers)
        reached = reach_of(ones, twos, fours, eights, bit) & occupied
        source = lowest(movers)
        movers ^= source
        if reached != _0:
            zone, moves = zone_at(planes, bit), popcount(reached)
            mobile |= source
            if moves > 1:
                free |= source
            counts[MOVES + zone] += sign * moves
            counts[ONTO_REDS + zone] += sign * popcount(reached & red)
            carry = once & reached
            once ^= reached
            higher = twice & carry
            twice ^= carry
            carry = fourfold & higher
            fourfold ^= higher
            beyond |= eightfold & carry
            eightfold ^= carry
    side[ONTO_TWICE] = twice | fourfold | eightfold | beyond
    side[ONTO] = once | side[ONTO_TWICE]
    side[MOBILE_STACKS], side[FREE_STACKS] = mobile, free
    for zone in range(ZONES):
        counts[MOBILE + zone] += sign * popcount(mobile & zones[zone])
        targets = enemy & zones[zone]
        onto = popcount(once & targets) + 2 * popcount(twice & targets)
        onto += 4 * popcount(fourfold & targets) + 8 * popcount(eightfold & targets) + 16 * popcount(beyond & targets)
        counts[ONTO_ENEMIES + zone] += sign * onto


@helper("void(uint64, uint64, uint64, words, integers)")
def count_stacks(occupied: Word, own: Word, enemy: Word, zones: Words, counts: Integers) -> None:
    """Stacks, and what hangs on one connection."""
    hanging = hanging_stacks(occupied)
    for zone in range(ZONES):
        mine, theirs = own & zones[zone], enemy & zones[zone]
        counts[STACKS + zone] = popcount(mine) - popcount(theirs)
        if zone > 0:
            counts[HANGING + zone - 1] = popcount(mine & hanging) - popcount(theirs & hanging)


@helper("int64(words, uint64, words, int64, integers, integers, int64)")
def look_up(
    position: Words, own: Word, planes: Words, whose: int, counts: Integers, found: Integers, count: int
) -> int:
    """One side's stacks one by one (``whose`` is 0 for the mover, 1 for the enemy), and how many look-ups there are."""
    red = position[RED]
    both = position[WHITE] | position[BLACK]
    enemy = both ^ own
    enclosed = ~open_sided(both | red)
    side, other = at(planes, 3 + whose * PLANES), at(planes, 3 + (1 - whose) * PLANES)
    mobile, free, guarded = side[MOBILE_STACKS], side[FREE_STACKS], side[ONTO]
    attacked, twice = other[ONTO], other[ONTO_TWICE]
    sign, base = 1 - 2 * whose, SITUATION + whose * SITUATIONS
    threatened, largest, second = 0, 0, 0
    waiting = own
    while waiting != _0:
        bit = scan(waiting)
        shift = np.uint64(bit)
        height, zone = height_at(position, bit), zone_at(planes, bit)
        counts[STONES + zone] += sign * height
        counts[BY_HEIGHT + min(height, HIGHEST) - 1] += sign
        freedom: Word = np.int64((mobile >> shift) & _1) + np.int64((free >> shift) & _1)
        if (enclosed >> shift) & _1 == _0:
            freedom += 1
        attackers = np.int64((attacked >> shift) & _1) + np.int64((twice >> shift) & _1)
        if attackers > 0:
            threatened += height
            second = max(second, min(height, largest))
            largest = max(largest, height)
        index = ((min(height, 6) - 1) * 4 + min(zone, 3)) * 4 + freedom
        found[2 * count] = base + (index * 3 + attackers) * 2 + np.int64((guarded >> shift) & _1)
        around = around_field(bit)
        index = min(popcount(around & own), 3) * 4 + min(popcount(around & enemy), 3)
        index = 2 * index + min(popcount(around & red), 1)
        found[2 * count + 2] = layout.AROUND + 3 * index + min(height, 3) - 1
        found[2 * count + 1], found[2 * count + 3] = sign, sign
        count += 2
        waiting ^= lowest(waiting)
    safe = min(popcount(mobile & ~attacked), COUNTED - 1)
    found[2 * count], found[2 * count + 1] = layout.SAFE + whose * COUNTED + safe, sign
    found[2 * count + 2] = layout.LARGEST + whose * COUNTED + min(largest, COUNTED - 1)
    found[2 * count + 3] = sign
    found[2 * count + 4], found[2 * count + 5] = layout.ATTACKED + whose, sign * threatened
    found[2 * count + 6], found[2 * count + 7] = layout.SECOND + whose, sign * second
    return count + 4


@helper("int64(words, integers, integers)")
def describe_stacking(position: Words, counts: Integers, found: Integers) -> int:
    """Counts up to ``COUNTS``, and look-ups: pairs of an index and what it is multiplied by; how many there are."""
    own, enemy = position[WHITE], position[BLACK]
    if position[STATE] & _1 != _0:
        own, enemy = enemy, own
    red = position[RED]
    zones, planes = _zones(), planes_of()
    find_zones(red, zones)
    write_digits(zones, planes)
    for k in range(COUNTS):
        counts[k] = 0
    counts[TO_MOVE] = 1
    count_stacks(own | enemy | red, own, enemy, zones, counts)
    count_steps(position, own, enemy, counts)
    mine, theirs = at(planes, 3), at(planes, 3 + PLANES)
    count_moves(position, own, enemy, zones, planes, mine, 1, counts)
    count_moves(position, enemy, own, zones, planes, theirs, -1, counts)
    count = look_up(position, own, planes, 0, counts, found, 0)
    count = look_up(position, enemy, planes, 1, counts, found, count)
    most = MOBILES - 1
    held = layout.HELD * popcount(red & own) + popcount(red & enemy)
    pair = MOBILES * min(popcount(mine[MOBILE_STACKS]), most) + min(popcount(theirs[MOBILE_STACKS]), most)
    found[2 * count], found[2 * count + 1] = layout.REDS_HELD + held, 1
    found[2 * count + 2], found[2 * count + 3] = layout.RED_STACKS + popcount(red) - 1, 1
    found[2 * count + 4], found[2 * count + 5] = layout.MOBILE_PAIR + pair, 1
    return count + 3
