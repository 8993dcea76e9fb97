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
from evalsmith.games.game import Evaluation, Feature, Overview
from evalsmith.games.othello import patterns
from evalsmith.games.othello.patterns import PATTERNS, PLACES
from evalsmith.games.othello.rules import mobility

COLUMNS = 64
COUNT = 65  # a count of squares is 0 … 64
_COUNTS = ("mobility", "enemy mobility", "potential mobility", "enemy potential mobility")

# Places are padded to a multiple of the vector width, so that the sums below become vector sums.
_WIDTH = 64
_PLACES = len(PLACES)

_orids = [pattern.orids() for pattern in PATTERNS]
_sizes = [int(orids.max()) + 1 for orids in _orids] + [COUNT] * 4 + [2]
_starts = np.concatenate([[0], np.cumsum(_sizes)]).astype(np.int64)
_spread = [pattern.instances for pattern in PATTERNS] + [COUNT] * 4 + [2]
_spread_starts = np.concatenate([[0], np.cumsum(_spread)]).astype(np.int64)

SIZE = int(_starts[-1])
_SPREAD = int(_spread_starts[-1])
ENGINE_SIZE = COLUMNS * _SPREAD
_MOBILITY, _ENEMY_MOBILITY, _POTENTIAL, _ENEMY_POTENTIAL, _PARITY = (int(s) for s in _starts[len(PATTERNS) : -1])
_SPREAD_COUNTS = int(_spread_starts[len(PATTERNS)])

# Where each place's orids begin in the table below, and where its weights begin in both forms.
_ORID_START = np.array([_spread_starts[number] for number, _ in PLACES], dtype=np.int64)
_WEIGHT_START = np.array([_starts[number] for number, _ in PLACES], dtype=np.int64)

_contributions = table("othello.contributions", patterns.contributions([place for _, place in PLACES], _WIDTH))
_orid_table = table("othello.orids", np.concatenate(_orids).astype(np.uint16))
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
    index[_PLACES] = np.int32(_MOBILITY + popcount(mobility(mover, enemy)))
    index[_PLACES + 1] = np.int32(_ENEMY_MOBILITY + popcount(mobility(enemy, mover)))
    index[_PLACES + 2] = np.int32(_POTENTIAL + _potential(mover, empty))
    index[_PLACES + 3] = np.int32(_ENEMY_POTENTIAL + _potential(enemy, empty))
    index[_PLACES + 4] = np.int32(_PARITY + (popcount(empty) & 1))
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
    spread = np.concatenate([start + orids for start, orids in zip(_starts, _orids, strict=False)])
    places = np.concatenate([spread, np.arange(_MOBILITY, SIZE)])
    return np.ascontiguousarray(weights[:, places]).reshape(-1)


# ── Hand-set weights ────────────────────────────────────────────────────────────────────────────

# Centidiscs for the mover's disc on a square of the 3×3 corner while the corner is empty, and once it is taken.
_OPEN_CORNER = np.array([0, -150, 30, -150, -300, -20, 30, -20, 10])
_TAKEN_CORNER = np.array([900, 150, 60, 150, 30, 0, 60, 0, 10])
_PER_MOVE, _PER_FRONTIER = 45, 20  # centidiscs a legal move, and a disc beside an empty square
_DISCS_FROM = 16  # from this many empties on, discs themselves count more and more


def starting() -> npt.NDArray[np.int32]:
    """Hand-set weights: corners and what lies beside them, mobility, and towards the end the discs."""
    weights = np.zeros((COLUMNS, SIZE), dtype=np.int32)
    counts = np.arange(COUNT)
    for column in range(COLUMNS):
        late = max(0.0, 1 - column / _DISCS_FROM)
        weights[column, _MOBILITY : _MOBILITY + COUNT] = counts * _PER_MOVE * (1 - late)
        weights[column, _ENEMY_MOBILITY : _ENEMY_MOBILITY + COUNT] = -counts * _PER_MOVE * (1 - late)
        weights[column, _POTENTIAL : _POTENTIAL + COUNT] = -counts * _PER_FRONTIER * (1 - late)
        weights[column, _ENEMY_POTENTIAL : _ENEMY_POTENTIAL + COUNT] = counts * _PER_FRONTIER * (1 - late)
        weights[column, _feature_slice("corner3x3")] = _corner_values() * (1 - late)
        # Every square lies in one row and one column, so half of a disc's value goes to each.
        weights[column, _feature_slice("line8")] = _disc_values("line8") * 50 * late
    return weights


