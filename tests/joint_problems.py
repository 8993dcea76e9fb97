"""Small joint problems with their matrices as scipy has them, for tests of rows and of methods."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from evalsmith.fit.joint.objective import Objective, Penalty, Space, probability
from evalsmith.fit.joint.rows import Rows, rows_from_arrays


@dataclass(frozen=True)
class Arrays:
    """Rows as another program would give them."""

    start: np.ndarray
    index: np.ndarray
    value: np.ndarray
    a: np.ndarray
    b: np.ndarray
    share: np.ndarray
    columns: int
    size: int

    def rows(self, **storage: Any) -> Rows:
        blend = (self.a, self.b, self.share)
        return rows_from_arrays(
            self.start, self.index, self.value, *blend, columns=self.columns, size=self.size, **storage
        )  # fmt: skip

    def matrix(self) -> np.ndarray:
        """The same, dense."""
        row = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        amounts = np.concatenate([self.value * (1 - self.share[row]), self.value * self.share[row]])
        columns = np.concatenate([self.a[row] * self.size + self.index, self.b[row] * self.size + self.index])
        shape = (len(self.start) - 1, self.columns * self.size)
        return scipy.sparse.coo_matrix((amounts, (np.concatenate([row, row]), columns)), shape).toarray()


def random_arrays(
    rows: int, size: int, columns: int, seed: int = 1, *, fractions: bool = False, most: int = 3
) -> Arrays:
    """Rows of any length, empty ones too, that may name a feature twice; shares 0 and 1 are among the blends."""
    source = np.random.default_rng(seed)
    lengths = source.integers(0, 12, rows)
    start = np.concatenate([[0], np.cumsum(lengths)])
    value = source.integers(-most, most + 1, start[-1]).astype(np.float64)
    if fractions:
        value *= np.float32(0.37)
    a, b = (source.integers(0, columns, rows) for _ in range(2))
    share = source.integers(0, 5, rows) / 4
    return Arrays(start, source.integers(0, size, start[-1]), value, a, b, share, columns, size)


def results(arrays: Arrays, true: np.ndarray, seed: int = 1) -> np.ndarray:
    """Results 0, ½ and 1 that come about with the probabilities of true weights."""
    source = np.random.default_rng(seed)
    p = probability(arrays.matrix() @ true, 1.0)
    return (source.random(len(p)) < p) / 2 + (source.random(len(p)) < p) / 2


def problem(
    rows: int = 400, size: int = 6, columns: int = 2, *, loss: str = "logistic", ridge: float = 1e-4, seed: int = 1,
    l1: float = 0.0, space: Space | None = None, threads: int = 1, folder: Path | None = None,
) -> Objective:  # fmt: skip
    """An objective over random rows with some of them held out; ``folder`` keeps the rows in a file."""
    arrays = random_arrays(rows, size, columns, seed)
    unknowns = size * columns
    source = np.random.default_rng(seed)
    true = source.normal(0, 100, unknowns)
    target = arrays.matrix() @ true + source.normal(0, 50, rows) if loss == "squared" else results(arrays, true)
    weight = np.where(source.random(rows) < 0.2, 0.0, source.uniform(0.5, 2, rows)).astype(np.float32)
    target[weight == 0] = np.nan
    towards = source.normal(0, 30, unknowns)
    penalty = Penalty(np.full(unknowns, ridge), towards, np.full(unknowns, l1) if l1 else None)
    storage = {} if folder is None else {"folder": folder, "max_bytes": 0}
    return Objective(arrays.rows(**storage), target, weight, loss, 0.9, penalty, space, threads)
