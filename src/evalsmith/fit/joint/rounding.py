"""Whole weights: engines have no fractions, and rounding each weight by itself costs more than it must.

Many weights are always seen together, so that their rounding errors add up. After rounding, single steps of ±1 that
lower the second-order guess of the value are taken, the best one first, until none is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Reals, driver
from evalsmith.fit.joint.objective import Objective
from evalsmith.fit.methods.newton import MAX_DENSE, sampled_matrix
from evalsmith.fit.methods.problem import Problem
from evalsmith.run import InputError

Vector = npt.NDArray[np.float64]

_ROUNDS = 4


@dataclass(frozen=True)
class Rounded:
    """Whole weights, and the value of the objective before rounding, after it, and after repair."""

    x: npt.NDArray[np.int64]
    loss_exact: float
    loss_rounded: float
    loss_repaired: float


def rounded(objective: Objective, x: Vector) -> Rounded:
    """Whole weights near ``x`` and within their bounds; beyond 4,000 that move they are rounded only."""
    problem = Problem(objective, np.rint(x))
    exact = objective.value(x)
    low, high = np.ceil(problem.low), np.floor(problem.high)
    narrow = np.flatnonzero(low > high)
    if narrow.size:
        weight = int(problem.space.member[np.flatnonzero(problem.space.number == narrow[0])[0]])
        raise InputError(f"there is no whole number between the bounds of weight {weight}; widen them")
    y = np.clip(np.rint(problem.space.shrink(x)), low, high)
    smooth, gradient = problem.smooth(y)
    value = first = smooth + problem.kink(y)
    if 0 < problem.size <= MAX_DENSE:
        matrix = sampled_matrix(problem, y, problem.diagonal(y))
        for _ in range(_ROUNDS):
            trial = y.copy()
            bent = np.zeros(problem.size) if problem.l1 is None else problem.l1
            _repair(matrix, gradient.copy(), trial, low, high, bent, problem.towards)
            smooth, slope = problem.smooth(trial)
            if not smooth + problem.kink(trial) < value:
                break
            y, value, gradient = trial, smooth + problem.kink(trial), slope
    whole = np.rint(problem.space.expand(y)).astype(np.int64)
    return Rounded(whole, exact, first, value)


@driver(
    "int64(float64[:,::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1])",
    floats=True,
)
def _repair(matrix: Reals, gradient: Reals, y: Reals, low: Reals, high: Reals, l1: Reals, towards: Reals) -> int:
    """Take the best step of ±1 until none lowers the guess, or there were two for each unknown; how many."""
    count = len(y)
    for taken in range(2 * count):
        best, where, way = 0.0, -1, 0.0
        for i in range(count):
            for side in range(2):
                step = 1.0 - 2.0 * side
                if y[i] + step < low[i] or y[i] + step > high[i]:
                    continue
                change = step * gradient[i] + 0.5 * matrix[i, i]
                change += l1[i] * (abs(y[i] + step - towards[i]) - abs(y[i] - towards[i]))
                if change < best:
                    best, where, way = change, i, step
        if where < 0:
            return taken
        y[where] += way
        for i in range(count):
            gradient[i] += way * matrix[where, i]
    return 2 * count
