"""DVONN's evaluation: stacks, their situations and their moves; while stones are placed, where they lie.

A *zone* is how far a field is from the nearest stack that holds a red stone: 0 (it is one), 1, 2, 3, 4, or 5 and more.
Counts are the mover's less the enemy's. A look-up stands for one stack or for one number, and has weights of its own
for the mover and for the enemy where it matters who acts first. Either way the exchange of colours keeps what the mover
thinks. ``terms`` is the definition; a count that is zero is left out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import (
    Indices,
    Integers,
    Values,
    Word,
    Words,
    at,
    driver,
    helper,
    int64,
    lowest,
    pointer,
    popcount,
    scan,
    scratch,
)
from evalsmith.games.contract import contract
from evalsmith.games.dvonn import board, layout
from evalsmith.games.dvonn.handset import starting
from evalsmith.games.dvonn.layout import (
    BY_HEIGHT,
    COLUMNS,
    COUNTED,
    COUNTS,
    FEATURES,
    FULL,
    HANGING,
    HIGHEST,
    MIDDLE,
    MOBILE,
    MOBILES,
    MOVES,
    ONTO_ENEMIES,
    ONTO_REDS,
    PLACED,
    PLACING_PHASE,
    SCALE,
    SIDE,
    SIDE_BESIDE_ENEMY,
    SIDE_BESIDE_OWN,
    SITUATION,
    SITUATIONS,
    SIZE,
    SPREAD,
    SPREAD_FROM,
    SPREADS,
    STACKS,
    STONES,
    TO_MOVE,
    ZONES,
)
from evalsmith.games.dvonn.rules import (
    BLACK,
    RED,
    REDS,
    STACKING,
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
from evalsmith.games.evaluation import Evaluation
from evalsmith.games.game import Position

_0, _1, _2 = np.uint64(0), np.uint64(1), np.uint64(2)
_BOARD = np.uint64(board.BOARD)
_CORNERS = np.uint64(board.fields_with(3))
_SIDES = np.uint64(board.fields_with(3) | board.fields_with(4))
_STEP, _ROW, _SLANT = np.uint64(1), np.uint64(board.WIDTH), np.uint64(board.WIDTH + 1)
_DISTANCES = board.bit_distances()
LOOKUPS = 2 * 46 + 16  # two for every stack that a side holds, and those for numbers
_counts = scratch("integers", SIZE)
_found = scratch("integers", 2 * LOOKUPS)  # look-ups: the index of a weight and 1 or −1
_zones = scratch("words", ZONES)
# Bitboards of one position: the binary digits of the zones, and for the mover and the enemy the stacks that one of
# theirs can move onto, that two or more can, and their own stacks with a move and with two or more.
_ONTO, _ONTO_TWICE, _MOBILE_STACKS, _FREE_STACKS, _PLANES = 0, 1, 2, 3, 4
_planes = scratch("words", 3 + 2 * _PLANES)


# ── Zones and connections ───────────────────────────────────────────────────────────────────────


@helper("void(uint64, words)", inline=True)
def _find_zones(red: Word, zones: Words) -> None:
    """The fields of each zone; without a red all lie in the last."""
    reached = red
    zones[0] = red
    for zone in range(1, ZONES - 1):
        grown = reached | (beside(reached) & _BOARD)
        zones[zone] = grown ^ reached
        reached = grown
    zones[ZONES - 1] = _BOARD & ~reached


@helper("uint64(uint64)", inline=True)
def _hanging(occupied: Word) -> Word:
    """The stacks with exactly one neighbour: they are lost when it goes."""
    one, more = occupied << _STEP, _0
    for side in (occupied >> _STEP, occupied << _ROW, occupied >> _ROW, occupied << _SLANT, occupied >> _SLANT):
        more |= one & side
        one |= side
    return occupied & one & ~more


@helper("void(words, uint64, uint64, integers)")
def _count_steps(position: Words, own: Word, enemy: Word, counts: Integers) -> None:
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


# ── Moves ───────────────────────────────────────────────────────────────────────────────────────


@helper("int64(words, int64)", inline=True)
def _zone_at(planes: Words, bit: int) -> int:
    """The zone of a field, from its digits."""
    shift = np.uint64(bit)
    zone = ((planes[0] >> shift) & _1) | (((planes[1] >> shift) & _1) << _1) | (((planes[2] >> shift) & _1) << _2)
    return int64(zone)


@helper("void(words, uint64, uint64, words, words, words, int64, integers)")
def _count_moves(
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
            zone, moves = _zone_at(planes, bit), popcount(reached)
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
    side[_ONTO_TWICE] = twice | fourfold | eightfold | beyond
    side[_ONTO] = once | side[_ONTO_TWICE]
    side[_MOBILE_STACKS], side[_FREE_STACKS] = mobile, free
    for zone in range(ZONES):
        counts[MOBILE + zone] += sign * popcount(mobile & zones[zone])
        targets = enemy & zones[zone]
        onto = popcount(once & targets) + 2 * popcount(twice & targets)
        onto += 4 * popcount(fourfold & targets) + 8 * popcount(eightfold & targets) + 16 * popcount(beyond & targets)
        counts[ONTO_ENEMIES + zone] += sign * onto


# ── Stacks ──────────────────────────────────────────────────────────────────────────────────────


@helper("void(uint64, uint64, uint64, words, integers)")
def _count_stacks(occupied: Word, own: Word, enemy: Word, zones: Words, counts: Integers) -> None:
    """Stacks, and what hangs on one connection."""
    hanging = _hanging(occupied)
    for zone in range(ZONES):
        mine, theirs = own & zones[zone], enemy & zones[zone]
        counts[STACKS + zone] = popcount(mine) - popcount(theirs)
        if zone > 0:
            counts[HANGING + zone - 1] = popcount(mine & hanging) - popcount(theirs & hanging)


@helper("int64(words, uint64, words, int64, integers, integers, int64)")
def _look_up(
    position: Words, own: Word, planes: Words, whose: int, counts: Integers, found: Integers, count: int
) -> int:
    """One side's stacks one by one (``whose`` is 0 for the mover, 1 for the enemy), and how many look-ups there are."""
    red = position[RED]
    both = position[WHITE] | position[BLACK]
    enemy = both ^ own
    enclosed = ~open_sided(both | red)
    side, other = at(planes, 3 + whose * _PLANES), at(planes, 3 + (1 - whose) * _PLANES)
    mobile, free, guarded = side[_MOBILE_STACKS], side[_FREE_STACKS], side[_ONTO]
    attacked, twice = other[_ONTO], other[_ONTO_TWICE]
    sign, base = 1 - 2 * whose, SITUATION + whose * SITUATIONS
    threatened, largest, second = 0, 0, 0
    waiting = own
    while waiting != _0:
        bit = scan(waiting)
        shift = np.uint64(bit)
        height, zone = height_at(position, bit), _zone_at(planes, bit)
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
def _describe_stacking(position: Words, counts: Integers, found: Integers) -> int:
    """Counts up to ``COUNTS``, and look-ups: pairs of an index and what it is multiplied by; how many there are."""
    own, enemy = position[WHITE], position[BLACK]
    if position[STATE] & _1 != _0:
        own, enemy = enemy, own
    red = position[RED]
    zones, planes = _zones(), _planes()
    _find_zones(red, zones)
    planes[0], planes[1] = zones[1] | zones[3] | zones[5], zones[2] | zones[3]
    planes[2] = zones[4] | zones[5]
    for k in range(COUNTS):
        counts[k] = 0
    counts[TO_MOVE] = 1
    _count_stacks(own | enemy | red, own, enemy, zones, counts)
    _count_steps(position, own, enemy, counts)
    mine, theirs = at(planes, 3), at(planes, 3 + _PLANES)
    _count_moves(position, own, enemy, zones, planes, mine, 1, counts)
    _count_moves(position, enemy, own, zones, planes, theirs, -1, counts)
    count = _look_up(position, own, planes, 0, counts, found, 0)
    count = _look_up(position, enemy, planes, 1, counts, found, count)
    most = MOBILES - 1
    held = layout.HELD * popcount(red & own) + popcount(red & enemy)
    pair = MOBILES * min(popcount(mine[_MOBILE_STACKS]), most) + min(popcount(theirs[_MOBILE_STACKS]), most)
    found[2 * count], found[2 * count + 1] = layout.REDS_HELD + held, 1
    found[2 * count + 2], found[2 * count + 3] = layout.RED_STACKS + popcount(red) - 1, 1
    found[2 * count + 4], found[2 * count + 5] = layout.MOBILE_PAIR + pair, 1
    return count + 3


