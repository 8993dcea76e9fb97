"""Ridge regression by preconditioned conjugate gradient.

Minimises |target − A·x|² + penalty·|x − towards|². The preconditioner is the diagonal of AᵀA + penalty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.matrix import Matrix

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """The minimum that was found, and how."""

    x: Vector
    iterations: int
    objective: float
    converged: bool


def solve(
    matrix: Matrix,
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
    strength = float(residual @ scaled)
    first, iterations = strength, 0
    while iterations < max_iterations and strength > tolerance**2 * first:
        image = matrix.times(direction)
        curvature = float(image @ image) + penalty * float(direction @ direction)
        if curvature <= 0:
            break
        length = strength / curvature
        step += length * direction
        residual -= length * (matrix.transposed_times(image) + penalty * direction)
        scaled = residual / diagonal
        previous, strength = strength, float(residual @ scaled)
        direction = scaled + (strength / previous) * direction
        iterations += 1
    error = offset - matrix.times(step)
    objective = float(error @ error) + penalty * float(step @ step)
    return Solution(base + step, iterations, objective, strength <= tolerance**2 * first)
