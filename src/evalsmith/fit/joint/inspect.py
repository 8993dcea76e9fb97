"""What the data says of each weight: how exactly it is known, whether it is seen, what it cannot be told from.

Both need the matrix of second derivatives of the weights that move. Beyond 4,000 of them each is judged by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.objective import Objective
from evalsmith.fit.joint.passes import SQUARED
from evalsmith.fit.joint.space import Reduced

Vector = npt.NDArray[np.float64]

MAX_DENSE = 4000
_ZERO = 1e-11  # of the largest eigenvalue of a matrix with the diagonal 1: 0 but for rounding
_PART = 1e-6  # of a direction that an unknown must have to be part of it
_BLOCK = 1 << 25  # numbers of the scores of clusters that are made at once


@dataclass(frozen=True)
class Undetermined:
    """Weights that no fitted position has, and groups of which only some sums or differences are determined."""

    never_seen: npt.NDArray[np.intp]
    groups: tuple[npt.NDArray[np.intp], ...]


def standard_errors(objective: Objective, x: Vector, clusters: npt.NDArray[np.integer] | None = None) -> Vector:
    """The standard error of each weight at a minimum ``x``: H⁻¹·B·H⁻¹, H the second derivatives with the penalty.

    B is the sum of the squared gradients of rows, or with ``clusters`` (the game of each row) of whole games, whose
    positions share one result. It is infinite for a weight that no position has or that neither positions nor penalty
    determine, and 0 for one that does not move. Beyond 4,000 weights, correlations are left out: errors are too small.
    """
    space = Reduced(objective.space, x)
    slope = objective.row_slopes(x) / objective.weights
    diagonal = space.gather(objective.diagonal(x))
    seen = space.gather(_counts(objective)) > 0
    if space.size > MAX_DENSE:
        amounts, scale = _scaled(slope**2)
        squares = scale * space.gather(objective.rows.squares(amounts, objective.threads))
        errors = np.sqrt(squares) / np.where(diagonal > 0, diagonal, 1.0)
    else:
        matrix = objective.curvature_matrix(x, space.numbers(), space.size)
        here = np.arange(space.size)
        matrix[here, here] += 2 * space.gather(objective.penalty.ridge) / objective.weights
        spread = _spread(objective, space, slope, clusters)
        errors = _sandwich(matrix, spread)
    errors[~seen] = np.inf
    found = np.zeros(objective.unknowns)
    found[space.member] = errors[space.number]
    return found


def undetermined(objective: Objective) -> Undetermined:
    """What the fitted positions do not determine, whatever their targets.

    Beyond 4,000 weights only copies (and negatives) of other weights are found, not larger combinations.
    """
    space = Reduced(objective.space, np.zeros(objective.unknowns))
    counts = space.gather(_counts(objective))
    numbers, seen = space.numbers(), np.flatnonzero(counts > 0)
    never = np.flatnonzero((numbers >= 0) & (counts[np.maximum(numbers, 0)] == 0)) if space.size else np.zeros(0, int)
    groups = _copies(objective, space, seen) if space.size > MAX_DENSE else _dependent(objective, space, seen)
    members = tuple(space.member[np.isin(space.number, group)] for group in groups)
    return Undetermined(never, members)


def _fitted(objective: Objective) -> npt.NDArray[np.float32]:
    return (objective.weight > 0).astype(np.float32)


def _counts(objective: Objective) -> Vector:
    """A positive number for each unknown that a fitted row has."""
    return objective.rows.squares(_fitted(objective), objective.threads)


def _scaled(amounts: Vector) -> tuple[npt.NDArray[np.float32], float]:
    """Small numbers in the range of 32 bits, and what they were divided by."""
    scale = float(amounts.max(initial=0.0)) or 1.0
    return (amounts / scale).astype(np.float32), scale


def _spread(objective: Objective, space: Reduced, slope: Vector, clusters: npt.NDArray[np.integer] | None) -> Vector:
    """The sum of the squared gradients of rows or of clusters of rows."""
    rows, numbers = objective.rows, space.numbers()
    if clusters is None:
        amounts, scale = _scaled(slope**2)
        return rows.outer(amounts, numbers, space.size, None, objective.threads) * scale
    _, number = np.unique(clusters, return_inverse=True)
    count, block = int(number.max(initial=-1)) + 1, max(1, _BLOCK // max(1, space.size))
    spread = np.zeros((space.size, space.size))
    for begin in range(0, count, block):
        size = min(block, count - begin)
        inside = np.where((number >= begin) & (number < begin + size), number - begin, -1).astype(np.int64).reshape(-1)
        scores = rows.scores(slope, inside, numbers, (size, space.size))
        spread += scores.T @ scores
    return spread * (count / max(1, count - 1))


def _sandwich(matrix: Vector, spread: Vector) -> Vector:
    """The roots of the diagonal of H⁻¹·B·H⁻¹; infinite for what is part of a direction that H does not determine."""
    scale = np.sqrt(np.maximum(np.diagonal(matrix), 0.0))
    scale[scale == 0] = 1.0
    values, vectors = np.linalg.eigh(matrix / scale / scale[:, None])
    void = values <= _ZERO * values.max(initial=0.0)
    inverse = (vectors[:, ~void] / values[~void]) @ vectors[:, ~void].T / scale / scale[:, None]
    errors = np.sqrt(np.maximum(np.einsum("ij,jk,ki->i", inverse, spread, inverse, optimize=True), 0.0))
    errors[(vectors[:, void] ** 2).sum(axis=1) > _PART] = np.inf
    return errors


def _dependent(objective: Objective, space: Reduced, seen: npt.NDArray[np.intp]) -> list[npt.NDArray[np.intp]]:
    """Groups of unknowns that directions without any effect connect."""
    place = np.full(space.size, -1, dtype=np.int32)
    place[seen] = np.arange(len(seen))
    numbers = space.numbers()
    numbers[numbers >= 0] = place[numbers[numbers >= 0]]
    matrix = objective.rows.outer(_fitted(objective), numbers, len(seen), None, objective.threads)
    scale = np.sqrt(np.diagonal(matrix))
    live = scale > 0  # tied weights may cancel each other
    scale[~live] = 1.0
    values, vectors = np.linalg.eigh(matrix / scale / scale[:, None])
    basis = _reduced((vectors[:, values <= _ZERO * values.max(initial=0.0)] / scale[:, None]).T)
    groups: list[set[int]] = []
    for direction in np.abs(basis) > _PART:
        together = set(np.flatnonzero(direction).tolist())
        for other in [group for group in groups if group & together]:
            together |= other
            groups.remove(other)
        groups.append(together)
    return [seen[sorted(group)] for group in sorted(groups, key=min)]


def _reduced(basis: Vector) -> Vector:
    """The same directions, each with as few unknowns as elimination gives: a 1 where all others have 0."""
    rows = basis.copy()
    for row in range(len(rows)):
        size = np.abs(rows[row:]).max(axis=1)
        pick = row + int(size.argmax())
        rows[[row, pick]] = rows[[pick, row]]
        column = int(np.abs(rows[row]).argmax())
        rows[row] /= rows[row, column]
        others = np.arange(len(rows)) != row
        rows[others] -= rows[others, column][:, None] * rows[row]
    return rows


def _copies(objective: Objective, space: Reduced, seen: npt.NDArray[np.intp]) -> list[npt.NDArray[np.intp]]:
    """Groups of unknowns that are the same, or the negative, in every row: they agree on two random sums of rows."""
    rows, source = objective.rows, np.random.default_rng(1)
    sums = []
    for _ in range(2):
        # The slope of a squared loss at x = 0 is −2·target, so the gradient is any sum of rows that one likes.
        draw = source.normal(size=len(rows))
        weight, spare = _fitted(objective), np.zeros(len(rows), dtype=np.float32)
        _, found = rows.fold(np.zeros(rows.unknowns), draw, weight, spare, SQUARED, 0.0, threads=objective.threads)
        sums.append(space.gather(found)[seen])
    sign = np.where(sums[0] < 0, -1.0, 1.0)
    keys = np.round(np.stack([sums[0] * sign, sums[1] * sign], axis=1), 6)
    _, number, count = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    number = number.reshape(-1)
    return [seen[number == group] for group in np.flatnonzero(count > 1)]