# ── Placing ─────────────────────────────────────────────────────────────────────────────────────


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
def _look_up_placed(
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
def _describe_placing(position: Words, counts: Integers, found: Integers) -> int:
    """Counts from ``PLACED`` to ``PLACED_AROUND``, and look-ups, the spread of the reds among them."""
    own, enemy, red = position[WHITE], position[BLACK], position[RED]
    if position[STATE] & _1 != _0:
        own, enemy = enemy, own
    zones = _zones()
    _find_zones(red, zones)
    for k in range(PLACED, layout.PLACED_AROUND):
        counts[k] = 0
    count = _look_up_placed(own, enemy, zones, 1, counts, found, 0)
    count = _look_up_placed(enemy, own, zones, -1, counts, found, count)
    if popcount(red) == REDS:
        odd = popcount(own | enemy | red) & 1
        found[2 * count], found[2 * count + 1] = SPREAD + SPREADS * odd + _spread(red) - SPREAD_FROM, 1
        count += 1
    return count


# ── The contract ────────────────────────────────────────────────────────────────────────────────


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """The counts that are not zero, and the look-ups, each weight once."""
    counts, found = _counts(), _found()
    for k in range(SIZE):
        counts[k] = 0
    if position[STATE] & STACKING == _0:
        count = _describe_placing(position, counts, found)
    else:
        count = _describe_stacking(position, counts, found)
    for i in range(count):
        counts[found[2 * i]] += found[2 * i + 1]
    emitted = 0
    for k in range(SIZE):
        if counts[k] != 0:
            index[emitted] = np.int32(k)
            value[emitted] = np.int16(counts[k])
            emitted += 1
    return emitted


@contract
def phase(position: Words) -> int:
    """The number of stacks; while stones are placed ``PLACING_PHASE`` and half their number."""
    stacks = popcount(position[WHITE] | position[BLACK] | position[RED])
    if position[STATE] & STACKING == _0:
        return PLACING_PHASE + stacks // 2
    return stacks


@contract
def evaluate(position: Words, weights: Indices) -> int:
    """The sum of the terms, from weights that are blended beforehand."""
    counts, found = _counts(), _found()
    stacks = popcount(position[WHITE] | position[BLACK] | position[RED])
    total = SCALE // 2
    if position[STATE] & STACKING == _0:
        row = at(weights, SIZE * (PLACING_PHASE + stacks // 2))
        count = _describe_placing(position, counts, found)
        for k in range(PLACED, layout.PLACED_AROUND):
            total += counts[k] * row[k]
    else:
        row = at(weights, SIZE * stacks)
        count = _describe_stacking(position, counts, found)
        for k in range(COUNTS):
            total += counts[k] * row[k]
    for i in range(count):
        total += found[2 * i + 1] * row[found[2 * i]]
    return total // SCALE


def engine(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """One row of weights a phase, blended and times the scale: what ``evaluate`` reads."""
    first, second, share = np.array(_blend()).T
    share = share[:, None]
    rows = (SCALE - share) * weights[first].astype(np.int64) + share * weights[second]
    return np.ascontiguousarray(rows, dtype=np.int32).reshape(-1)


# ── The declaration ─────────────────────────────────────────────────────────────────────────────


@driver("void(uint64[::1], int64, int64[::1])")
def _count_side(row: Words, side: int, counts: Integers) -> None:
    """The counts of one side alone."""
    position, out, found, zones, planes = pointer(row), pointer(counts), _found(), _zones(), _planes()
    own, enemy, red = position[WHITE + side], position[BLACK - side], position[RED]
    _find_zones(red, zones)
    if position[STATE] & STACKING == _0:
        count = _look_up_placed(own, enemy, zones, 1, out, found, 0)
    else:
        planes[0], planes[1] = zones[1] | zones[3] | zones[5], zones[2] | zones[3]
        planes[2] = zones[4] | zones[5]
        _count_stacks(own | enemy | red, own, _0, zones, out)
        _count_steps(position, own, _0, out)
        for k in range(3, 3 + 2 * _PLANES):
            planes[k] = _0
        _count_moves(position, own, enemy, zones, planes, at(planes, 3), 1, out)
        count = _look_up(position, own, planes, 0, out, found, 0)
    for i in range(count):
        out[found[2 * i]] += found[2 * i + 1]


def amounts(position: Position, side: int) -> dict[int, int]:
    """What a side has of each count, where its terms have only the difference."""
    counts = np.zeros(SIZE, dtype=np.int64)
    _count_side(position, side, counts)
    return dict(enumerate(counts.tolist()))


def _blend() -> tuple[tuple[int, int, int], ...]:
    stacking = ((3, 4, MIDDLE - n) if n <= MIDDLE else (2, 3, FULL - n) for n in range(1, FULL + 1))
    placing = ((0, 1, n) for n in range(SCALE + 1))
    return ((0, 1, SCALE // 2), *stacking, *placing)


def evaluation() -> Evaluation:
    """Features in the order of the weights; two columns to blend while placing, three by the number of stacks."""
    return Evaluation(
        features=FEATURES,
        columns=COLUMNS,
        blend=_blend(),
        scale=SCALE,
        starting=starting,
        engine=engine,
        amounts=amounts,
    )
