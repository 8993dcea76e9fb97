"""Othello's evaluation: patterns, mobility, potential mobility and parity, one column a number of empties.

The terms and the order of the features are those of the classic pattern programs: 143,947 weights a
column. ``terms`` is the definition; ``evaluate`` is the same sum, read from weights that are spread out
by instance, so that it needs no orids.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Small, Values, Word, Words, at, helper, int64, popcount, scratch, table
from evalsmith.games.contract import contract
from evalsmith.games.evaluation import Evaluation
from evalsmith.games.othello import patterns
from evalsmith.games.othello.handset import starting
from evalsmith.games.othello.layout import (
    COLUMNS,
    COUNT,
    COUNTS,
    ENEMY_MOBILITY,
    ENEMY_POTENTIAL,
    FEATURES,
    MOBILITY,
    ORIDS,
    PARITY,
    POTENTIAL,
    SIZE,
    STARTS,
)
from evalsmith.games.othello.patterns import PATTERNS, PLACES
from evalsmith.games.othello.rules import mobility

# Places are padded to a multiple of the vector width, so that the sums below become vector sums.
_WIDTH = 64
_PLACES = len(PLACES)

_spread = [pattern.instances for pattern in PATTERNS] + [COUNT] * 4 + [2]
_spread_starts = np.concatenate([[0], np.cumsum(_spread)]).astype(np.int64)

_SPREAD = int(_spread_starts[-1])
ENGINE_SIZE = COLUMNS * _SPREAD
_SPREAD_COUNTS = int(_spread_starts[len(PATTERNS)])

# Where each place's orids begin in the table below, and where its weights begin in both forms.
_ORID_START = np.array([_spread_starts[number] for number, _ in PLACES], dtype=np.int64)
_WEIGHT_START = np.array([STARTS[number] for number, _ in PLACES], dtype=np.int64)

_contributions = table("othello.contributions", patterns.contributions([place for _, place in PLACES], _WIDTH))
_orid_table = table("othello.orids", np.concatenate(ORIDS).astype(np.uint16))
_instances = scratch("small", _WIDTH)

_0, _8, _BYTE = np.uint64(0), np.uint64(8), np.uint64(255)
_1, _7, _9 = np.uint64(1), np.uint64(7), np.uint64(9)
_INNER_FILES = np.uint64(0x7E7E7E7E7E7E7E7E)
_INNER_RANKS = np.uint64(0x00FFFFFFFFFFFF00)
_INNER = _INNER_FILES & _INNER_RANKS
_NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)


@helper("void(uint64, uint64, small)", inline=True)
def _gather(mover: Word, enemy: Word, instances: Small) -> None:
    """The instance at every place."""
    rows = _contributions()
    for k in range(_WIDTH):
        instances[k] = np.uint16(0)
    for rank in range(8):
        own = at(rows, (rank * 256 + int64(mover & _BYTE)) * _WIDTH)
        other = at(rows, (rank * 256 + int64(enemy & _BYTE)) * _WIDTH)
        mover >>= _8
        enemy >>= _8
        for k in range(_WIDTH):
            instances[k] = np.uint16(instances[k] + own[k] + other[k] + other[k])


@helper("int64(uint64, uint64)", inline=True)
def _potential(discs: Word, empty: Word) -> int:
    """The discs beside an empty square, along a line at whose end they do not lie."""
    beside = _INNER_FILES & (((empty << _1) & _NOT_A) | ((empty >> _1) & _NOT_H))
    beside |= _INNER_RANKS & ((empty << _8) | (empty >> _8))
    beside |= _INNER & ((empty << _9) | (empty >> _9) | (empty << _7) | (empty >> _7))
    return popcount(discs & beside)


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """One entry a place, then the four counts and the parity."""
    mover, enemy = position[0], position[1]
    instances = _instances()
    _gather(mover, enemy, instances)
    orids = _orid_table()
    for k in range(_PLACES):
        index[k] = np.int32(_WEIGHT_START[k] + int64(orids[_ORID_START[k] + int64(instances[k])]))
        value[k] = np.int16(1)
    empty = ~(mover | enemy)
    index[_PLACES] = np.int32(MOBILITY + popcount(mobility(mover, enemy)))
    index[_PLACES + 1] = np.int32(ENEMY_MOBILITY + popcount(mobility(enemy, mover)))
    index[_PLACES + 2] = np.int32(POTENTIAL + _potential(mover, empty))
    index[_PLACES + 3] = np.int32(ENEMY_POTENTIAL + _potential(enemy, empty))
    index[_PLACES + 4] = np.int32(PARITY + (popcount(empty) & 1))
    for k in range(_PLACES, _PLACES + 5):
        value[k] = np.int16(1)
    return _PLACES + 5


@contract
def phase(position: Words) -> int:
    """The number of empty squares; a board without discs counts as 63."""
    empties = 64 - popcount(position[0] | position[1])
    return min(empties, COLUMNS - 1)


@contract
def evaluate(position: Words, weights: Indices) -> int:
    """The sum of the terms, from weights by instance."""
    mover, enemy = position[0], position[1]
    instances = _instances()
    _gather(mover, enemy, instances)
    empty = ~(mover | enemy)
    empties = popcount(empty)
    column = at(weights, min(empties, COLUMNS - 1) * _SPREAD)
    total = 0
    for k in range(_PLACES):
        total += column[_ORID_START[k] + int64(instances[k])]
    counts = at(column, _SPREAD_COUNTS)
    total += counts[popcount(mobility(mover, enemy))]
    total += counts[COUNT + popcount(mobility(enemy, mover))]
    total += counts[2 * COUNT + _potential(mover, empty)]
    total += counts[3 * COUNT + _potential(enemy, empty)]
    return total + counts[4 * COUNT + (empties & 1)]


def engine(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Weights by orid, spread out by instance: what ``evaluate`` reads."""
    spread = np.concatenate([start + orids for start, orids in zip(STARTS, ORIDS, strict=False)])
    places = np.concatenate([spread, np.arange(MOBILITY, SIZE)])
    return np.ascontiguousarray(weights[:, places]).reshape(-1)


# ── The declaration ─────────────────────────────────────────────────────────────────────────────


def _place_name(squares: tuple[int, ...]) -> str:
    names = [f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in squares]
    return f"{names[0]}…{names[-1]}"


def evaluation() -> Evaluation:
    """Features in the order in which the terms first use them; a column of weights a number of empties."""
    names = [(f"{PATTERNS[number].name} {_place_name(squares)}", PATTERNS[number].name) for number, squares in PLACES]
    names += [(name, name) for name in (*COUNTS, "parity")]
    return Evaluation(
        features=FEATURES,
        columns=tuple(f"{empties} empties" for empties in range(COLUMNS)),
        blend=tuple((empties, empties, 0) for empties in range(COLUMNS)),
        scale=1,
        starting=starting,
        terms=tuple(names),
        engine=engine,
    )
