"""Othello's hand-set weights: corners and what lies beside them, mobility, and towards the end the discs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games.othello import patterns
from evalsmith.games.othello.layout import (
    COUNT,
    ENEMY_MOBILITY,
    ENEMY_POTENTIAL,
    MOBILITY,
    ORIDS,
    POTENTIAL,
    SIZE,
    STARTS,
)
from evalsmith.games.othello.patterns import PATTERNS
from evalsmith.games.othello.sums import COLUMNS

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
        weights[column, MOBILITY : MOBILITY + COUNT] = counts * _PER_MOVE * (1 - late)
        weights[column, ENEMY_MOBILITY : ENEMY_MOBILITY + COUNT] = -counts * _PER_MOVE * (1 - late)
        weights[column, POTENTIAL : POTENTIAL + COUNT] = -counts * _PER_FRONTIER * (1 - late)
        weights[column, ENEMY_POTENTIAL : ENEMY_POTENTIAL + COUNT] = counts * _PER_FRONTIER * (1 - late)
        weights[column, _feature_slice("corner3x3")] = _corner_values() * (1 - late)
        # Every square lies in one row and one column, so half of a disc's value goes to each.
        weights[column, _feature_slice("line8")] = _disc_values("line8") * 50 * late
    return weights


def _feature_slice(name: str) -> slice:
    number = [pattern.name for pattern in PATTERNS].index(name)
    return slice(int(STARTS[number]), int(STARTS[number + 1]))


def _representatives(name: str) -> npt.NDArray[np.int64]:
    """The digits of the first instance of each orid: 0 empty, 1 mover, 2 enemy."""
    number = [pattern.name for pattern in PATTERNS].index(name)
    first = np.unique(ORIDS[number], return_index=True)[1]
    return patterns.digits_of(first, len(PATTERNS[number].places[0]))


def _corner_values() -> npt.NDArray[np.float64]:
    digits = _representatives("corner3x3")
    signs = np.where(digits == 1, 1, np.where(digits == 2, -1, 0))
    squares = np.where(digits[:, :1] == 0, _OPEN_CORNER, _TAKEN_CORNER)
    return np.asarray((signs * squares).sum(axis=1), dtype=np.float64)


def _disc_values(name: str) -> npt.NDArray[np.float64]:
    digits = _representatives(name)
    return np.asarray((digits == 1).sum(axis=1) - (digits == 2).sum(axis=1), dtype=np.float64)
