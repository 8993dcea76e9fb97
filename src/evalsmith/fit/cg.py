"""Ridge regression by preconditioned conjugate gradient.

Minimises |target − A·x|² + penalty·|x − towards|². The preconditioner is the diagonal of AᵀA + penalty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalsmith.compile import Reals, driver
from evalsmith.fit.compact import Compact
from evalsmith.fit.matrix import Matrix, Vector


@driver("float64(float64[::1], float64[::1])", floats=True)
def dot(a: Reals, b: Reals) -> float:
    """The inner product, always summed in the same order: a sum split over threads does not repeat itself."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@driver(
    "float64(float64, float64, float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1])",
    floats=True,
)
def _advance(
    length: float, penalty: float, direction: Reals, image: Reals, diagonal: Reals,
    step: Reals, residual: Reals, scaled: Reals,
) -> float:  # fmt: skip
    """Go ``length`` along the direction; the new strength of the residual."""
    strength = 0.0
    for i in range(len(step)):
        step[i] += length * direction[i]
        residual[i] -= length * (image[i] + penalty * direction[i])
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
    matrix: Matrix | Compact,
    target: Vector,
    penalty: float,
    *,
    towards: Vector | None = None,
    tolerance: float = 1e-5,
    max_iterations: int = 200,
) -> Solution:
    """The minimum, until the residual of the normal equations has shrunk to ``tolerance`` of what it was."""
    base = np.zeros(matrix.unknowns) if towards is None else towards.astype(np.float64)
    # Unknowns that no row touches stay where the penalty pulls them, so they are left out of every step.
    diagonal = matrix.squares() + penalty
    diagonal[diagonal == 0] = 1.0
    offset = target - matrix.times(base)
    step = np.zeros(matrix.unknowns)
    residual = matrix.transposed_times(offset)
    scaled = residual / diagonal
    direction = scaled.copy()
    strength = dot(residual, scaled)
    first, iterations = strength, 0
    while iterations < max_iterations and strength > tolerance**2 * first:
        image = matrix.times(direction)
        curvature = dot(image, image) + penalty * dot(direction, direction)
        if curvature <= 0:
            break
        length = strength / curvature
        back = matrix.transposed_times(image)
        previous = strength
        strength = _advance(length, penalty, direction, back, diagonal, step, residual, scaled)
        _turn(strength / previous, scaled, direction)
        iterations += 1
    error = offset - matrix.times(step)
    objective = dot(error, error) + penalty * dot(step, step)
    return Solution(base + step, iterations, objective, strength <= tolerance**2 * first)