def _feature_slice(name: str) -> slice:
    number = [pattern.name for pattern in PATTERNS].index(name)
    return slice(int(_starts[number]), int(_starts[number + 1]))


def _representatives(name: str) -> npt.NDArray[np.int64]:
    """The digits of the first instance of each orid: 0 empty, 1 mover, 2 enemy."""
    number = [pattern.name for pattern in PATTERNS].index(name)
    first = np.unique(_orids[number], return_index=True)[1]
    return patterns.digits_of(first, len(PATTERNS[number].places[0]))


def _corner_values() -> npt.NDArray[np.float64]:
    digits = _representatives("corner3x3")
    signs = np.where(digits == 1, 1, np.where(digits == 2, -1, 0))
    squares = np.where(digits[:, :1] == 0, _OPEN_CORNER, _TAKEN_CORNER)
    return np.asarray((signs * squares).sum(axis=1), dtype=np.float64)


def _disc_values(name: str) -> npt.NDArray[np.float64]:
    digits = _representatives(name)
    return np.asarray((digits == 1).sum(axis=1) - (digits == 2).sum(axis=1), dtype=np.float64)


# ── The declaration ─────────────────────────────────────────────────────────────────────────────


def _pattern_feature(number: int) -> Feature:
    pattern = PATTERNS[number]
    squares = pattern.places[0]
    first = np.unique(_orids[number], return_index=True)[1]

    def describe(orid: int) -> str:
        return patterns.instance_name(squares, int(first[orid]))

    def picture(orid: int) -> str:
        from evalsmith.games.othello.picture import pattern_svg

        return pattern_svg(squares, [int(d) for d in patterns.digits_of(first[orid : orid + 1], len(squares))[0]])

    def overview(weights: npt.NDArray[np.int32]) -> Overview:
        by_instance = weights[_orids[number]]
        known = np.flatnonzero(by_instance)
        digits = patterns.digits_of(known, len(squares))
        matrix = np.full((8, 8), np.nan)
        for place, square in enumerate(squares):
            own, other = (by_instance[known][digits[:, place] == digit] for digit in (1, 2))
            if own.size and other.size:
                matrix[square // 8, square % 8] = (own.mean() - other.mean()) / 2
        ranks, files = sorted({s // 8 for s in squares}), sorted({s % 8 for s in squares})
        caption = "What a disc on each square is worth in this pattern, in centidiscs: half the mean weight of the "
        caption += "configurations with the mover's disc there, less half that of those with the enemy's; "
        caption += "configurations without a weight are left out."
        return Overview(
            matrix[np.ix_(ranks, files)],
            tuple(str(rank + 1) for rank in ranks),
            tuple("abcdefgh"[file] for file in files),
            caption,
        )

    return Feature(pattern.name, _sizes[number], describe=describe, picture=picture, overview=overview)


def _place_name(squares: tuple[int, ...]) -> str:
    names = [f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in squares]
    return f"{names[0]}…{names[-1]}"


def evaluation() -> Evaluation:
    """Features in the order in which the terms first use them; a column of weights a number of empties."""
    features = [_pattern_feature(number) for number in range(len(PATTERNS))]
    features += [Feature(name, COUNT, ordered=True) for name in _COUNTS]
    features.append(Feature("parity", 2, describe=lambda odd: "odd" if odd else "even"))
    names = [(f"{PATTERNS[number].name} {_place_name(squares)}", PATTERNS[number].name) for number, squares in PLACES]
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
