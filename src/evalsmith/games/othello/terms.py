"""Othello's evaluation: patterns, mobility, potential mobility and parity, one column a number of empties.

The terms and the order of the features are those of the classic pattern programs: 143,947 weights a
column. ``terms`` is the definition; ``evaluate`` is the same sum, read from weights that are spread out
by instance, so that it needs no orids.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Values, Word, Words, at, helper, int64, popcount, scratch, table
from evalsmith.games.contract import contract
from evalsmith.games.evaluation import Evaluation
from evalsmith.games.othello import patterns, sums
from evalsmith.games.othello.handset import starting
from evalsmith.games.othello.layout import COUNT, FEATURES, MOBILITY, ORIDS, SIZE, STARTS
from evalsmith.games.othello.patterns import PATTERNS, PLACES
from evalsmith.games.othello.sums import COLUMNS, phase

__all__ = ["ENGINE_SIZE", "engine", "evaluate", "evaluation", "phase", "terms"]

_PLACES = len(PLACES)

_spread_starts = np.concatenate([[0], np.cumsum([pattern.instances for pattern in PATTERNS])]).astype(np.int64)
_SPREAD_COUNTS = int(_spread_starts[-1])
_SPREAD = _SPREAD_COUNTS + SIZE - MOBILITY
ENGINE_SIZE = COLUMNS * _SPREAD

# Where each place's orids begin in the table below, and where its weights begin in both forms.
_ORID_START = np.array([_spread_starts[number] for number, _ in PLACES], dtype=np.int64)
_WEIGHT_START = np.array([STARTS[number] for number, _ in PLACES], dtype=np.int64)

_contributions = table("othello.contributions", patterns.contributions([place for _, place in PLACES], sums.WIDTH))
_orid_table = table("othello.orids", np.concatenate(ORIDS).astype(np.uint16))
_instances, _entries = scratch("small", sums.WIDTH), scratch("integers", sums.ENTRIES)

_1, _7, _8, _9 = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)
_INNER_FILES = np.uint64(0x7E7E7E7E7E7E7E7E)
_INNER_RANKS = np.uint64(0x00FFFFFFFFFFFF00)
_INNER = _INNER_FILES & _INNER_RANKS
_NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)


@helper("int64(uint64, uint64)", inline=True)
def _potential(discs: Word, empty: Word) -> int:
    """The discs beside an empty square, along a line at whose end they do not lie."""
    beside = _INNER_FILES & (((empty << _1) & _NOT_A) | ((empty >> _1) & _NOT_H))
    beside |= _INNER_RANKS & ((empty << _8) | (empty >> _8))
    beside |= _INNER & ((empty << _9) | (empty >> _9) | (empty << _7) | (empty >> _7))
    return popcount(discs & beside)


@helper("void(integers, uint64, uint64)", inline=True)
def _count(entries: Integers, mover: Word, enemy: Word) -> None:
    """Which entry a position has of each count."""
    sums.count_moves(entries, mover, enemy, COUNT)
    entries[2] = 2 * COUNT + _potential(mover, ~(mover | enemy))
    entries[3] = 3 * COUNT + _potential(enemy, ~(mover | enemy))


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """One entry a place, then the four counts and the parity."""
    instances, entries, orids = _instances(), _entries(), _orid_table()
    sums.gather(_contributions(), position[0], position[1], instances)
    for k in range(_PLACES):
        index[k] = np.int32(_WEIGHT_START[k] + int64(orids[_ORID_START[k] + int64(instances[k])]))
    _count(entries, position[0], position[1])
    return sums.write_counts(index, value, _PLACES, MOBILITY, entries)


@contract
def evaluate(position: Words, weights: Indices) -> int:
    """The sum of the terms, from weights by instance."""
    instances, entries, total = _instances(), _entries(), 0
    sums.gather(_contributions(), position[0], position[1], instances)
    _count(entries, position[0], position[1])
    column = at(weights, sums.column_of(position) * _SPREAD)
    for k in range(_PLACES):
        total += column[_ORID_START[k] + int64(instances[k])]
    return total + sums.sum_counts(at(column, _SPREAD_COUNTS), entries)


def engine(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Weights by orid, spread out by instance: what ``evaluate`` reads."""
    spread = np.concatenate([start + orids for start, orids in zip(STARTS, ORIDS, strict=False)])
    places = np.concatenate([spread, np.arange(MOBILITY, SIZE)])
    return np.ascontiguousarray(weights[:, places]).reshape(-1)


def evaluation() -> Evaluation:
    """Features in the order in which the terms first use them; a column of weights a number of empties."""
    return sums.declare(FEATURES, ((PATTERNS[number].name, place) for number, place in PLACES), starting, engine)
