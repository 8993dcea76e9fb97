"""One step of a smooth method under bounds and an l1 penalty.

Between two kinks the l1 penalty is linear. So a step stays in the orthant around ``towards`` that it begins in, or
that it would go to from a kink, and there the problem is smooth with bounds: the orthant's and the user's. Unknowns
at a bound that the gradient presses against stay there; all others take part in the step, which is cut at the bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.methods.problem import Problem
from evalsmith.fit.squares.matrix import dot

Vector = npt.NDArray[np.float64]

_ENOUGH, _FLATTER = 1e-4, 0.9  # Wolfe's two conditions
_TRIES = 30


@dataclass(frozen=True)
class Piece:
    """The smooth piece of a problem around a point: its gradient, its bounds, and the unknowns that may move."""

    gradient: Vector
    low: Vector
    high: Vector
    free: npt.NDArray[np.bool_]

    @classmethod
    def at(cls, problem: Problem, y: Vector, gradient: Vector) -> Piece:
        """The piece that the steepest way down leads through."""
        low, high = problem.low, problem.high
        if problem.l1 is not None:
            side = np.sign(y - problem.towards)
            # At the kink the way is to the side where the loss falls faster than the penalty grows, if there is one.
            pulled = np.where(gradient < -problem.l1, 1.0, np.where(gradient > problem.l1, -1.0, 0.0))
            kink = (side == 0) & (problem.l1 > 0)
            side = np.where(kink, pulled, side)
            gradient = np.where(kink & (pulled == 0), 0.0, gradient + problem.l1 * side)
            bent = problem.l1 > 0
            low = np.where(bent & (side >= 0), np.maximum(low, problem.towards), low)
            high = np.where(bent & (side <= 0), np.minimum(high, problem.towards), high)
            low, high = np.minimum(low, y), np.maximum(high, y)
        held = ((y <= low) & (gradient >= 0)) | ((y >= high) & (gradient <= 0))
        return cls(gradient, low, high, ~held)


@dataclass(frozen=True)
class Found:
    """Where a search along a line ended, and the smooth part's gradient there; not ``moved`` if no step was good."""

    y: Vector
    value: float
    gradient: Vector
    moved: bool


def search(problem: Problem, y: Vector, value: float, piece: Piece, direction: Vector, *, wolfe: bool = True) -> Found:
    """Go along a direction until the value has fallen enough and, with ``wolfe``, the slope is flatter.

    ``value`` includes the l1 penalty. A step that no bound cut is lengthened while the slope stays steep.
    """
    slope = dot(piece.gradient, direction)
    short, long, length = 0.0, np.inf, 1.0
    best: Found | None = None
    for _ in range(_TRIES):
        there = np.clip(y + length * direction, piece.low, piece.high)
        smooth, gradient = problem.smooth(there)
        here = smooth + problem.kink(there)
        fall = dot(piece.gradient, there - y)
        if not np.isfinite(here) or here > value + _ENOUGH * fall:
            long = length
        else:
            if best is None or here <= best.value:
                best = Found(there, here, gradient, True)
            cut = bool((there != y + length * direction).any())
            signs = 0.0 if problem.l1 is None else dot(problem.l1 * np.sign(there - problem.towards), direction)
            if not wolfe or cut or dot(gradient, direction) + signs >= _FLATTER * slope:
                return best
            short = length
        if best is not None and long - short <= 1e-3 * length:
            return best
        length = 2.0 * short if long == np.inf else _between(short, long, slope, here - value)
    if best is not None:
        return best
    return Found(y, value, piece.gradient, False)


def _between(short: float, long: float, slope: float, rise: float) -> float:
    """The next length: where a parabola through the value and slope at 0 and the value at ``long`` is least."""
    if short > 0 or not np.isfinite(rise):
        return 0.5 * (short + long)
    bend = rise - slope * long
    best = -0.5 * slope * long * long / bend if bend > 0 else 0.5 * long
    return min(max(best, 0.1 * long), 0.5 * long)
