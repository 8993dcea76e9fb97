"""What Othello's two evaluations share, its own and NTest's: sums over patterns at places, four counts and the parity.

Weights have one column a number of empties. Spread out, a column has a weight for each instance of each pattern, then
those of the counts: mobility, the enemy's, potential mobility, the enemy's, and the parity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Small, Values, Word, Words, at, helper, int64, popcount
from evalsmith.games.contract import contract
from evalsmith.games.evaluation import BOTH, ENEMY, MOVER, Evaluation, Feature
from evalsmith.games.game import Position
from evalsmith.games.othello.rules import mobility

COLUMNS = 64
COUNTS = ("mobility", "enemy mobility", "potential mobility", "enemy potential mobility")
PARITY_FEATURE = Feature("parity", 2, describe=lambda odd: "odd" if odd else "even", whose=BOTH)
PATTERN_GROUP = "patterns"
ENTRIES = len(COUNTS) + 1
# Places are padded to a multiple of the vector width, so that the sums below become vector sums.
WIDTH = 64

_8, _BYTE = np.uint64(8), np.uint64(255)


@helper("void(small, uint64, uint64, small)", inline=True)
def gather(contributions: Small, mover: Word, enemy: Word, instances: Small) -> None:
    """The instance at every place."""
    for k in range(WIDTH):
        instances[k] = np.uint16(0)
    for rank in range(8):
        own = at(contributions, (rank * 256 + int64(mover & _BYTE)) * WIDTH)
        other = at(contributions, (rank * 256 + int64(enemy & _BYTE)) * WIDTH)
        mover >>= _8
        enemy >>= _8
        for k in range(WIDTH):
            instances[k] = np.uint16(instances[k] + own[k] + other[k] + other[k])


@helper("void(integers, uint64, uint64, int64)", inline=True)
def count_moves(entries: Integers, mover: Word, enemy: Word, length: int) -> None:
    """The entries of mobility and of parity; each count has ``length`` entries, one behind another."""
    entries[0] = popcount(mobility(mover, enemy))
    entries[1] = length + popcount(mobility(enemy, mover))
    entries[4] = 4 * length + (popcount(mover | enemy) & 1)


@helper("int64(indices, values, int64, int64, integers)", inline=True)
def write_counts(index: Indices, value: Values, places: int, first: int, entries: Integers) -> int:
    """Put the terms of the counts, whose weights begin at ``first``, behind those of the places; how many there are."""
    for k in range(ENTRIES):
        index[places + k] = np.int32(first + entries[k])
    for k in range(places + ENTRIES):
        value[k] = np.int16(1)
    return places + ENTRIES


@helper("int64(indices, integers)", inline=True)
def sum_counts(weights: Indices, entries: Integers) -> int:
    """The sum over the counts, from the weights of the first on."""
    total = 0
    for k in range(ENTRIES):
        total += weights[entries[k]]
    return total


@helper("int64(words)", inline=True)
def column_of(position: Words) -> int:
    """The number of empty squares; a board without discs counts as 63."""
    return min(64 - popcount(position[0] | position[1]), COLUMNS - 1)


@contract
def phase(position: Words) -> int:
    """The column of the weights."""
    return column_of(position)


def square_name(square: int) -> str:
    """A square as players write it."""
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"


def count_features(size: int) -> tuple[Feature, ...]:
    """The four counts; the names say whose."""
    return tuple(
        Feature(name, size, ordered=True, group="mobility", whose=ENEMY if name.startswith("enemy") else MOVER)
        for name in COUNTS
    )


def declare(
    features: tuple[Feature, ...],
    places: Iterable[tuple[str, tuple[int, ...]]],
    starting: Callable[[], npt.NDArray[np.int32]],
    engine: Callable[[npt.NDArray[np.int32]], npt.NDArray[np.int32]],
) -> Evaluation:
    """The evaluation with patterns at ``places``, each with the name of its feature."""
    places = tuple(places)
    names = [(f"{name} {square_name(squares[0])}…{square_name(squares[-1])}", name) for name, squares in places]

    def locate(position: Position, term: int) -> str | None:
        """The squares of a place with the discs on them: X black, O white, as in the text of a position."""
        if term >= len(places):
            return None
        own, other, side = (int(word) for word in position)
        discs = "-XO" if side == 0 else "-OX"
        return " ".join(
            square_name(square) + discs[1 if own >> square & 1 else 2 if other >> square & 1 else 0]
            for square in places[term][1]
        )

    names += [(name, name) for name in (*COUNTS, PARITY_FEATURE.name)]
    return Evaluation(
        features=features,
        columns=tuple(f"{empties} empties" for empties in range(COLUMNS)),
        blend=tuple((empties, empties, 0) for empties in range(COLUMNS)),
        scale=1,
        starting=starting,
        terms=tuple(names),
        engine=engine,
        locate=locate,
    )
