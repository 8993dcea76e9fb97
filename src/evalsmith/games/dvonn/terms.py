"""DVONN's evaluation: stacks and their moves by closeness to the reds; while stones are placed, where they lie.

A *zone* is how far a field is from the nearest stack that holds a red stone: 0 (it is one), 1, 2, 3, 4, or 5 and more.
Nearly every value is the mover's count less the enemy's, so the exchange of colours keeps what the mover thinks.
``terms`` is the definition; a count that is zero is left out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Values, Word, Words, at, helper, lowest, popcount, scan, scratch
from evalsmith.games.contract import contract
from evalsmith.games.dvonn import board
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
from evalsmith.games.game import Evaluation, Feature

ZONES = 6
HIGHEST = board.FARTHEST + 1  # stacks that cannot move any more count as one height
SPREAD_FROM, SPREAD_TO = 3, 24  # the least and the greatest sum of the three distances between the reds

# The first weight of each feature.
_TO_MOVE = 0
_STACKS = 1
_STONES = _STACKS + ZONES
_MOBILE = _STONES + ZONES
_MOVES = _MOBILE + ZONES
_ONTO_REDS = _MOVES + ZONES
_ONTO_ENEMIES = _ONTO_REDS + ZONES
_HEIGHTS = _ONTO_ENEMIES + ZONES
_HANGING = _HEIGHTS + HIGHEST
_PLACED = _HANGING + ZONES - 1
_SIDE = _PLACED + ZONES - 1
_CORNER = _SIDE + ZONES - 1
_SIDE_BESIDE_ENEMY = _CORNER + 1
_SIDE_BESIDE_OWN = _SIDE_BESIDE_ENEMY + 1
_SPREAD = _SIDE_BESIDE_OWN + 1
SPREADS = SPREAD_TO - SPREAD_FROM + 1
SIZE = _SPREAD + 2 * SPREADS

# Between 49 and 25 stacks, and between 25 and 1, the weights change evenly.
COLUMNS = ("placing", "49 stacks", "25 stacks", "1 stack")
FULL, MIDDLE = 49, 25
_SCALE = 24

_0, _1, _8, _BYTE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(255)
_BOARD = np.uint64(board.BOARD)
_CORNERS = np.uint64(board.fields_with(3))
_SIDES = np.uint64(board.fields_with(3) | board.fields_with(4))
_STEP, _ROW, _SLANT = np.uint64(1), np.uint64(board.WIDTH), np.uint64(board.WIDTH + 1)
_DISTANCES = board.bit_distances()
_counts = scratch("integers", _SPREAD)
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
        counts[_MOBILE + zone] += sign * mobile
        counts[_MOVES + zone] += sign * moves
        counts[_ONTO_REDS + zone] += sign * onto_reds
    for zone in range(ZONES):
        counts[_ONTO_ENEMIES + zone] += sign * np.int64(captures & _BYTE)
        captures >>= _8


@helper("void(words, uint64, uint64, words, integers)")
def _count_stacks(position: Words, own: Word, enemy: Word, zones: Words, counts: Integers) -> None:
    """Stacks, stones, heights, and what hangs on one connection."""
    hanging = _hanging(own | enemy | position[RED])
    for zone in range(ZONES):
        mine, theirs = own & zones[zone], enemy & zones[zone]
        if mine | theirs == _0:
            continue
        counts[_STACKS + zone] = popcount(mine) - popcount(theirs)
        counts[_STONES + zone] = stones_in(position, mine) - stones_in(position, theirs)
        if zone > 0:
            counts[_HANGING + zone - 1] = popcount(mine & hanging) - popcount(theirs & hanging)
    left = own | enemy
    low = low_stacks(position)
    for height in range(1, HIGHEST):
        level = left & low
        for digit in range(4):
            bits = position[HEIGHTS + digit]
            if (height >> digit) & 1 == 0:
                bits = ~bits
            level &= bits
        counts[_HEIGHTS + height - 1] = popcount(own & level) - popcount(enemy & level)
        left &= ~level
        if left == _0:
            return
    counts[_HEIGHTS + HIGHEST - 1] = popcount(own & left) - popcount(enemy & left)


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
        counts[_PLACED + zone - 1] = popcount(mine) - popcount(theirs)
        counts[_SIDE + zone - 1] = popcount(mine & _SIDES) - popcount(theirs & _SIDES)
    counts[_CORNER] = popcount(own & _CORNERS) - popcount(enemy & _CORNERS)
    counts[_SIDE_BESIDE_ENEMY] = _pairs(own & _SIDES, enemy) - _pairs(enemy & _SIDES, own)
    counts[_SIDE_BESIDE_OWN] = _pairs(own & _SIDES, own) - _pairs(enemy & _SIDES, enemy)


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
    """All counts of the phase, from ``_TO_MOVE`` on when stacking and from ``_PLACED`` on when placing."""
    own, enemy = position[WHITE], position[BLACK]
    if position[STATE] & _1 != _0:
        own, enemy = enemy, own
    zones = _zones()
    _find_zones(position[RED], zones)
    if position[STATE] & STACKING == _0:
        _count_placed(own, enemy, zones, counts)
        return
    for k in range(_PLACED):
        counts[k] = 0
    counts[_TO_MOVE] = 1
    _count_stacks(position, own, enemy, zones, counts)
    _count_moves(position, own, enemy, zones, 1, counts)
    _count_moves(position, enemy, own, zones, -1, counts)


@helper("int64(words)", inline=True)
def _spread_index(position: Words) -> int:
    """The weight for the spread of the reds while stones are placed; −1 before all three lie."""
    red = position[RED]
    if popcount(red) < REDS:
        return -1
    odd = popcount(position[WHITE] | position[BLACK] | red) & 1
    return _SPREAD + SPREADS * odd + _spread(red) - SPREAD_FROM


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """The counts that are not zero, and while stones are placed the spread of the reds."""
    counts = _counts()
    _count(position, counts)
    found, first, last = 0, 0, _PLACED
    if position[STATE] & STACKING == _0:
        first, last = _PLACED, _SPREAD
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
    total = _SCALE // 2
    if position[STATE] & STACKING == _0:
        for k in range(_PLACED, _SPREAD):
            total += counts[k] * weights[k]
        spread = _spread_index(position)
        if spread >= 0:
            total += weights[spread]
        return total // _SCALE
    row = at(weights, SIZE * popcount(position[WHITE] | position[BLACK] | position[RED]))
    for k in range(_PLACED):
        total += counts[k] * row[k]
    return total // _SCALE


def engine(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """One row of weights a phase, blended and times the scale: what ``evaluate`` reads."""
    first, second, share = np.array(_blend()).T
    share = share[:, None]
    rows = (_SCALE - share) * weights[first].astype(np.int64) + share * weights[second]
    return np.ascontiguousarray(rows, dtype=np.int32).reshape(-1)


# ── Hand-set weights ────────────────────────────────────────────────────────────────────────────

# Centistones in the columns of the stacking phase, one a zone: close to the reds is safe.
_BY_ZONE = {
    _STACKS: ([60, 40, 30, 20, 10, 0], [60, 30, 20, 10, 0, 0], [0, 0, 0, 0, 0, 0]),
    _STONES: ([30, 25, 20, 15, 10, 5], [70, 60, 50, 40, 30, 20], [100, 95, 90, 85, 80, 75]),
    _MOBILE: ([40, 35, 30, 25, 20, 15], [60, 50, 40, 30, 25, 20], [30, 30, 30, 30, 30, 30]),
    _MOVES: ([6, 5, 4, 4, 3, 3], [12, 10, 8, 6, 6, 6], [10, 10, 10, 10, 10, 10]),
    _ONTO_REDS: ([10, 10, 10, 10, 10, 10], [15, 15, 15, 15, 15, 15], [10, 10, 10, 10, 10, 10]),
    _ONTO_ENEMIES: ([12, 10, 8, 6, 4, 4], [25, 20, 15, 10, 8, 8], [30, 25, 20, 20, 20, 20]),
}
_TO_MOVE_WORTH = (50, 80, 50)
_HANGING_WORTH = (-5, -15, -5)
# A stack loses its freedom as it grows; the stones in it are counted above.
_HEIGHT_WORTH = [0, 5, 5, 0, -5, -10, -15, -20, -25, -30, -30]

_PLACED_WORTH = [45, 30, 20, 10, 0]
_SIDE_WORTH = [10, 7, 5, 5, 5]
_BESIDE_ENEMY_WORTH, _BESIDE_OWN_WORTH = -2, 2


def starting() -> npt.NDArray[np.int32]:
    """Hand-set weights: freedom and closeness to the reds early, stones late."""
    weights = np.zeros((len(COLUMNS), SIZE), dtype=np.int32)
    weights[0, _PLACED : _PLACED + ZONES - 1] = _PLACED_WORTH
    weights[0, _SIDE : _SIDE + ZONES - 1] = _SIDE_WORTH
    weights[0, _SIDE_BESIDE_ENEMY] = _BESIDE_ENEMY_WORTH
    weights[0, _SIDE_BESIDE_OWN] = _BESIDE_OWN_WORTH
    for number in range(3):
        column = weights[number + 1]
        for first, worth in _BY_ZONE.items():
            column[first : first + ZONES] = worth[number]
        column[_TO_MOVE] = _TO_MOVE_WORTH[number]
        column[_HANGING : _HANGING + ZONES - 1] = _HANGING_WORTH[number]
        column[_HEIGHTS : _HEIGHTS + HIGHEST] = _HEIGHT_WORTH
    return weights


# ── The declaration ─────────────────────────────────────────────────────────────────────────────


def _zone_name(zone: int) -> str:
    if zone == 0:
        return "holding a red"
    return f"{zone} from a red" if zone < ZONES - 1 else f"{zone} or more from a red"


def _outer_zone_name(index: int) -> str:
    return _zone_name(index + 1)


def _source_name(zone: int) -> str:
    return f"by a stack {_zone_name(zone)}"


def _target_name(zone: int) -> str:
    return f"onto a stack {_zone_name(zone)}"


def _height_name(index: int) -> str:
    return f"height {index + 1}" if index + 1 < HIGHEST else f"height {HIGHEST} or more"


def _spread_name(index: int) -> str:
    return f"distances sum to {index + SPREAD_FROM}"


def _blend() -> tuple[tuple[int, int, int], ...]:
    stacking = range(1, FULL + 1)
    return ((0, 0, 0), *((2, 3, MIDDLE - n) if n <= MIDDLE else (1, 2, FULL - n) for n in stacking))


def evaluation() -> Evaluation:
    """Features in the order of the weights; one column for placing, three to blend by the number of stacks."""
    features = (
        Feature("to move", 1, describe=lambda _: "to move with a stack"),
        Feature("stacks", ZONES, describe=_zone_name),
        Feature("stones", ZONES, describe=_zone_name),
        Feature("mobile stacks", ZONES, describe=_zone_name),
        Feature("moves", ZONES, describe=_source_name),
        Feature("moves onto reds", ZONES, describe=_source_name),
        Feature("moves onto enemies", ZONES, describe=_target_name),
        Feature("heights", HIGHEST, ordered=True, describe=_height_name),
        Feature("hanging on one connection", ZONES - 1, describe=_outer_zone_name),
        Feature("placed stones", ZONES - 1, describe=_outer_zone_name),
        Feature("placed side stones", ZONES - 1, describe=_outer_zone_name),
        Feature("placed corner stones", 1, describe=lambda _: "in a corner"),
        Feature("side stones beside enemies", 1, describe=lambda _: "each enemy stone beside one"),
        Feature("side stones beside own", 1, describe=lambda _: "each own stone beside one"),
        Feature("spread of the reds, even ply", SPREADS, ordered=True, describe=_spread_name),
        Feature("spread of the reds, odd ply", SPREADS, ordered=True, describe=_spread_name),
    )
    return Evaluation(
        features=features,
        columns=COLUMNS,
        blend=_blend(),
        scale=_SCALE,
        starting=starting,
        engine=engine,
    )
