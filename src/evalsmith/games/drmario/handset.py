"""Dr. Mario's hand-set weights: few viruses, open runs beside them, and a free entry."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games.drmario import layout
from evalsmith.games.drmario.dealing import MAX_VIRUSES
from evalsmith.games.drmario.layout import FEATURES, MOST_LEFT, STARTS

# Hundredths of a virus, for a bottle full of viruses and for an empty one. Found by trying: greedy play with them
# is what `benchmarks/bench_drmario.py` measures.
_PER_VIRUS = (-95, -137)
_PER_ABOVE, _PER_MISMATCH = (1, 1), (-11, 0)
_PER_PILL_CELL, _PER_COVERED = (-11, -13), (4, 0)
# By length (2, 3), without and with a virus, shut and open.
_LYING_RUNS = (2, 3, -4, 10, 4, 13, 3, 29)
_STANDING_RUNS = (0, 15, -5, 27, 0, 29, 15, 57)
_PER_MATCH = 3
# Squared for each row that is missing to so many free ones below the entry, and each pill to so many before a stall.
_CROWDED, _PER_CROWDED = 5, -77
_NEAR_STALL, _PER_NEAR_STALL = 8, -10
_WORST_MISMATCHES = 4  # more of them are not worse
FEW = 20  # the viruses that the middle column stands for


def starting() -> npt.NDArray[np.int32]:
    """Hand-set weights: few viruses, open runs beside them, and a free entry; heights by themselves count nothing.

    The column for few viruses lies on the line between the other two.
    """
    full, empty = _ends()
    few = np.rint((FEW * full + (MAX_VIRUSES - FEW) * empty) / MAX_VIRUSES).astype(np.int32)
    return np.stack([full, few, empty])


def _ends() -> npt.NDArray[np.int32]:
    """The columns for a full and for an empty bottle."""
    weights = np.zeros((2, int(STARTS[-1])), dtype=np.int32)
    for column in range(2):
        row = weights[column]
        for number in range(3):
            row[_block(number)] = _PER_VIRUS[column] * np.arange(FEATURES[number].size)
        row[layout.ABOVE : layout.ABOVE + 16] = _PER_ABOVE[column] * np.arange(16)
        row[layout.MISMATCHES : layout.MISMATCHES + 16] = _PER_MISMATCH[column] * np.minimum(
            np.arange(16), _WORST_MISMATCHES
        )
        row[layout.RUN : layout.RUN + 16] = _LYING_RUNS + _STANDING_RUNS
        row[layout.ENTRY : layout.ENTRY + 17] = _PER_CROWDED * np.maximum(0, _CROWDED - np.arange(17)) ** 2
        row[layout.MATCH : layout.MATCH + 17] = row[layout.PREVIEW : layout.PREVIEW + 17] = _PER_MATCH * np.arange(17)
        row[layout.STALL : layout.CELLS] = _PER_NEAR_STALL * np.maximum(0, _NEAR_STALL - np.arange(MOST_LEFT + 1)) ** 2
        row[layout.CELLS], row[layout.COVERED] = _PER_PILL_CELL[column], _PER_COVERED[column]
    return weights


def _block(number: int) -> slice:
    return slice(int(STARTS[number]), int(STARTS[number + 1]))
