"""Ridge regression by preconditioned conjugate gradient.

Minimises |target − A·x|² + Σ penalty·(x − towards)², with one penalty for all unknowns or one for each. The
preconditioner is the diagonal of AᵀA + penalty. What each step takes off the objective follows from numbers that the
method has anyway, so that it can stop by relative improvement without another pass over the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Reals, driver
from evalsmith.fit.squares.matrix import Vector, dot

RECENT = 3  # steps that together must have gained next to nothing
EXACT = 1e-14  # a residual that is this part of the first is as small as rounding allows


class Rows(Protocol):
    """What the solver needs of a matrix."""

    @property
    def unknowns(self) -> int:
        """How many columns the matrix has."""

    def __len__(self) -> int: ...

    def times(self, x: Vector) -> Vector:
        """A·x."""

    def transposed_times(self, r: Vector) -> Vector:
        """Aᵀ·r."""

    def normal_times(self, x: Vector) -> tuple[Vector, float]:
        """AᵀA·x and |A·x|²."""

    def squares(self) -> Vector:
        """The diagonal of Aᵀ·A, or near it."""


@driver(
    "float64(float64, float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "float64[::1])",
    floats=True,
)
def _advance(
    length: float, penalty: Reals, direction: Reals, image: Reals, diagonal: Reals,
    step: Reals, residual: Reals, scaled: Reals,
) -> float:  # fmt: skip
    """Go ``length`` along the direction; the new strength of the residual."""
    strength = 0.0
    for i in range(len(step)):
        step[i] += length * direction[i]
        residual[i] -= length * (image[i] + penalty[i] * direction[i])
        scaled[i] = residual[i] / diagonal[i]
        strength += residual[i] * scaled[i]
    return strength


@driver("void(float64, float64[::1], float64[::1])", floats=True)
def _turn(share: float, scaled: Reals, direction: Reals) -> None:
    """The next direction: the scaled residual and a share of the last direction."""
    for i in range(len(direction)):
        direction[i] = scaled[i] + share * direction[i]


@dataclass(frozen=True)
class Solution:
    """The minimum that was found, and how; ``residual`` is what is left of the normal equations' first residual."""

    x: Vector
    iterations: int
    objective: float
    converged: bool
    residual: float = 0.0


def solve(
    matrix: Rows,
    target: Vector,
    penalty: float | Vector,
    *,
    towards: Vector | None = None,
    start: Vector | None = None,
    free: npt.NDArray[np.bool_] | None = None,
    tolerance: float = 1e-5,
    max_iterations: int = 200,
) -> Solution:
    """The minimum, until three steps together lower the objective by less than ``tolerance`` of it.

    Only unknowns that are ``free`` are fitted; the others stay at ``towards``. ``start`` is where the search begins.
    """
    base = np.zeros(matrix.unknowns) if towards is None else towards.astype(np.float64)
    pull = np.full(matrix.unknowns, penalty, dtype=np.float64) if np.isscalar(penalty) else np.asarray(penalty)
    # Unknowns that no row touches stay where the penalty pulls them, so they are left out of every step.
    diagonal = matrix.squares() + pull
    diagonal[diagonal == 0] = 1.0
    if free is not None:
        diagonal[~free] = np.inf
    error = target - matrix.times(base)
    step = np.zeros(matrix.unknowns)
    residual = matrix.transposed_times(error)
    scaled = residual / diagonal
    first = strength = dot(residual, scaled)
    if start is not None:
        step = start - base
        error -= matrix.times(step)
        residual = matrix.transposed_times(error) - pull * step
        scaled = residual / diagonal
        strength = dot(residual, scaled)
    objective = dot(error, error) + dot(pull * step, step)
    del error
    direction = scaled.copy()
    gains = [np.inf] * RECENT
    iterations, converged = 0, strength <= EXACT**2 * first
    while iterations < max_iterations and not converged:
        image, square = matrix.normal_times(direction)
        curvature = square + dot(pull * direction, direction)
        if curvature <= 0:
            break
        length, previous = strength / curvature, strength
        strength = _advance(length, pull, direction, image, diagonal, step, residual, scaled)
        _turn(strength / previous, scaled, direction)
        iterations += 1
        gains = [*gains[1:], length * previous]
        objective = max(0.0, objective - gains[-1])
        converged = sum(gains) <= tolerance * objective or strength <= EXACT**2 * first
    error = target - matrix.times(base + step)
    objective = dot(error, error) + dot(pull * step, step)
    rest = float(np.sqrt(strength / first)) if first > 0 else 0.0
    return Solution(base + step, iterations, objective, converged, rest)
