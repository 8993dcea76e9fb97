"""What is minimised: the losses of rows against their targets, with penalties on the weights.

    total(x) = Σ weight·loss(row) + Σ ridge·(x − towards)² + Σ l1·|x − towards|

Everything that is reported is the total divided by the sum of the weights. Weights are in hundredths, and so are
predictions s; p = 1/(1 + 10^(−k·s/400)).

    logistic         (target − p)²
    cross-entropy    −target·ln p − (1 − target)·ln(1 − p)
    squared          (target − s)²
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.passes import CROSS_ENTROPY, CURVATURE, LOGISTIC, SQUARED
from evalsmith.fit.joint.rows import Rows
from evalsmith.fit.joint.scaling import RATE, fit_k, probability
from evalsmith.fit.joint.space import Space
from evalsmith.fit.squares.matrix import dot
from evalsmith.run import InputError

Vector = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

__all__ = ["LOSSES", "Objective", "Penalty", "Space", "fit_k", "probability"]

LOSSES = ("logistic", "cross-entropy", "squared")
_KIND = {"logistic": LOGISTIC, "cross-entropy": CROSS_ENTROPY, "squared": SQUARED}


@dataclass(frozen=True)
class Penalty:
    """How strongly each weight is pulled to ``towards``: by the square of its distance, and by the distance."""

    ridge: Vector
    towards: Vector
    l1: Vector | None = None


class Objective:
    """The loss of weights, its gradient and its curvature. ``weight`` is 0 for rows that are held out."""

    def __init__(
        self,
        rows: Rows,
        target: Vector,
        weight: Singles | None = None,
        loss: str = "logistic",
        k: float = 1.0,
        penalty: Penalty | None = None,
        space: Space | None = None,
        threads: int = 1,
    ) -> None:
        if loss not in _KIND:
            raise InputError(f"there is no loss {loss!r}; choose {', '.join(LOSSES)}")
        zeros = np.zeros(rows.unknowns)
        self.rows, self.loss, self.k, self.threads = rows, loss, float(k), threads
        self.penalty = _doubles(penalty) if penalty else Penalty(zeros, zeros)
        self.space = space or Space()
        self.target = np.ascontiguousarray(target, dtype=np.float64)
        self.weight = np.ones(len(rows), np.float32) if weight is None else _singles(weight)
        self.weights = self._check(self.weight)
        self._rate = self.k * RATE
        self._curvature = np.zeros(len(rows), dtype=np.float32)
        self._at: Vector | None = None  # where the curvature is known

    @property
    def unknowns(self) -> int:
        """How many weights there are, those that do not move included."""
        return self.rows.unknowns

    # ── With penalties ──

    def value(self, x: Vector) -> float:
        """The total."""
        total = self._fold(x, gradient=False)[0]
        return (total + self._ridge(x) + self.l1(x)) / self.weights

    def value_gradient(self, x: Vector) -> tuple[float, Vector]:
        """The total and its gradient; where a weight is at the kink of its l1 penalty, that adds nothing to it."""
        value, gradient = self.smooth(x)
        l1 = self.penalty.l1
        if l1 is None:
            return value, gradient
        return value + self.l1(x) / self.weights, gradient + l1 * np.sign(x - self.penalty.towards) / self.weights

    def smooth(self, x: Vector) -> tuple[float, Vector]:
        """The total without the l1 penalty, and its gradient."""
        total, gradient = self._fold(x)
        gradient += 2 * self.penalty.ridge * (x - self.penalty.towards)
        return (total + self._ridge(x)) / self.weights, gradient / self.weights

    def curvature_times(self, x: Vector, v: Vector) -> Vector:
        """The second derivatives at ``x`` times ``v``: Gauss-Newton's of logistic losses, else exact."""
        curvature = self._curvature_at(x)
        _, product = self.rows.fold(
            v, self.target, self.weight, curvature, CURVATURE, 0.0, threads=self.threads
        )  # fmt: skip
        return (product + 2 * self.penalty.ridge * v) / self.weights

    def diagonal(self, x: Vector) -> Vector:
        """The diagonal of the second derivatives at ``x``."""
        squares = self.rows.squares(self._curvature_at(x), self.threads)
        return (squares + 2 * self.penalty.ridge) / self.weights

    def curvature_matrix(
        self, x: Vector, numbers: npt.NDArray[np.int32], size: int, chance: Vector | None = None
    ) -> Vector:
        """The second derivatives at ``x`` of the losses without penalties; of a sample with ``chance`` (see `Rows`).

        ``numbers`` are the places of the unknowns in the matrix.
        """
        if chance is not None:
            chance = chance / self.weights
        return self.rows.outer(self._curvature_at(x), numbers, size, chance, self.threads) / self.weights

    def l1(self, x: Vector) -> float:
        """The l1 penalty, not divided by the weights of the rows."""
        return 0.0 if self.penalty.l1 is None else dot(self.penalty.l1, np.abs(x - self.penalty.towards))

    # ── Without ──

    def data_loss(self, x: Vector, weight: Singles | None = None) -> float:
        """The mean loss of rows without penalties, over another weighting than the fit's if one is given."""
        chosen = self.weight if weight is None else _singles(weight)
        total = self._check(chosen)
        spare = np.zeros(len(self.rows), dtype=np.float32)
        found, _ = self.rows.fold(
            x, self.target, chosen, spare, _KIND[self.loss], self._rate, gradient=False, threads=self.threads
        )  # fmt: skip
        return found / total

    def row_slopes(self, x: Vector) -> Vector:
        """The derivative of each row's loss by its prediction, times its weight."""
        s, y, w = self.rows.times(x, self.threads), np.where(self.weight > 0, self.target, 0.0), self.weight
        if self.loss == "squared":
            return 2.0 * w * (s - y)
        p = probability(s, self.k)
        if self.loss == "logistic":
            return -2.0 * w * (y - p) * p * (1 - p) * self._rate
        return w * self._rate * (p - y)

    def _curvature_at(self, x: Vector) -> Singles:
        if self._at is None or not np.array_equal(self._at, x):
            self._fold(x, gradient=False)
        return self._curvature

    def _fold(self, x: Vector, *, gradient: bool = True) -> tuple[float, Vector]:
        self._at = None
        found = self.rows.fold(
            x, self.target, self.weight, self._curvature, _KIND[self.loss], self._rate,
            gradient=gradient, threads=self.threads,
        )  # fmt: skip
        self._at = np.array(x)
        return found

    def _ridge(self, x: Vector) -> float:
        off = x - self.penalty.towards
        return dot(self.penalty.ridge * off, off)

    def _check(self, weight: Singles) -> float:
        """The sum of the weights of rows; refuses what cannot be fitted."""
        if len(self.target) != len(self.rows) or len(weight) != len(self.rows):
            raise ValueError(f"{len(self.rows)} rows have {len(self.target)} targets and {len(weight)} weights")
        used = self.target[weight > 0]
        if len(used) == 0:
            raise InputError(f"none of the {len(self.rows):,} positions has a weight above 0")
        if not np.isfinite(weight).all() or (weight < 0).any():
            raise InputError("the weight of a position must be a number that is not negative")
        if np.isnan(used).any():
            raise InputError(f"{int(np.isnan(used).sum()):,} positions have no known target; leave them out")
        if self.loss != "squared" and (used.min() < 0 or used.max() > 1):
            raise InputError(
                f"targets of the {self.loss} loss are probabilities, but they go from {used.min():g} to {used.max():g}"
            )
        return float(weight.sum(dtype=np.float64))


def _doubles(given: Penalty) -> Penalty:
    l1 = None if given.l1 is None else np.array(given.l1, dtype=np.float64)
    return Penalty(np.array(given.ridge, dtype=np.float64), np.array(given.towards, dtype=np.float64), l1)


def _singles(weight: npt.NDArray[np.floating]) -> Singles:
    return np.ascontiguousarray(weight, dtype=np.float32)
