"""DVONN's hand-set weights: freedom and closeness to the reds early, stones late."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games.dvonn import layout
from evalsmith.games.dvonn.layout import COLUMNS, HIGHEST, SIZE, ZONES

# Centistones in the columns of the stacking phase, one a zone: close to the reds is safe.
_BY_ZONE = {
    layout.STACKS: ([60, 40, 30, 20, 10, 0], [60, 30, 20, 10, 0, 0], [0, 0, 0, 0, 0, 0]),
    layout.STONES: ([30, 25, 20, 15, 10, 5], [70, 60, 50, 40, 30, 20], [100, 95, 90, 85, 80, 75]),
    layout.MOBILE: ([40, 35, 30, 25, 20, 15], [60, 50, 40, 30, 25, 20], [30, 30, 30, 30, 30, 30]),
    layout.MOVES: ([6, 5, 4, 4, 3, 3], [12, 10, 8, 6, 6, 6], [10, 10, 10, 10, 10, 10]),
    layout.ONTO_REDS: ([10, 10, 10, 10, 10, 10], [15, 15, 15, 15, 15, 15], [10, 10, 10, 10, 10, 10]),
    layout.ONTO_ENEMIES: ([12, 10, 8, 6, 4, 4], [25, 20, 15, 10, 8, 8], [30, 25, 20, 20, 20, 20]),
}
_TO_MOVE_WORTH = (50, 80, 50)
_HANGING_WORTH = (-5, -15, -5)
# A stack loses its freedom as it grows; the stones in it are counted above.
_HEIGHT_WORTH = [0, 5, 5, 0, -5, -10, -15, -20, -25, -30, -30]

_PLACED_WORTH = [45, 30, 20, 10, 0]
_SIDE_WORTH = [10, 7, 5, 5, 5]
_BESIDE_ENEMY_WORTH, _BESIDE_OWN_WORTH = -2, 2


def starting() -> npt.NDArray[np.int32]:
    """Hand-set weights: freedom and closeness to the reds early, stones late; situations are left to a fit."""
    weights = np.zeros((len(COLUMNS), SIZE), dtype=np.int32)
    weights[:2, layout.PLACED : layout.PLACED + ZONES - 1] = _PLACED_WORTH
    weights[:2, layout.SIDE : layout.SIDE + ZONES - 1] = _SIDE_WORTH
    weights[:2, layout.SIDE_BESIDE_ENEMY] = _BESIDE_ENEMY_WORTH
    weights[:2, layout.SIDE_BESIDE_OWN] = _BESIDE_OWN_WORTH
    for number in range(3):
        column = weights[number + 2]
        for first, worth in _BY_ZONE.items():
            column[first : first + ZONES] = worth[number]
        column[layout.TO_MOVE] = _TO_MOVE_WORTH[number]
        column[layout.HANGING : layout.HANGING + ZONES - 1] = _HANGING_WORTH[number]
        column[layout.BY_HEIGHT : layout.BY_HEIGHT + HIGHEST] = _HEIGHT_WORTH
    return weights
