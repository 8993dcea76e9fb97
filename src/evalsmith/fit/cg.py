"""Ridge regression by preconditioned conjugate gradient.

Minimises |target − A·x|² + Σ penalty·(x − towards)², with one penalty for all unknowns or one for each. The
preconditioner is the diagonal of AᵀA + penalty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Reals, driver
from evalsmith.fit.matrix import Vector


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

    def squares(self) -> Vector:
        """The diagonal of Aᵀ·A, or near it."""


@driver("float64(float64[::1], float64[::1])", floats=True)
def dot(a: Reals, b: Reals) -> float:
    """The inner product, always summed in the same order: a sum split over threads does not repeat itself."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


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
    """The minimum that was found, and how."""

    x: Vector
    iterations: int
    objective: float
    converged: bool


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
    """The minimum, until the residual of the normal equations has shrunk to ``tolerance`` of what it is at ``towards``.

    Only unknowns that are ``free`` are fitted; the others stay at ``towards``. ``start`` is where the search begins.
    """
    base = np.zeros(matrix.unknowns) if towards is None else towards.astype(np.float64)
    pull = np.full(matrix.unknowns, penalty, dtype=np.float64) if np.isscalar(penalty) else np.asarray(penalty)
    # Unknowns that no row touches stay where the penalty pulls them, so they are left out of every step.
    diagonal = matrix.squares() + pull
    diagonal[diagonal == 0] = 1.0
    if free is not None:
        diagonal[~free] = np.inf
    offset = target - matrix.times(base)
    step = np.zeros(matrix.unknowns)
    residual = matrix.transposed_times(offset)
    scaled = residual / diagonal
    first = strength = dot(residual, scaled)
    if start is not None:
        step = start - base
        residual = matrix.transposed_times(offset - matrix.times(step)) - pull * step
        scaled = residual / diagonal
        strength = dot(residual, scaled)
    direction = scaled.copy()
    iterations = 0
    while iterations < max_iterations and strength > tolerance**2 * first:
        image = matrix.times(direction)
        curvature = dot(image, image) + dot(pull * direction, direction)
        if curvature <= 0:
            break
        length = strength / curvature
        back = matrix.transposed_times(image)
        previous = strength
        strength = _advance(length, pull, direction, back, diagonal, step, residual, scaled)
        _turn(strength / previous, scaled, direction)
        iterations += 1
    error = offset - matrix.times(step)
    objective = dot(error, error) + dot(pull * step, step)
    return Solution(base + step, iterations, objective, strength <= tolerance**2 * first)
