"""L-BFGS: second derivatives guessed from the last gradients, one pass a step if the guess is good.

The first guess is the diagonal of the second derivatives at the start. Bounds and l1 by pieces (see `orthant`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.fit.methods.orthant import Piece, search
from evalsmith.fit.methods.problem import Problem
from evalsmith.fit.methods.settings import MethodSettings, State
from evalsmith.fit.squares.matrix import dot

Vector = npt.NDArray[np.float64]


class LBFGS:
    """L-BFGS with the memory of the last ``memory`` steps."""

    window = 5

    def __init__(self, problem: Problem, settings: MethodSettings) -> None:
        self.problem, self.settings = problem, settings

    def begin(self, y: Vector) -> State:
        """The state before the first step."""
        smooth, gradient = self.problem.smooth(y)
        empty = np.zeros((0, self.problem.size))
        value = np.array(smooth + self.problem.kink(y))
        diagonal = self.problem.diagonal(y)
        return {"y": y, "value": value, "gradient": gradient, "diagonal": diagonal, "steps": empty, "changes": empty}

    def restore(self, state: State) -> None:
        """The state is all there is."""

    def advance(self, state: State) -> tuple[State, bool]:
        """One step; whether there is nowhere left to go."""
        problem, y, value, gradient = self.problem, state["y"], float(state["value"]), state["gradient"]
        steps, changes = state["steps"], state["changes"]
        piece = Piece.at(problem, y, gradient)
        for again in range(2):
            direction = self._direction(y, piece, steps, changes, state["diagonal"])
            found = search(problem, y, value, piece, direction)
            if found.moved or again or len(steps) == 0:
                break
            steps, changes = steps[:0], changes[:0]  # the memory misleads: begin again with the diagonal
        if not found.moved:
            return state, True
        step, change = found.y - y, found.gradient - gradient
        if dot(step, change) > 1e-12 * np.sqrt(dot(step, step) * dot(change, change)):
            steps = np.concatenate([steps, step[None]])[-self.settings.memory :]
            changes = np.concatenate([changes, change[None]])[-self.settings.memory :]
        moved = {"y": found.y, "value": np.array(found.value), "gradient": found.gradient}
        return {**state, **moved, "steps": steps, "changes": changes}, False

    def _direction(self, y: Vector, piece: Piece, steps: Vector, changes: Vector, diagonal: Vector) -> Vector:
        right = np.where(piece.free, piece.gradient, 0.0)
        direction = -_times_inverse(right, steps, changes, diagonal)
        direction[~piece.free] = 0.0
        if self.problem.l1 is not None:
            direction[direction * piece.gradient > 0] = 0.0  # it would leave the piece at once
        if len(steps) == 0:
            direction *= _first_length(self.problem, y, piece, direction)
        return direction


def _times_inverse(gradient: Vector, steps: Vector, changes: Vector, diagonal: Vector) -> Vector:
    """The guessed inverse of the second derivatives times a gradient: the two loops over the memory."""
    q, shares = gradient.copy(), []
    for step, change in zip(steps[::-1], changes[::-1], strict=True):
        share = dot(step, q) / dot(step, change)
        shares.append(share)
        q -= share * change
    q /= diagonal
    if len(steps):
        q *= dot(steps[-1], changes[-1]) / dot(changes[-1] / diagonal, changes[-1])
    for step, change, share in zip(steps, changes, reversed(shares), strict=True):
        q += (share - dot(change, q) / dot(step, change)) * step
    return q


def _first_length(problem: Problem, y: Vector, piece: Piece, direction: Vector) -> float:
    """How far to go along the first direction: to the minimum of the second-order guess, for one more pass."""
    bend = dot(direction, problem.curvature_times(y, direction))
    slope = -dot(piece.gradient, direction)
    return slope / bend if bend > 0 and slope > 0 else 1.0
