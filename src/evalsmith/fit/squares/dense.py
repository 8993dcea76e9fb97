"""Dense sub-coefficients: the weights of an ordered feature are a curve and what deviates from it, w = x + D·z.

The penalty pulls on x alone, so a curve that fits costs nothing, and amounts that were never seen lie on it. ``linear``
and ``sqrt`` have one z a feature (and column), solved together with x. ``monotone`` is any curve that only rises or
only falls, as its straight line does. Its rounds each lower the joint objective: given the fit, the curve moves to the
isotonic regression of where the data want it, weighted by a bound of the curvature there; given the curve, the ridge
is solved again. They stop when little is gained, so the curve is near the joint minimum, not on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression

from evalsmith.fit.squares.centred import Centred
from evalsmith.fit.squares.cg import Rows, Solution, solve
from evalsmith.fit.squares.compact import Compact
from evalsmith.fit.squares.matrix import Matrix, Vector
from evalsmith.games import Game
from evalsmith.weights import Layout

ROUNDS = 8
ENOUGH = 1e-4  # a round that lowers the objective by less than this share is the last


@dataclass(frozen=True)
class Curve:
    """Where the weights of one ordered feature stand among the unknowns, and the basis of each."""

    places: slice
    basis: Vector


def curves(game: Game, layout: Layout, kind: str, terms: Sequence[str] = ()) -> list[Curve]:
    """A curve for each ordered feature that is fitted; in a blended layout one for each column too."""
    if kind == "none":
        return []
    columns = 1 if layout.sliced else len(layout.columns)
    found = []
    for feature in game.evaluation.features:
        if not feature.ordered or (terms and feature.name not in terms):
            continue
        amounts = np.arange(feature.size, dtype=np.float64)
        basis = np.sqrt(amounts) if kind == "sqrt" else amounts
        begin = layout.slice_of(feature.name).start
        for column in range(columns):
            first = begin + column * layout.size
            found.append(Curve(slice(first, first + feature.size), basis))
    return found


@dataclass(frozen=True)
class Augmented:
    """The rows of a matrix with one unknown more for each curve: [A, A·D]."""

    matrix: Rows
    curves: tuple[Curve, ...]

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def unknowns(self) -> int:
        """Those of the matrix, then the curves."""
        return self.matrix.unknowns + len(self.curves)

    def folded(self, x: Vector) -> Vector:
        """The weights x + D·z."""
        weights = x[: self.matrix.unknowns].copy()
        for curve, z in zip(self.curves, x[self.matrix.unknowns :], strict=True):
            weights[curve.places] += z * curve.basis
        return weights

    def times(self, x: Vector) -> Vector:
        """A·(x + D·z)."""
        return self.matrix.times(self.folded(x))

    def transposed_times(self, r: Vector) -> Vector:
        """Aᵀ·r, then Dᵀ·Aᵀ·r."""
        return self._with_curves(self.matrix.transposed_times(r))

    def normal_times(self, x: Vector) -> tuple[Vector, float]:
        """The products both ways, and the square of the first."""
        back, square = self.matrix.normal_times(self.folded(x))
        return self._with_curves(back), square

    def _with_curves(self, back: Vector) -> Vector:
        return np.concatenate([back, [float(back[curve.places] @ curve.basis) for curve in self.curves]])

    def squares(self) -> Vector:
        """Those of the matrix, then what the rows make of each basis, squared."""
        below = []
        for curve in self.curves:
            column = np.zeros(self.matrix.unknowns)
            column[curve.places] = curve.basis
            image = self.matrix.times(column)
            below.append(float(image @ image))
        return np.concatenate([self.matrix.squares(), below])


@dataclass(frozen=True)
class Ridge:
    """A least squares problem with a penalty on how far the ``free`` unknowns are from ``towards``."""

    matrix: Matrix | Compact | Centred
    target: Vector
    penalty: float
    towards: Vector
    free: npt.NDArray[np.bool_] | None = None
    tolerance: float = 1e-5

    def solve(self, *, shape: Vector | None = None, start: Vector | None = None) -> Solution:
        """The minimum; ``shape`` is added to what the penalty pulls towards, ``start`` is where the solver begins."""
        towards = self.towards if shape is None else self.towards + shape
        return solve(
            self.matrix, self.target, self.penalty, towards=towards, start=start, free=self.free,
            tolerance=self.tolerance,
        )  # fmt: skip


def solve_dense(ridge: Ridge, kind: str, given: Sequence[Curve]) -> Solution:
    """The minimum over x and the curves, folded into weights; without curves the plain one."""
    if kind == "none" or not given:
        return ridge.solve()
    joint = Augmented(ridge.matrix, tuple(given))
    unknowns, more = ridge.matrix.unknowns, np.zeros(len(given))
    found = solve(
        joint,
        ridge.target,
        np.concatenate([np.full(unknowns, ridge.penalty), more]),
        towards=np.concatenate([ridge.towards, more]),
        free=None if ridge.free is None else np.concatenate([ridge.free, more == 0]),
        tolerance=ridge.tolerance,
    )
    folded = Solution(joint.folded(found.x), found.iterations, found.objective, found.converged)
    if kind != "monotone":
        return folded
    straight = joint.folded(np.concatenate([np.zeros(unknowns), found.x[unknowns:]]))
    return _monotone(ridge, given, found.x[unknowns:] < 0, straight, folded)


def _monotone(
    ridge: Ridge, given: Sequence[Curve], falls: npt.NDArray[np.bool_], shape: Vector, best: Solution
) -> Solution:
    """From straight lines to the monotone curves, round by round; ``shape`` is D·z at first."""
    tied = np.zeros(ridge.matrix.unknowns)
    for curve in given:
        tied[curve.places] = 1.0
    sizes = ridge.matrix.absolute()
    # Row sums bound the curvature of all curves together, so that no round goes too far.
    bound = sizes.transposed_times(sizes.times(tied))
    iterations = best.iterations
    for _ in range(ROUNDS):
        shape = _projected(best.x - ridge.towards, shape, bound, ridge.penalty, given, falls)
        again = ridge.solve(shape=shape, start=best.x)
        iterations += again.iterations
        if again.objective > best.objective:
            break
        gained = best.objective - again.objective
        best = again
        if gained <= ENOUGH * best.objective:
            break
    return Solution(best.x, iterations, best.objective, best.converged)


def _projected(
    weights: Vector, shape: Vector, bound: Vector, penalty: float, given: Sequence[Curve], falls: npt.NDArray[np.bool_]
) -> Vector:
    """The curves that are nearest to where the weights want them; amounts that were never seen lie between others."""
    moved = shape.copy()
    for curve, down in zip(given, falls, strict=True):
        here, weight = shape[curve.places], bound[curve.places]
        seen = np.flatnonzero(weight > 0)
        if not len(seen):
            continue
        wanted = here[seen] + (weights[curve.places][seen] - here[seen]) * (weight[seen] + penalty) / weight[seen]
        strength = weight[seen] * penalty / (weight[seen] + penalty)
        level = isotonic_regression(wanted, weights=strength, increasing=not down).x
        moved[curve.places] = np.interp(np.arange(len(here)), seen, level)
    return moved
