"""NTest's evaluation: its patterns, mobility, potential mobility and parity, one column a number of empties.

``terms`` looks up words as they stand in NTest's tables; ``evaluate`` is the same sum, read from words that are spread
out by configuration. A count beyond the last word of a table, which no game reaches, shares that word.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Small, Values, Word, Words, at, helper, int64, popcount, scratch, table
from evalsmith.games.contract import contract
from evalsmith.games.evaluation import Evaluation, Feature
from evalsmith.games.othello import patterns
from evalsmith.games.othello.ntest.maps import (
    COUNT,
    ENEMY_MOBILITY,
    ENEMY_POTENTIAL,
    MOBILITY,
    PARITY,
    POTENTIAL,
    SIZE,
    maps,
    square_name,
)
from evalsmith.games.othello.rules import mobility

COLUMNS = 64
_COUNTS = ("mobility", "enemy mobility", "potential mobility", "enemy potential mobility")

_MAPS = maps()
_PLACES_OF = [(number, place) for number, pattern in enumerate(_MAPS) for place in pattern.places]
# Places are padded to a multiple of the vector width, so that the sums below become vector sums.
_WIDTH = 64
_PLACES = len(_PLACES_OF)

_spread_starts = np.concatenate([[0], np.cumsum([3**pattern.cells for pattern in _MAPS])]).astype(np.int64)
_SPREAD_COUNTS = int(_spread_starts[-1])
_SPREAD = _SPREAD_COUNTS + SIZE - MOBILITY
ENGINE_SIZE = COLUMNS * _SPREAD

# Where each place's configurations begin when they are spread out, and where its words begin in a table.
_SPREAD_START = np.array([_spread_starts[number] for number, _ in _PLACES_OF], dtype=np.int64)
_WORD_START = np.array([_MAPS[number].offset for number, _ in _PLACES_OF], dtype=np.int64)
# The configuration of empty squares alone, for each place: a disc of the mover adds to it, one of the enemy takes away.
_EMPTY = np.zeros(_WIDTH, dtype=np.uint16)
_EMPTY[:_PLACES] = [(3 ** len(place) - 1) // 2 for _, place in _PLACES_OF]

_contributions = table("othello.ntest.contributions", patterns.contributions([p for _, p in _PLACES_OF], _WIDTH))
_ids = table("othello.ntest.ids", np.concatenate([pattern.ids for pattern in _MAPS]).astype(np.uint16))
_configurations = scratch("small", _WIDTH)

_1, _7, _8, _9, _BYTE = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9), np.uint64(255)
_INNER_FILES = np.uint64(0x7E7E7E7E7E7E7E7E)
_INNER_RANKS = np.uint64(0x00FFFFFFFFFFFF00)
# Squares inside a diagonal of four or more, rising from a1 to h8 and falling: all inner ones but the middles of threes.
_RISING = np.uint64(0x007C7E7E7E7E3E00)
_FALLING = np.uint64(0x003E7E7E7E7E7C00)


@helper("void(uint64, uint64, small)", inline=True)
def _gather(mover: Word, enemy: Word, configurations: Small) -> None:
    """The configuration at every place."""
    rows = _contributions()
    for k in range(_WIDTH):
        configurations[k] = _EMPTY[k]
    for rank in range(8):
        own = at(rows, (rank * 256 + int64(mover & _BYTE)) * _WIDTH)
        other = at(rows, (rank * 256 + int64(enemy & _BYTE)) * _WIDTH)
        mover >>= _8
        enemy >>= _8
        for k in range(_WIDTH):
            configurations[k] = np.uint16(configurations[k] + own[k] - other[k])


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


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """One entry a place, then the four counts and the parity."""
    mover, enemy = position[0], position[1]
    configurations = _configurations()
    _gather(mover, enemy, configurations)
    ids = _ids()
    for k in range(_PLACES):
        index[k] = np.int32(_WORD_START[k] + int64(ids[_SPREAD_START[k] + int64(configurations[k])]))
    empty = ~(mover | enemy)
    index[_PLACES] = np.int32(MOBILITY + popcount(mobility(mover, enemy)))
    index[_PLACES + 1] = np.int32(ENEMY_MOBILITY + popcount(mobility(enemy, mover)))
    index[_PLACES + 2] = np.int32(POTENTIAL + _potential(enemy, empty))
    index[_PLACES + 3] = np.int32(ENEMY_POTENTIAL + _potential(mover, empty))
    index[_PLACES + 4] = np.int32(PARITY + (popcount(empty) & 1))
    for k in range(_PLACES + 5):
        value[k] = np.int16(1)
    return _PLACES + 5


@contract
def phase(position: Words) -> int:
    """The number of empty squares; a board without discs counts as 63."""
    empties = 64 - popcount(position[0] | position[1])
    return min(empties, COLUMNS - 1)


@contract
def evaluate(position: Words, weights: Indices) -> int:
    """The sum of the terms, from words by configuration."""
    mover, enemy = position[0], position[1]
    configurations = _configurations()
    _gather(mover, enemy, configurations)
    empty = ~(mover | enemy)
    empties = popcount(empty)
    column = at(weights, min(empties, COLUMNS - 1) * _SPREAD)
    total = 0
    for k in range(_PLACES):
        total += column[_SPREAD_START[k] + int64(configurations[k])]
    counts = at(column, _SPREAD_COUNTS)
    total += counts[popcount(mobility(mover, enemy))]
    total += counts[COUNT + popcount(mobility(enemy, mover))]
    total += counts[2 * COUNT + _potential(enemy, empty)]
    total += counts[3 * COUNT + _potential(mover, empty)]
    return total + counts[4 * COUNT + (empties & 1)]


def engine(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Words as they stand in tables, spread out by configuration: what ``evaluate`` reads."""
    places = np.concatenate([*(pattern.offset + pattern.ids for pattern in _MAPS), np.arange(MOBILITY, SIZE)])
    return np.ascontiguousarray(weights[:, places]).reshape(-1)


def starting() -> npt.NDArray[np.int32]:
    """Nothing: such weights come from files alone."""
    return np.zeros((COLUMNS, SIZE), dtype=np.int32)


def evaluation() -> Evaluation:
    """Features in the order of the tables; a column of weights a number of empties."""
    features = [Feature(each.name, int(each.ids.max()) + 1, describe=each.describe) for each in _MAPS]
    features += [Feature(name, COUNT, ordered=True) for name in _COUNTS]
    features.append(Feature("parity", 2, describe=lambda odd: "odd" if odd else "even"))
    names = [
        (f"{_MAPS[number].name} {square_name(place[0])}…{square_name(place[-1])}", _MAPS[number].name)
        for number, place in _PLACES_OF
    ]
    names += [(name, name) for name in (*_COUNTS, "parity")]
    return Evaluation(
        features=tuple(features),
        columns=tuple(f"{empties} empties" for empties in range(COLUMNS)),
        blend=tuple((empties, empties, 0) for empties in range(COLUMNS)),
        scale=1,
        starting=starting,
        terms=tuple(names),
        engine=engine,
    )
