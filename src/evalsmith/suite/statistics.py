"""Means with intervals, and two runs of the same positions compared.

Positions of one played game are alike, so games are what is independent: errors are those of sums over games.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

_DRAWS = 100_000_000  # numbers that a bootstrap draws at most
_RESAMPLES = (1_000, 10_000)


@dataclass(frozen=True)
class Mean:
    """A mean over positions; ``error`` is half of its 95 % interval, nan where one group cannot tell."""

    count: int
    mean: float
    error: float

    @property
    def text(self) -> str:
        """Such as ``3.21 ± 0.40``; a dash where there is nothing."""
        if not self.count:
            return "–"
        return f"{self.mean:.2f}" if self.error != self.error else f"{self.mean:.2f} ± {self.error:.2f}"


def mean_of(values: Numbers, groups: npt.NDArray[np.int64]) -> Mean:
    """The mean of values whose groups are independent of each other."""
    count = len(values)
    if not count:
        return Mean(0, float("nan"), float("nan"))
    mean = float(values.mean())
    sums = np.bincount(groups, values - mean)
    used = len(np.unique(groups))
    if used < 2:
        return Mean(count, mean, float("nan"))
    variance = float((sums**2).sum()) / count**2 * used / (used - 1)
    return Mean(count, mean, _quantile(used - 1) * variance**0.5)


@functools.cache
def _quantile(freedom: int) -> float:
    """How many standard errors a 95 % interval reaches: Student's, because tags may have few positions."""
    from scipy import special

    return float(special.stdtrit(freedom, 0.975))


def group_numbers(names: npt.NDArray[np.object_]) -> npt.NDArray[np.int64]:
    """Groups by their names as numbers from 0."""
    return np.asarray(np.unique(names.astype(str), return_inverse=True)[1], dtype=np.int64).reshape(-1)


def bootstrap_interval(differences: Numbers, groups: npt.NDArray[np.int64], seed: int) -> tuple[float, float]:
    """The 95 % interval of the mean of differences: groups are drawn again and again, with replacement."""
    sums, sizes = np.bincount(groups, differences), np.bincount(groups).astype(np.float64)
    present = sizes > 0
    sums, sizes = sums[present], sizes[present]
    source, count = np.random.default_rng(seed & (1 << 63) - 1), len(sums)
    resamples = int(np.clip(_DRAWS // max(1, count), *_RESAMPLES))
    means = np.empty(resamples)
    if len(sums) == 0:
        return float("nan"), float("nan")
    for i in range(resamples):
        drawn = source.integers(0, count, count)
        means[i] = sums[drawn].sum() / sizes[drawn].sum()
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def wilcoxon(differences: Numbers) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test; 1 where nothing differs."""
    changed = differences[differences != 0]
    if not len(changed):
        return 1.0
    from scipy import stats

    return float(stats.wilcoxon(changed).pvalue)
