"""K, the scale of the sigmoid: the one number that makes predictions fit results best before any weight moves."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from evalsmith.run import InputError

Vector = npt.NDArray[np.float64]

SMALLEST, LARGEST = 1e-3, 100.0
RATE = math.log(10) / 400  # of p in hundredths, with k = 1
_GRID = np.linspace(math.log(SMALLEST), math.log(LARGEST), 41)
_FEW = 100_000  # positions that are enough to see between which two of the grid k is
_EXACT = 1e-12  # of ln k


def probability(prediction: Vector, k: float) -> Vector:
    """The expected score of predictions in hundredths."""
    z = k * RATE * prediction
    small = np.exp(-np.abs(z))
    return np.where(z >= 0, 1.0, small) / (1.0 + small)


def fit_k(
    predictions: Vector, target: Vector, weight: npt.NDArray[np.floating] | None = None, loss: str = "logistic"
) -> float:
    """The k between 0.001 and 100 with the least loss of predictions in hundredths against probabilities.

    Refused where the data does not determine it: predictions that are all 0, results that no k explains better than
    the smallest or the largest.
    """
    if loss == "squared":
        raise InputError("the squared loss has no k: it compares predictions with targets directly")
    used = np.ones(len(target), dtype=np.bool_) if weight is None else np.asarray(weight) > 0
    s, y = np.asarray(predictions, dtype=np.float64)[used], np.asarray(target, dtype=np.float64)[used]
    w = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)[used]
    if len(y) == 0:
        raise InputError("k cannot be fitted: there is no position with a weight above 0")
    if not np.isfinite(y).all() or y.min() < 0 or y.max() > 1:
        raise InputError("k cannot be fitted: targets must be probabilities from 0 to 1, all of them known")
    if not s.any():
        raise InputError("k cannot be fitted: the starting weights give every position the value 0; set k")
    curve = _Curve(s, y, w, loss)
    for stride in (-(-len(y) // _FEW), 1):
        low, high = _Curve(s[::stride], y[::stride], w[::stride], loss).bracket(final=stride == 1)
        if curve.slope(low) < 0 < curve.slope(high):
            break
    return math.exp(curve.root(low, high))


class _Curve:
    """The loss as a function of ln k."""

    def __init__(self, s: Vector, y: Vector, w: Vector, loss: str) -> None:
        self.s, self.y, self.w, self.loss = s, y, w, loss

    def value(self, log_k: float) -> float:
        p = probability(self.s, math.exp(log_k))
        if self.loss == "logistic":
            return float(np.sum(self.w * (self.y - p) ** 2))
        tiny = 1e-300
        each = self.y * np.log(np.maximum(p, tiny)) + (1 - self.y) * np.log(np.maximum(1 - p, tiny))
        return -float(np.sum(self.w * each))

    def slope(self, log_k: float) -> float:
        k = math.exp(log_k)
        p = probability(self.s, k)
        off = p - self.y
        if self.loss == "logistic":
            off = 2 * off * p * (1 - p)
        return k * RATE * float(np.sum(self.w * off * self.s))

    def bracket(self, *, final: bool) -> tuple[float, float]:
        """Two values of ln k around the least loss of the grid; ``final`` refuses its ends."""
        losses = [self.value(at) for at in _GRID.tolist()]
        best = int(np.argmin(losses))
        if final and max(losses) - min(losses) <= 1e-12 * max(losses):
            raise InputError("k cannot be fitted: no k changes the loss; set k")
        if final and best in (0, len(_GRID) - 1):
            why = (
                "results do not depend on the starting evaluation, or go against it (are they for the side to move?)"
                if best == 0
                else "the starting evaluation is right about every result"
            )
            raise InputError(f"k cannot be fitted: it would leave {SMALLEST:g} to {LARGEST:g}, because {why}; set k")
        return float(_GRID[max(0, best - 1)]), float(_GRID[min(len(_GRID) - 1, best + 1)])

    def root(self, low: float, high: float) -> float:
        """Where the slope is 0, by false position that halves the slope of the end that stays."""
        at_low, at_high = self.slope(low), self.slope(high)
        side = 0
        while high - low > _EXACT:
            middle = high - at_high * (high - low) / (at_high - at_low) if at_high != at_low else 0.5 * (low + high)
            here = self.slope(middle)
            if here == 0 or not low < middle < high:
                return middle
            if here > 0:
                if abs(high - middle) < _EXACT:
                    return middle
                high, at_high = middle, here
                at_low = 0.5 * at_low if side == 1 else at_low
                side = 1
            else:
                if abs(middle - low) < _EXACT:
                    return middle
                low, at_low = middle, here
                at_high = 0.5 * at_high if side == -1 else at_high
                side = -1
        return 0.5 * (low + high)
