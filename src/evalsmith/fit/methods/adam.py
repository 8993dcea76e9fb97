"""Adam: every weight moves by about the learning rate, in the direction in which its gradients agree.

The rate is in hundreds of the game's unit (pawns). An adaptive rate falls by a tenth after each step that raised the
value, without which the weights would go on swinging about the minimum, and else grows a little. l1 by proximal steps
of the same lengths.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.fit.methods.problem import Problem
from evalsmith.fit.methods.settings import MethodSettings, State

Vector = npt.NDArray[np.float64]

RATE = 0.03
UNIT = 100.0
_SQUARES, _TINY = 0.999, 1e-8
_SLOWER, _FASTER = 0.9, 1.02


class Adam:
    """Adam over all rows, one pass a step."""

    window = 20

    def __init__(self, problem: Problem, settings: MethodSettings) -> None:
        self.problem, self.settings = problem, settings

    def begin(self, y: Vector) -> State:
        """The state before the first step."""
        smooth, gradient = self.problem.smooth(y)
        zeros = np.zeros(len(y))
        return {
            "y": y,
            "value": np.array(smooth + self.problem.kink(y)),
            "gradient": gradient,
            "mean": zeros,
            "square": zeros,
            "count": np.array(0),
            "rate": np.array(self.settings.learning_rate or RATE),
        }

    def restore(self, state: State) -> None:
        """The state is all there is."""

    def advance(self, state: State) -> tuple[State, bool]:
        """One step."""
        count, rate, keep = int(state["count"]) + 1, float(state["rate"]), self.settings.momentum
        gradient = state["gradient"] * UNIT  # of the value in pawns
        mean = keep * state["mean"] + (1 - keep) * gradient
        square = _SQUARES * state["square"] + (1 - _SQUARES) * gradient**2
        size = np.sqrt(square / (1 - _SQUARES**count))
        # A weight that no row has seen has no gradient, and stays.
        step = rate / (size + _TINY * max(float(size.max(initial=0.0)), 1e-300))
        aimed = state["y"] - UNIT * step * mean / (1 - keep**count)
        y = self.problem.proximal(aimed, UNIT**2 * step)
        smooth, gradient = self.problem.smooth(y)
        value = smooth + self.problem.kink(y)
        if self.settings.adaptive:
            rate *= _FASTER if value <= float(state["value"]) else _SLOWER
        moved = {"y": y, "value": np.array(value), "gradient": gradient, "mean": mean, "square": square}
        return {**state, **moved, "count": np.array(count), "rate": np.array(rate)}, False
