"""DVONN's evaluation: stacks and their moves by closeness to the reds; while stones are placed, where they lie.

A *zone* is how far a field is from the nearest stack that holds a red stone: 0 (it is one), 1, 2, 3, 4, or 5 and more.
Nearly every value is the mover's count less the enemy's, so the exchange of colours keeps what the mover thinks.
``terms`` is the definition; a count that is zero is left out.
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
    lowest,
    pointer,
    popcount,
    scan,
    scratch,
)
from evalsmith.games.contract import contract
from evalsmith.games.dvonn import board
from evalsmith.games.dvonn.handset import starting
from evalsmith.games.dvonn.layout import (
    BY_HEIGHT,
    COLUMNS,
    CORNER,
    FEATURES,
    FULL,
    HANGING,
    HIGHEST,
    MIDDLE,
    MOBILE,
    MOVES,
    ONTO_ENEMIES,
    ONTO_REDS,
    PLACED,
    SCALE,
    SIDE,
    SIDE_BESIDE_ENEMY,
    SIDE_BESIDE_OWN,
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
    HEIGHTS,
    RED,
    REDS,
    STACKING,
    STATE,
    WHITE,
    beside,
    low_stacks,
    open_sided,
    reach_of,
    stones_in,
)
from evalsmith.games.evaluation import Evaluation
from evalsmith.games.game import Position

_0, _1, _8, _BYTE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(255)
_BOARD = np.uint64(board.BOARD)
_CORNERS = np.uint64(board.fields_with(3))
_SIDES = np.uint64(board.fields_with(3) | board.fields_with(4))
_STEP, _ROW, _SLANT = np.uint64(1), np.uint64(board.WIDTH), np.uint64(board.WIDTH + 1)
_DISTANCES = board.bit_distances()
_counts = scratch("integers", SPREAD)
_zones = scratch("words", ZONES)


# ── The kernels ─────────────────────────────────────────────────────────────────────────────────


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


@helper("uint64(uint64, words)", inline=True)
def _by_zone(fields: Word, zones: Words) -> Word:
    """How many of the fields lie in each zone, 8 bits a zone."""
    packed = np.uint64(popcount(fields & zones[0]))
    for zone in range(1, ZONES):
        packed |= np.uint64(popcount(fields & zones[zone])) << np.uint64(8 * zone)
    return packed


@helper("void(words, uint64, uint64, words, int64, integers)")
def _count_moves(position: Words, own: Word, enemy: Word, zones: Words, sign: int, counts: Integers) -> None:
    """One side's mobile stacks and moves."""
    red = position[RED]
    occupied = own | enemy | red
    movers = own & open_sided(occupied) & low_stacks(position)
    ones, twos, fours, eights = position[3], position[4], position[5], position[6]
    captures = _0  # at most 138, so 8 bits a zone hold them
    for zone in range(ZONES):
        waiting = movers & zones[zone]
        mobile, moves, onto_reds = 0, 0, 0
        while waiting != _0:
            reached = reach_of(ones, twos, fours, eights, scan(waiting)) & occupied
            waiting ^= lowest(waiting)
            if reached != _0:
                mobile += 1
                moves += popcount(reached)
                onto_reds += popcount(reached & red)
                captures += _by_zone(reached & enemy, zones)
        counts[MOBILE + zone] += sign * mobile
        counts[MOVES + zone] += sign * moves
        counts[ONTO_REDS + zone] += sign * onto_reds
    for zone in range(ZONES):
        counts[ONTO_ENEMIES + zone] += sign * np.int64(captures & _BYTE)
        captures >>= _8


@helper("void(words, uint64, uint64, words, integers)")
def _count_stacks(position: Words, own: Word, enemy: Word, zones: Words, counts: Integers) -> None:
    """Stacks, stones, heights, and what hangs on one connection; ``enemy`` is empty where one side is counted alone."""
    hanging = _hanging(position[WHITE] | position[BLACK] | position[RED])
    for zone in range(ZONES):
        mine, theirs = own & zones[zone], enemy & zones[zone]
        if mine | theirs == _0:
            continue
        counts[STACKS + zone] = popcount(mine) - popcount(theirs)
        counts[STONES + zone] = stones_in(position, mine) - stones_in(position, theirs)
        if zone > 0:
            counts[HANGING + zone - 1] = popcount(mine & hanging) - popcount(theirs & hanging)
    left = own | enemy
    low = low_stacks(position)
    for height in range(1, HIGHEST):
        level = left & low
        for digit in range(4):
            bits = position[HEIGHTS + digit]
            if (height >> digit) & 1 == 0:
                bits = ~bits
            level &= bits
        counts[BY_HEIGHT + height - 1] = popcount(own & level) - popcount(enemy & level)
        left &= ~level
        if left == _0:
            return
    counts[BY_HEIGHT + HIGHEST - 1] = popcount(own & left) - popcount(enemy & left)


@helper("int64(uint64, uint64)", inline=True)
def _pairs(first: Word, second: Word) -> int:
    """How often one of the first is beside one of the second."""
    total = popcount((first << _STEP) & second) + popcount((first >> _STEP) & second)
    total += popcount((first << _ROW) & second) + popcount((first >> _ROW) & second)
    return total + popcount((first << _SLANT) & second) + popcount((first >> _SLANT) & second)


