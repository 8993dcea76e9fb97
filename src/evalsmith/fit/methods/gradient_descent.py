"""Gradient descent with momentum, in units in which every weight bends the loss alike.

A step is the gradient divided by the diagonal of the second derivatives at the start, so that a rate of 1 is the step
that would be best for each weight alone, and one rate suits weights that are seen in every position and rare ones. An
adaptive rate is halved, and the step taken back, when the value rises; else it grows a little. l1 by proximal steps.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.fit.methods.problem import Problem
from evalsmith.fit.methods.settings import MethodSettings, State

Vector = npt.NDArray[np.float64]

RATE = 0.1
_GROWTH = 1.05


class GradientDescent:
    """Gradient descent, one pass a step."""

    window = 10

    def __init__(self, problem: Problem, settings: MethodSettings) -> None:
        self.problem, self.settings = problem, settings

    def begin(self, y: Vector) -> State:
        """The state before the first step."""
        smooth, gradient = self.problem.smooth(y)
        return {
            "y": y,
            "value": np.array(smooth + self.problem.kink(y)),
            "gradient": gradient,
            "diagonal": self.problem.diagonal(y),
            "velocity": np.zeros(len(y)),
            "rate": np.array(self.settings.learning_rate or RATE),
        }

    def restore(self, state: State) -> None:
        """The state is all there is."""

    def advance(self, state: State) -> tuple[State, bool]:
        """One step; with an adaptive rate it may lead nowhere but to a smaller rate."""
        rate = float(state["rate"])
        step = rate / state["diagonal"]
        aimed = state["y"] + self.settings.momentum * state["velocity"] - step * state["gradient"]
        y = self.problem.proximal(aimed, step)
        smooth, gradient = self.problem.smooth(y)
        value = smooth + self.problem.kink(y)
        if self.settings.adaptive and not value <= float(state["value"]):
            slower = {"velocity": np.zeros(len(y)), "rate": np.array(0.5 * rate)}
            return {**state, **slower}, rate < 1e-12
        faster = rate * _GROWTH if self.settings.adaptive else rate
        moved = {"y": y, "value": np.array(value), "gradient": gradient, "velocity": y - state["y"]}
        return {**state, **moved, "rate": np.array(faster)}, False
