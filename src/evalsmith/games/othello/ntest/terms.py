"""NTest's evaluation: its patterns, mobility, potential mobility and parity, one column a number of empties.

``terms`` looks up words as they stand in NTest's tables; ``evaluate`` is the same sum, read from words that are spread
out by instance. A count beyond the last word of a table, which no game reaches, shares that word.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Values, Word, Words, at, helper, int64, popcount, scratch, table
from evalsmith.games.contract import contract
from evalsmith.games.evaluation import BOTH, Evaluation, Feature
from evalsmith.games.othello import patterns, sums
from evalsmith.games.othello.ntest.maps import COUNT, MOBILITY, SIZE, Map, maps
from evalsmith.games.othello.sums import COLUMNS, PARITY_FEATURE, phase

__all__ = ["ENGINE_SIZE", "engine", "evaluate", "evaluation", "phase", "terms"]

_MAPS = maps()
_PLACES_OF = [(number, place) for number, pattern in enumerate(_MAPS) for place in pattern.places]
_PLACES = len(_PLACES_OF)


def _ids_by_instance(pattern: Map) -> npt.NDArray[np.int32]:
    """The word of each instance: NTest's digits are 0 for the enemy, 1 for empty and 2 for the mover."""
    digits = patterns.digits_of(np.arange(3**pattern.cells), pattern.cells)
    return pattern.ids[((digits + 1) % 3 * 3 ** np.arange(pattern.cells)).sum(axis=1)]


_IDS = [_ids_by_instance(pattern) for pattern in _MAPS]
_spread_starts = np.concatenate([[0], np.cumsum([len(ids) for ids in _IDS])]).astype(np.int64)
_SPREAD_COUNTS = int(_spread_starts[-1])
_SPREAD = _SPREAD_COUNTS + SIZE - MOBILITY
ENGINE_SIZE = COLUMNS * _SPREAD

# Where each place's instances begin when they are spread out, and where its words begin in a table.
_SPREAD_START = np.array([_spread_starts[number] for number, _ in _PLACES_OF], dtype=np.int64)
_WORD_START = np.array([_MAPS[number].offset for number, _ in _PLACES_OF], dtype=np.int64)

_contributions = table("othello.ntest.contributions", patterns.contributions([p for _, p in _PLACES_OF], sums.WIDTH))
_ids = table("othello.ntest.ids", np.concatenate(_IDS).astype(np.uint16))
_instances, _entries = scratch("small", sums.WIDTH), scratch("integers", sums.ENTRIES)

_1, _7, _8, _9 = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)
_INNER_FILES = np.uint64(0x7E7E7E7E7E7E7E7E)
_INNER_RANKS = np.uint64(0x00FFFFFFFFFFFF00)
# Squares inside a diagonal of four or more, rising from a1 to h8 and falling: all inner ones but the middles of threes.
_RISING = np.uint64(0x007C7E7E7E7E3E00)
_FALLING = np.uint64(0x003E7E7E7E7E7C00)


@helper("int64(uint64, uint64)", inline=True)
def _potential(discs: Word, empty: Word) -> int:
    """Half the pairs of a disc and an empty neighbour on a line, for discs that are not at the line's end."""
    across, along = discs & _INNER_FILES, discs & _INNER_RANKS
    rising, falling = discs & _RISING, discs & _FALLING
    pairs = popcount(across & (empty << _1)) + popcount(across & (empty >> _1))
    pairs += popcount(along & (empty << _8)) + popcount(along & (empty >> _8))
    pairs += popcount(rising & (empty << _9)) + popcount(rising & (empty >> _9))
    pairs += popcount(falling & (empty << _7)) + popcount(falling & (empty >> _7))
    return min(pairs >> 1, COUNT - 1)


@helper("void(integers, uint64, uint64)", inline=True)
def _count(entries: Integers, mover: Word, enemy: Word) -> None:
    """Which word a position has of each count; one's potential mobility lies in the discs of the other."""
    sums.count_moves(entries, mover, enemy, COUNT)
    entries[2] = 2 * COUNT + _potential(enemy, ~(mover | enemy))
    entries[3] = 3 * COUNT + _potential(mover, ~(mover | enemy))


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """One entry a place, then the four counts and the parity."""
    instances, entries, ids = _instances(), _entries(), _ids()
    sums.gather(_contributions(), position[0], position[1], instances)
    for k in range(_PLACES):
        index[k] = np.int32(_WORD_START[k] + int64(ids[_SPREAD_START[k] + int64(instances[k])]))
    _count(entries, position[0], position[1])
    return sums.write_counts(index, value, _PLACES, MOBILITY, entries)


@contract
def evaluate(position: Words, weights: Indices) -> int:
    """The sum of the terms, from words by instance."""
    instances, entries, total = _instances(), _entries(), 0
    sums.gather(_contributions(), position[0], position[1], instances)
    _count(entries, position[0], position[1])
    column = at(weights, sums.column_of(position) * _SPREAD)
    for k in range(_PLACES):
        total += column[_SPREAD_START[k] + int64(instances[k])]
    return total + sums.sum_counts(at(column, _SPREAD_COUNTS), entries)


def engine(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Words as they stand in tables, spread out by instance: what ``evaluate`` reads."""
    words = [pattern.offset + ids for pattern, ids in zip(_MAPS, _IDS, strict=True)]
    return np.ascontiguousarray(weights[:, np.concatenate([*words, np.arange(MOBILITY, SIZE)])]).reshape(-1)


def starting() -> npt.NDArray[np.int32]:
    """Nothing: such weights come from files alone."""
    return np.zeros((COLUMNS, SIZE), dtype=np.int32)


def evaluation() -> Evaluation:
    """Features in the order of the tables; a column of weights a number of empties."""
    features = [
        Feature(each.name, int(each.ids.max()) + 1, describe=each.describe, group=sums.PATTERN_GROUP, whose=BOTH)
        for each in _MAPS
    ]
    features += sums.count_features(COUNT)
    places = ((_MAPS[number].name, place) for number, place in _PLACES_OF)
    return sums.declare((*features, PARITY_FEATURE), places, starting, engine)
