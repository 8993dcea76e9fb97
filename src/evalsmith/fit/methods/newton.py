"""Newton's method with Gauss-Newton's second derivatives: conjugate gradient finds each step.

The preconditioner is the matrix of second derivatives of a fixed sample of the rows, factorised once, as long as the
unknowns are few enough; else the diagonal. The data does not determine all weights (material equals the sum of its
piece squares, some features are never seen): in such directions gradient and curvature are 0, so conjugate gradient
never leaves for them, and the small multiple of the diagonal that is added to the matrix keeps it factorisable.
Where the loss is far from its second-order guess, as for rare features whose positions are all decided, every weight
gets some curvature more until steps gain what they promise. Bounds and l1 by pieces (see `orthant`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from evalsmith.fit.methods.orthant import Piece, search
from evalsmith.fit.methods.problem import Problem
from evalsmith.fit.methods.settings import MethodSettings, State
from evalsmith.fit.squares.matrix import dot

Vector = npt.NDArray[np.float64]

MAX_DENSE = 4000  # unknowns; the matrix of so many takes 128 MB
_SAMPLE = 32  # rows of the sample for each unknown
_ROUGH = 0.1  # the part of the gradient that the first steps may leave
_CG_STEPS, _TOO_MANY = 100, 20  # more than these are a sign that the preconditioner is of another place
_SOFTEST, _STIFFEST = 1e-10, 1e-2  # damping: curvature for each weight, in values a hundredth²
_MISSED = 0.05  # the part of an unknown's diagonal below which the sample says nothing of it
_RIDGE = 1e-9  # of the diagonal, added to the sample's matrix

Solver = Callable[[Vector], Vector]


class Newton:
    """Newton's method; keeps the factorised matrix, which is the same for the same anchor."""

    window = 1

    def __init__(self, problem: Problem, settings: MethodSettings) -> None:
        self.problem, self.settings = problem, settings
        self._matrix = np.zeros((0, 0))
        self._diagonal = np.zeros(0)
        self._free: npt.NDArray[np.bool_] | None = None
        self._damping = 0.0
        self._solve: Solver = np.array

    def begin(self, y: Vector) -> State:
        """The state before the first step; ``anchor`` is where the preconditioner is made."""
        smooth, gradient = self.problem.smooth(y)
        state: State = {"y": y, "value": np.array(smooth + self.problem.kink(y)), "gradient": gradient}
        state |= {"anchor": y, "damping": np.array(0.0)}
        self.restore(state)
        return state

    def restore(self, state: State) -> None:
        """Make the preconditioner of a state."""
        self._diagonal, self._free = self.problem.diagonal(state["anchor"]), None
        if self.problem.size <= MAX_DENSE:
            self._matrix = sampled_matrix(self.problem, state["anchor"], self._diagonal)

    def advance(self, state: State) -> tuple[State, bool]:
        """One step; whether what another step could gain is below the tolerance."""
        y, value, damping = state["y"], float(state["value"]), float(state["damping"])
        piece = Piece.at(self.problem, y, state["gradient"])
        self._restrict(piece.free, damping)
        right = np.where(piece.free, -piece.gradient, 0.0)
        enough = self.settings.tolerance * max(abs(value), 1e-300)
        direction, gain, used = self._step(y, right, enough)
        if gain <= enough and damping == 0:
            return state, True
        found = search(self.problem, y, value, piece, direction, wolfe=False)
        if not found.moved and damping >= _STIFFEST * value:
            return state, True
        moved = dict(state)
        if found.moved:
            moved |= {"y": found.y, "value": np.array(found.value), "gradient": found.gradient}
        moved["damping"] = np.array(_damped(damping, value, (value - found.value) / gain if gain > 0 else 1.0))
        if used > _TOO_MANY:
            moved["anchor"] = found.y
            self.restore(moved)
        return moved, False

    def _step(self, y: Vector, right: Vector, enough: float) -> tuple[Vector, float, int]:
        """Conjugate gradient on H·d = right; the direction, what it should gain, and how many products it took."""
        direction, residual = np.zeros(len(right)), right.copy()
        scaled = self._solve(residual)
        strength = first = dot(residual, scaled)
        along = scaled.copy()
        used = 0
        # What the step could gain is about half of this.
        if first <= enough:
            return direction, 0.0, used
        while used < _CG_STEPS:
            image = self._masked(self.problem.curvature_times(y, along)) + self._damping * along
            bend = dot(along, image)
            used += 1
            if bend <= 1e-14 * strength:
                break
            length = strength / bend
            direction += length * along
            residual -= length * image
            scaled = self._solve(residual)
            strength, last = dot(residual, scaled), strength
            if strength <= _ROUGH**2 * first or 0.5 * strength <= 0.1 * enough:
                break
            along = scaled + (strength / last) * along
        return direction, 0.5 * dot(right, direction), used

    def _masked(self, image: Vector) -> Vector:
        return image if self._free is None else np.where(self._free, image, 0.0)

    # ── The preconditioner ──

    def _restrict(self, free: npt.NDArray[np.bool_], damping: float) -> None:
        """Have the inverse of the preconditioner for the unknowns that may move."""
        if self._free is not None and np.array_equal(self._free, free) and self._damping == damping:
            return
        self._free, self._damping = free.copy(), damping
        if self.problem.size > MAX_DENSE:
            inverse = np.where(free, 1.0 / (self._diagonal + damping), 0.0)
            self._solve = lambda right: inverse * right
        else:
            self._solve = _factorised(self._matrix, free, damping)


def _damped(damping: float, value: float, ratio: float) -> float:
    """The next damping, by what part of the promised gain a step made; below the softest there is none."""
    if ratio < 0.25:
        return max(10 * damping, _SOFTEST * value)
    if ratio < 0.75:
        return damping
    return damping / 10 if damping > 10 * _SOFTEST * value else 0.0


def sampled_matrix(problem: Problem, y: Vector, diagonal: Vector) -> Vector:
    """The second derivatives of a sample of the rows, as large as those of all rows.

    A row is the likelier in the sample the more it adds to the diagonal of one of its unknowns: so about so many rows
    of each are taken, and a rare feature is not missed.
    """
    objective, space = problem.objective, problem.space
    few = len(objective.rows) <= 4 * _SAMPLE * problem.size  # a sample would hardly be smaller
    chance = None if few else _SAMPLE / diagonal
    matrix = objective.curvature_matrix(space.expand(y), space.numbers(), problem.size, chance)
    here = np.arange(problem.size)
    matrix[here, here] += 2 * space.gather(objective.penalty.ridge) / objective.weights
    # Scaling the matrix to its true diagonal would give weight to directions that no row determines.
    own = matrix[here, here]
    matrix[here, here] = np.where(own < _MISSED * diagonal, diagonal, own) + _RIDGE * diagonal
    return matrix


def _factorised(matrix: Vector, free: npt.NDArray[np.bool_], damping: float) -> Solver:
    """The inverse for the free unknowns, by Cholesky; a matrix that is not positive gets more of its diagonal."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve  # it is slow to import, and few commands fit

    chosen = np.flatnonzero(free)
    part = matrix[np.ix_(chosen, chosen)]
    here, more = np.arange(len(chosen)), _RIDGE
    part[here, here] += damping
    own = part[here, here].copy()
    while True:
        try:
            factor = cho_factor(part, lower=True)
            break
        except LinAlgError:
            part[here, here] = own * (1 + more)
            more *= 10

    def solve(right: Vector) -> Vector:
        out = np.zeros(len(right))
        if len(chosen):
            out[chosen] = cho_solve(factor, right[chosen])
        return out

    return solve
