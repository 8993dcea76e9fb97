"""Least squares, one fit a column of the layout, each from its own stage of the game and its neighbours.

Stages with few positions borrow from columns of the same parity within the window. A column for which there are no
positions at all repeats the nearest fitted one of its parity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.cg import solve
from evalsmith.fit.compact import Compact, build_compact, term_bases
from evalsmith.fit.matrix import Matrix, build_matrix, join
from evalsmith.fit.validation import Errors, errors
from evalsmith.games import Game
from evalsmith.positions import Samples
from evalsmith.scale import on_threads
from evalsmith.weights import Weights


@dataclass(frozen=True)
class ColumnFit:
    """One fitted column: its weights, how the solver fared, and the errors on both sides of the split."""

    column: int
    weights: npt.NDArray[np.float64]
    positions: int
    iterations: int
    objective: float
    training: Errors
    validation: Errors
    validation_before: Errors
    validation_zero: Errors


def column_groups(
    layout_columns: int, blend: tuple[tuple[int, int, int], ...], phase: npt.NDArray[np.int32]
) -> list[npt.NDArray[np.intp]]:
    """The rows that belong to each column of a sliced layout."""
    of_row = np.array([entry[0] for entry in blend])[phase]
    return [np.flatnonzero(of_row == column) for column in range(layout_columns)]


def neighbours(column: int, window: int, columns: int) -> list[int]:
    """The columns that a column may borrow from: of its parity, at most ``window`` away."""
    return [
        other
        for other in range(max(0, column - window), min(columns, column + window + 1))
        if (other - column) % 2 == 0
    ]


class ColumnFitter:
    """Fits the columns of a sliced layout one by one."""

    def __init__(
        self, game: Game, samples: Samples, target: npt.NDArray[np.float64], validation: npt.NDArray[np.bool_],
        starting: Weights, *, penalty: float, window: int, towards_start: bool, tolerance: float,
    ) -> None:  # fmt: skip
        self.starting = starting
        self.layout = starting.layout
        self.target, self.validation = target, validation
        self.penalty, self.window, self.towards_start = penalty, window, towards_start
        self.tolerance = tolerance
        self.groups = column_groups(len(self.layout.columns), self.layout.blend, samples.phase)
        self.training = [rows[~validation[rows]] for rows in self.groups]
        self.held = [rows[validation[rows]] for rows in self.groups]
        self.base = term_bases(game, self.layout)
        self._game, self._samples = game, samples
        self.matrices = [self._rows(rows) for rows in self.training]
        self.unseen = [self._rows(rows) for rows in self.held]

    def _rows(self, rows: npt.NDArray[np.intp]) -> Matrix | Compact:
        """The rows of some samples, in the compact form where the game has one."""
        words, phase = self._samples.words[rows], self._samples.phase[rows]
        compact = None if self.base is None else build_compact(self._game, self.layout, words, self.base)
        return compact or build_matrix(self._game, self.layout, words, phase)

    def fit(self, column: int) -> ColumnFit | None:
        """The fit of one column, or None where no position is near."""
        near = [other for other in neighbours(column, self.window, len(self.groups)) if len(self.training[other])]
        if not near:
            return None
        matrix = _stack([self.matrices[other] for other in near])
        target = np.concatenate([self.target[self.training[other]] for other in near])
        start = self.starting.values[column].astype(np.float64)
        solution = solve(
            matrix, target, self.penalty, towards=start if self.towards_start else None, tolerance=self.tolerance
        )
        unseen, truth = self.unseen[column], self.target[self.held[column]]
        rounded = np.rint(solution.x)
        return ColumnFit(
            column,
            solution.x,
            len(matrix),
            solution.iterations,
            solution.objective,
            errors(matrix.times(rounded), target),
            errors(unseen.times(rounded), truth),
            errors(unseen.times(start), truth),
            errors(np.zeros(len(truth)), truth),
        )

    def fit_all(self, columns: list[int], concurrency: int) -> Iterator[ColumnFit | None]:
        """Fits of several columns as they are done, on all cores."""
        # A single solve is short, so there is nothing to stop: Ctrl-C waits for those that run.
        for _, fit in on_threads(self.fit, columns, concurrency, lambda: None):
            yield fit


def _stack(parts: list[Matrix | Compact]) -> Matrix | Compact:
    """All rows of several matrices; compact ones are not copied."""
    compact = [part for part in parts if isinstance(part, Compact)]
    if len(compact) == len(parts):
        return compact[0].stacked(compact[1:])
    return join([part for part in parts if isinstance(part, Matrix)])


def fill_gaps(values: npt.NDArray[np.float64], fitted: list[int], columns: int) -> dict[int, int]:
    """Give every column without a fit the nearest fitted one of its parity; which got which."""
    repeated: dict[int, int] = {}
    for column in range(columns):
        if column in fitted:
            continue
        same = [other for other in fitted if (other - column) % 2 == 0] or fitted
        nearest = min(same, key=lambda other: abs(other - column))
        values[column] = values[nearest]
        repeated[column] = nearest
    return repeated