@helper("void(uint64, uint64, words, integers)")
def _count_placed(own: Word, enemy: Word, zones: Words, counts: Integers) -> None:
    """Where the placed stones lie."""
    for zone in range(1, ZONES):
        mine, theirs = own & zones[zone], enemy & zones[zone]
        counts[PLACED + zone - 1] = popcount(mine) - popcount(theirs)
        counts[SIDE + zone - 1] = popcount(mine & _SIDES) - popcount(theirs & _SIDES)
    counts[CORNER] = popcount(own & _CORNERS) - popcount(enemy & _CORNERS)
    counts[SIDE_BESIDE_ENEMY] = _pairs(own & _SIDES, enemy) - _pairs(enemy & _SIDES, own)
    counts[SIDE_BESIDE_OWN] = _pairs(own & _SIDES, own) - _pairs(enemy & _SIDES, enemy)


@helper("int64(uint64)", inline=True)
def _spread(red: Word) -> int:
    """The sum of the distances between three reds."""
    first = scan(red)
    red ^= lowest(red)
    second = scan(red)
    third = scan(red ^ lowest(red))
    return _DISTANCES[64 * first + second] + _DISTANCES[64 * first + third] + _DISTANCES[64 * second + third]


@helper("void(words, integers)")
def _count(position: Words, counts: Integers) -> None:
    """All counts of the phase, from ``TO_MOVE`` on when stacking and from ``PLACED`` on when placing."""
    own, enemy = position[WHITE], position[BLACK]
    if position[STATE] & _1 != _0:
        own, enemy = enemy, own
    zones = _zones()
    _find_zones(position[RED], zones)
    if position[STATE] & STACKING == _0:
        _count_placed(own, enemy, zones, counts)
        return
    for k in range(PLACED):
        counts[k] = 0
    counts[TO_MOVE] = 1
    _count_stacks(position, own, enemy, zones, counts)
    _count_moves(position, own, enemy, zones, 1, counts)
    _count_moves(position, enemy, own, zones, -1, counts)


@driver("void(uint64[::1], int64, int64[::1])")
def _count_side(row: Words, side: int, counts: Integers) -> None:
    """The counts of one side alone."""
    position, out, zones = pointer(row), pointer(counts), _zones()
    own, enemy = position[WHITE + side], position[BLACK - side]
    _find_zones(position[RED], zones)
    if position[STATE] & STACKING == _0:
        _count_placed(own, _0, zones, out)
        out[SIDE_BESIDE_ENEMY] = _pairs(own & _SIDES, enemy)
        return
    _count_stacks(position, own, _0, zones, out)
    _count_moves(position, own, enemy, zones, 1, out)


def amounts(position: Position, side: int) -> dict[int, int]:
    """What a side has of each count, where its terms have only the difference."""
    counts = np.zeros(SPREAD, dtype=np.int64)
    _count_side(position, side, counts)
    return dict(enumerate(counts.tolist()))


@helper("int64(words)", inline=True)
def _spread_index(position: Words) -> int:
    """The weight for the spread of the reds while stones are placed; −1 before all three lie."""
    red = position[RED]
    if popcount(red) < REDS:
        return -1
    odd = popcount(position[WHITE] | position[BLACK] | red) & 1
    return SPREAD + SPREADS * odd + _spread(red) - SPREAD_FROM


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """The counts that are not zero, and while stones are placed the spread of the reds."""
    counts = _counts()
    _count(position, counts)
    found, first, last = 0, 0, PLACED
    if position[STATE] & STACKING == _0:
        first, last = PLACED, SPREAD
        spread = _spread_index(position)
        if spread >= 0:
            index[0] = np.int32(spread)
            value[0] = np.int16(1)
            found = 1
    for k in range(first, last):
        if counts[k] != 0:
            index[found] = np.int32(k)
            value[found] = np.int16(counts[k])
            found += 1
    return found


@contract
def phase(position: Words) -> int:
    """0 while stones are placed, then the number of stacks."""
    if position[STATE] & STACKING == _0:
        return 0
    return popcount(position[WHITE] | position[BLACK] | position[RED])


@contract
def evaluate(position: Words, weights: Indices) -> int:
    """The sum of the terms, from weights that are blended beforehand."""
    counts = _counts()
    _count(position, counts)
    total = SCALE // 2
    if position[STATE] & STACKING == _0:
        for k in range(PLACED, SPREAD):
            total += counts[k] * weights[k]
        spread = _spread_index(position)
        if spread >= 0:
            total += weights[spread]
        return total // SCALE
    row = at(weights, SIZE * popcount(position[WHITE] | position[BLACK] | position[RED]))
    for k in range(PLACED):
        total += counts[k] * row[k]
    return total // SCALE


def engine(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """One row of weights a phase, blended and times the scale: what ``evaluate`` reads."""
    first, second, share = np.array(_blend()).T
    share = share[:, None]
    rows = (SCALE - share) * weights[first].astype(np.int64) + share * weights[second]
    return np.ascontiguousarray(rows, dtype=np.int32).reshape(-1)


# ── The declaration ─────────────────────────────────────────────────────────────────────────────


def _blend() -> tuple[tuple[int, int, int], ...]:
    stacking = range(1, FULL + 1)
    return ((0, 0, 0), *((2, 3, MIDDLE - n) if n <= MIDDLE else (1, 2, FULL - n) for n in stacking))


def evaluation() -> Evaluation:
    """Features in the order of the weights; one column for placing, three to blend by the number of stacks."""
    return Evaluation(
        features=FEATURES,
        columns=COLUMNS,
        blend=_blend(),
        scale=SCALE,
        starting=starting,
        engine=engine,
        amounts=amounts,
    )
