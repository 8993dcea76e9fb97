"""The objective as methods see it: the weights that move, without those that do not, and a count of passes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.objective import Objective
from evalsmith.fit.joint.space import Reduced
from evalsmith.run import InputError

Vector = npt.NDArray[np.float64]


class Problem:
    """A function of the unknowns y that move: a smooth part, l1·|y − towards|, and bounds."""

    def __init__(self, objective: Objective, start: Vector) -> None:
        self.objective = objective
        self.space = Reduced(objective.space, start)
        self.size, self.low, self.high = self.space.size, self.space.low, self.space.high
        self.passes = 0
        penalty = objective.penalty
        self.towards = self.space.gather(penalty.towards) / np.maximum(1.0, self.space.members)
        self.l1 = self.space.gather(penalty.l1) / objective.weights if penalty.l1 is not None else None
        if self.l1 is not None and not self.l1.any():
            self.l1 = None
        if self.l1 is not None:
            member, number = self.space.member, self.space.number
            other = np.flatnonzero(penalty.towards[member] != self.towards[number])
            if other.size:
                raise InputError(f"weight {member[other[0]]} is tied to weights that l1 pulls to other values")

    def smooth(self, y: Vector) -> tuple[float, Vector]:
        """The value without the l1 penalty, and its gradient, in one pass."""
        self.passes += 1
        value, gradient = self.objective.smooth(self.space.expand(y))
        return value, self.space.gather(gradient)

    def value(self, y: Vector) -> float:
        """The value, in one pass."""
        self.passes += 1
        return self.objective.value(self.space.expand(y))

    def kink(self, y: Vector) -> float:
        """The l1 penalty of the unknowns."""
        if self.l1 is None:
            return 0.0
        return self.objective.l1(self.space.expand(y)) / self.objective.weights

    def curvature_times(self, y: Vector, v: Vector) -> Vector:
        """The second derivatives at y times v, in one pass."""
        self.passes += 1
        product = self.objective.curvature_times(self.space.expand(y), self.space.direction(v))
        return self.space.gather(product)

    def diagonal(self, y: Vector) -> Vector:
        """The second derivatives of each unknown by itself, in one pass; positive, also for what no row has.

        Products of tied weights are left out.
        """
        self.passes += 1
        found = self.space.gather(self.objective.diagonal(self.space.expand(y)))
        return np.maximum(found, 1e-12 * found.max(initial=0.0) + 1e-300)

    def clip(self, y: Vector) -> Vector:
        """The nearest point within the bounds."""
        return np.clip(y, self.low, self.high)

    def proximal(self, y: Vector, step: Vector) -> Vector:
        """The nearest point with the l1 penalty, for steps that long in each unknown; within the bounds."""
        if self.l1 is not None:
            off = y - self.towards
            y = self.towards + np.sign(off) * np.maximum(np.abs(off) - step * self.l1, 0.0)
        return self.clip(y)
