"""DVONN's evaluation: stacks, their situations and their moves; while stones are placed, where they lie.

A *zone* is how far a field is from the nearest stack that holds a red stone: 0 (it is one), 1, 2, 3, 4, or 5 and more.
Counts are the mover's less the enemy's. A look-up stands for one stack or for one number, and has weights of its own
for the mover and for the enemy where it matters who acts first. Either way the exchange of colours keeps what the mover
thinks. ``terms`` is the definition; a count that is zero is left out. The parts are in ``evaluation/``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Values, Words, at, driver, pointer, popcount, scratch
from evalsmith.games.contract import contract
from evalsmith.games.dvonn import layout
from evalsmith.games.dvonn.evaluation import fused, stacking
from evalsmith.games.dvonn.evaluation.placing import describe_placing, look_up_placed
from evalsmith.games.dvonn.evaluation.stacking import describe_stacking
from evalsmith.games.dvonn.evaluation.zones import find_zones, write_digits
from evalsmith.games.dvonn.handset import starting
from evalsmith.games.dvonn.layout import COLUMNS, FEATURES, FULL, MIDDLE, PLACED, PLACING_PHASE, SCALE, SIZE, ZONES
from evalsmith.games.dvonn.rules import BLACK, RED, STACKING, STATE, WHITE
from evalsmith.games.evaluation import Evaluation
from evalsmith.games.game import Position

_0 = np.uint64(0)
LOOKUPS = 2 * 46 + 16  # two for every stack that a side holds, and those for numbers
_counts = scratch("integers", SIZE)
_found = scratch("integers", 2 * LOOKUPS)  # look-ups: the index of a weight and 1 or −1
_zones = scratch("words", ZONES)


def _blend() -> tuple[tuple[int, int, int], ...]:
    stacking = ((3, 4, MIDDLE - n) if n <= MIDDLE else (2, 3, FULL - n) for n in range(1, FULL + 1))
    placing = ((0, 1, n) for n in range(SCALE + 1))
    return ((0, 1, SCALE // 2), *stacking, *placing)


_BLEND = _blend()


# ── The contract ────────────────────────────────────────────────────────────────────────────────


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """The counts that are not zero, and the look-ups, each weight once."""
    counts, found = _counts(), _found()
    for k in range(SIZE):
        counts[k] = 0
    if position[STATE] & STACKING == _0:
        count = describe_placing(position, counts, found)
    else:
        count = describe_stacking(position, counts, found)
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
    stacks = popcount(position[WHITE] | position[BLACK] | position[RED])
    total: int = SCALE // 2
    if position[STATE] & STACKING == _0:
        counts, found = _counts(), _found()
        row = at(weights, SIZE * (PLACING_PHASE + stacks // 2))
        count = describe_placing(position, counts, found)
        for k in range(PLACED, layout.PLACED_AROUND):
            total += counts[k] * row[k]
        for i in range(count):
            total += found[2 * i + 1] * row[found[2 * i]]
    else:
        table = at(weights, SIZE * len(_BLEND) + fused.TABLE_SIZE * stacks)
        total += fused.sum_of_stacking(position, at(weights, SIZE * stacks), table)
    return total // SCALE


def engine(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """What ``evaluate`` reads: one row of weights a phase, blended and times the scale, then the tables of stacking."""
    first, second, share = np.array(_BLEND).T
    share = share[:, None]
    rows = (SCALE - share) * weights[first].astype(np.int64) + share * weights[second]
    tables = fused.tables(rows[: FULL + 1])
    return np.concatenate([rows.reshape(-1), tables.reshape(-1)]).astype(np.int32)


# ── The declaration ─────────────────────────────────────────────────────────────────────────────


@driver("void(uint64[::1], int64, int64[::1])")
def _count_side(row: Words, side: int, counts: Integers) -> None:
    """The counts of one side alone."""
    position, out, found, zones, planes = pointer(row), pointer(counts), _found(), _zones(), stacking.planes_of()
    own, enemy, red = position[WHITE + side], position[BLACK - side], position[RED]
    find_zones(red, zones)
    if position[STATE] & STACKING == _0:
        count = look_up_placed(own, enemy, zones, 1, out, found, 0)
    else:
        write_digits(zones, planes)
        stacking.count_stacks(own | enemy | red, own, _0, zones, out)
        stacking.count_steps(position, own, _0, out)
        for k in range(3, 3 + 2 * stacking.PLANES):
            planes[k] = _0
        stacking.count_moves(position, own, enemy, zones, planes, at(planes, 3), 1, out)
        count = stacking.look_up(position, own, planes, 0, out, found, 0)
    for i in range(count):
        out[found[2 * i]] += found[2 * i + 1]


def amounts(position: Position, side: int) -> dict[int, int]:
    """What a side has of each count, where its terms have only the difference."""
    counts = np.zeros(SIZE, dtype=np.int64)
    _count_side(position, side, counts)
    return dict(enumerate(counts.tolist()))


def evaluation() -> Evaluation:
    """Features in the order of the weights; two columns to blend while placing, three by the number of stacks."""
    return Evaluation(
        features=FEATURES,
        columns=COLUMNS,
        blend=_BLEND,
        scale=SCALE,
        starting=starting,
        engine=engine,
        amounts=amounts,
    )
