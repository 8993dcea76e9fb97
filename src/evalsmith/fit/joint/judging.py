"""How good a joint fit is: its loss beside the start's with an error, calibration, and where it still errs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.targets import probability
from evalsmith.fit.settings import CROSS_ENTROPY, SQUARED

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

BINS = 10
PARTS = 6  # groups of phases, and of material, that residuals are shown for
_SMALL = 1e-12


@dataclass(frozen=True)
class Comparison:
    """The mean loss of the starting and of the fitted weights on the same rows.

    ``error`` is the standard error of their difference; positions of one game count together, because they share its
    result.
    """

    rows: int
    games: int
    start: float
    fitted: float
    error: float

    @property
    def difference(self) -> float:
        """Fitted minus start: below 0 is better."""
        return self.fitted - self.start

    @property
    def worse(self) -> bool:
        """Whether the fit has the larger loss."""
        return self.difference > 0


@dataclass(frozen=True)
class Bin:
    """Rows that lie together: their number, the mean prediction, and the mean of what came of it."""

    name: str
    rows: int
    predicted: float
    actual: float
    start: float = float("nan")


@dataclass(frozen=True)
class Scale:
    """How the evaluations changed as a whole: their size beside the start's, and how far both agree."""

    factor: float
    correlation: float


def row_losses(prediction: Vector, target: Vector, loss: str, k: float) -> Vector:
    """The loss of each row."""
    if loss == SQUARED:
        return np.asarray((target - prediction) ** 2)
    p = probability(prediction, k)
    if loss == CROSS_ENTROPY:
        p = np.clip(p, _SMALL, 1 - _SMALL)
        return np.asarray(-(target * np.log(p) + (1 - target) * np.log(1 - p)))
    return np.asarray((target - p) ** 2)


def compare(start: Vector, fitted: Vector, games: npt.NDArray[np.int64]) -> Comparison:
    """Compare the losses of the same rows, which belong to games."""
    if len(games) == 0:
        return Comparison(0, 0, 0.0, 0.0, 0.0)
    change = fitted - start
    numbers, owner = np.unique(games, return_inverse=True)
    off = np.bincount(owner.reshape(-1), weights=change - change.mean(), minlength=len(numbers))
    count = len(numbers)
    spread = np.sqrt(float(off @ off) * count / max(1, count - 1)) / len(games)
    error = float(spread) if count > 1 else float("inf")
    return Comparison(len(games), count, float(start.mean()), float(fitted.mean()), error)


def calibration(predicted: Vector, actual: Vector) -> tuple[Bin, ...]:
    """Predicted against actual by bins of the prediction, each a tenth of the way from 0 to 1."""
    place = np.clip((predicted * BINS).astype(np.int64), 0, BINS - 1)
    bins = []
    for i in range(BINS):
        here = place == i
        if here.any():
            name = f"{i / BINS:.1f}–{(i + 1) / BINS:.1f}"
            bins.append(Bin(name, int(here.sum()), float(predicted[here].mean()), float(actual[here].mean())))
    return tuple(bins)


def residuals(
    by: npt.NDArray[np.float64], predicted: Mapping[str, Vector], actual: Vector, label: str
) -> tuple[Bin, ...]:
    """Mean predictions of the fit and of the start, and the mean target, by groups of equal size of some quantity."""
    edges = np.unique(np.quantile(by, np.linspace(0, 1, PARTS + 1))) if len(by) else np.zeros(0)
    bins = []
    for i in range(max(0, len(edges) - 1)):
        last = i == len(edges) - 2
        here = (by >= edges[i]) & ((by <= edges[i + 1]) if last else (by < edges[i + 1]))
        if here.any():
            bins.append(
                Bin(
                    f"{label} {edges[i]:g} to {edges[i + 1]:g}",
                    int(here.sum()),
                    float(predicted["fitted"][here].mean()),
                    float(actual[here].mean()),
                    float(predicted["start"][here].mean()),
                )
            )
    return tuple(bins)


def scale_of(start: Vector, fitted: Vector) -> Scale:
    """How many times as large the fitted evaluations are, by least squares."""
    square = float(start @ start)
    if square == 0 or not fitted.any():
        return Scale(float("nan"), float("nan"))
    both = float(start @ fitted)
    return Scale(both / square, both / float(np.sqrt(square * float(fitted @ fitted))))
