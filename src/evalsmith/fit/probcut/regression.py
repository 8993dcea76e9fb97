"""Lines through pairs of values: deep = slope · shallow + offset, by stage and pair of depths, with the error left.

Depths of a pair have the same parity, because values of even and odd depths differ by the side that moved last.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from evalsmith.weights.probcut import Pair

UNKNOWN = -(1 << 30)
"""In a row of values: the search did not reach this depth, or found a win."""
SHALLOWEST_DEEP = 3
_STEEPEST = 4.0

Values = npt.NDArray[np.int64]


def pairs_of(deepest: int) -> Iterator[tuple[int, int]]:
    """The pairs (deep, shallow) that are fitted: the shallow search about half as deep, and one less so."""
    for deep in range(SHALLOWEST_DEEP, deepest + 1):
        half = 2 * (deep // 4) + deep % 2
        for shallow in sorted({max(half - 2, deep % 2), half}):
            if shallow < deep:
                yield deep, shallow


def fit_line(shallow: npt.NDArray[np.float64], deep: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """Slope, offset and standard deviation of the line through pairs of values, by least squares."""
    mean, target = shallow.mean(), deep.mean()
    spread = float(((shallow - mean) ** 2).sum())
    slope = float(((shallow - mean) * (deep - target)).sum()) / spread if spread > 0 else 1.0
    offset = target - slope * mean
    left = deep - slope * shallow - offset
    return slope, float(offset), float(np.sqrt((left**2).sum() / max(1, len(left) - 2)))


def fit_pairs(values: Values, stages: Values, stage_count: int, least: int) -> tuple[Pair, ...]:
    """The pairs of all stages; ``values`` has a row a position and a column a depth, from 0 (the evaluation) on."""
    found = []
    for stage in range(stage_count):
        rows = values[stages == stage]
        for deep, shallow in pairs_of(values.shape[1] - 1):
            known = rows[(rows[:, deep] != UNKNOWN) & (rows[:, shallow] != UNKNOWN)].astype(np.float64)
            if len(known) < least:
                continue
            slope, offset, error = fit_line(known[:, shallow], known[:, deep])
            if 0 < slope <= _STEEPEST:
                found.append(Pair(stage, deep, shallow, round(slope, 4), round(offset, 2), round(error, 2), len(known)))
    return tuple(found)
