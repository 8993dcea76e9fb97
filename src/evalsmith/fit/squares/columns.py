"""Least squares, one fit a column of the layout, each from its own stage of the game and its neighbours.

Stages with few positions borrow from columns of the same parity within the window. A column for which there are no
positions at all repeats the nearest fitted one of its parity.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalsmith.fit.squares.cg import Solution
from evalsmith.fit.squares.compact import Compact
from evalsmith.fit.squares.compacting import build_compact, term_bases
from evalsmith.fit.squares.dense import Ridge, curves, solve_dense
from evalsmith.fit.squares.matrix import Matrix, build_matrix, join
from evalsmith.fit.squares.seen import Table, seen_table
from evalsmith.fit.task import Hyperparameters, Task, free_unknowns
from evalsmith.fit.validation import Errors, errors, total
from evalsmith.run import Progress
from evalsmith.scale import on_threads

WIDER, NARROWER = 2, 3  # smoothing over stages: a fit to WIDER windows, then one to a NARROWER-th of the window

Problem = tuple[Matrix | Compact, npt.NDArray[np.float64]]
"""Rows, and what they should add up to."""


@dataclass(frozen=True)
class ColumnFit:
    """One fitted column: its weights, how the solver fared, and the errors on both sides of the split.

    ``validation_plain`` are the errors without curves, where the fit has some.
    """

    column: int
    weights: npt.NDArray[np.float64]
    positions: int
    iterations: int
    objective: float
    converged: bool
    training: Errors
    validation: Errors
    validation_before: Errors
    validation_zero: Errors
    validation_plain: Errors | None
    seen: Table


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

    def __init__(self, task: Task, parameters: Hyperparameters, *, concurrency: int = 1) -> None:
        self.task, self.parameters, self.concurrency = task, parameters, concurrency
        self.starting, self.target = task.start, task.target
        self.layout = task.start.layout
        self.towards_start, self.tolerance = task.settings.towards == "start", task.settings.squares_tolerance
        self.groups = column_groups(len(self.layout.columns), self.layout.blend, task.samples.phase)
        self.training = [rows[~task.validation[rows]] for rows in self.groups]
        self.held = [rows[task.validation[rows]] for rows in self.groups]
        self.base = term_bases(task.game, self.layout)
        self.free = free_unknowns(self.layout, task.settings)
        self._made: dict[tuple[bool, int], Matrix | Compact] | None = None
        self._making = threading.Lock()
        self._threads = 1

    def _rows(self, column: int, *, held: bool = False) -> Matrix | Compact:
        """The rows of a column's samples, in the compact form where the game has one; all are made at once."""
        with self._making:
            if self._made is None:
                self._made = self._all_rows()
            return self._made[held, column]

    def _all_rows(self) -> dict[tuple[bool, int], Matrix | Compact]:
        places = [(held, column) for held in (False, True) for column in range(len(self.groups))]
        rows = [(self.held if held else self.training)[column] for held, column in places]
        words = [self.task.samples.words[each] for each in rows]
        made: Sequence[Matrix | Compact] | None = None
        if self.base is not None:
            made = build_compact(self.task.game, self.layout, words, self.base, threads=self.concurrency)
        if made is None:
            made = [
                build_matrix(self.task.game, self.layout, some, self.task.samples.phase[each])
                for some, each in zip(words, rows, strict=True)
            ]
        return dict(zip(places, made, strict=True))

    def _problem(self, column: int, window: int) -> Problem | None:
        """The rows and targets that a column is fitted to, or None where no position is near."""
        near = [other for other in neighbours(column, window, len(self.groups)) if len(self.training[other])]
        if not near:
            return None
        matrix = _stack([self._rows(other) for other in near])
        if isinstance(matrix, Compact):
            matrix = matrix.with_threads(self._threads)
        return matrix, np.concatenate([self.target[self.training[other]] for other in near])

    def _solve(self, column: int, parameters: Hyperparameters) -> tuple[Solution, Problem] | None:
        """The fit of a column and what it was fitted to, or None where no position is near.

        Smoothed over stages, it is pulled towards a fit to twice the window, and is itself one to a third of it.
        """
        start = self.starting.values[column].astype(np.float64)
        towards = start if self.towards_start else np.zeros(len(start))
        smooth = parameters.smooth == "stages"
        problem = self._problem(column, parameters.window * WIDER if smooth else parameters.window)
        if problem is None:
            return None
        ridge = Ridge(*problem, parameters.penalty, towards, free=self.free, tolerance=self.tolerance)
        given = curves(self.task.game, self.layout, parameters.dense, self.task.settings.terms)
        found = solve_dense(ridge, parameters.dense, given)
        near = self._problem(column, parameters.window // NARROWER) if smooth else None
        if near is None:
            return found, problem
        last = Ridge(*near, parameters.penalty, found.x, free=self.free, tolerance=self.tolerance).solve()
        return replace(last, iterations=found.iterations + last.iterations), near

    def held_errors(self, column: int, parameters: Hyperparameters) -> Errors:
        """The errors that other settings give on a column's held-out positions."""
        found = self._solve(column, parameters)
        if found is None:
            return errors(np.zeros(0), np.zeros(0))
        rounded = np.rint(found[0].x)
        return errors(self._rows(column, held=True).times(rounded), self.target[self.held[column]])

    def measure(self, columns: Sequence[int], parameters: Hyperparameters, progress: Progress) -> Errors:
        """The errors that settings give on the held-out positions of some columns."""
        self._threads = max(1, self.concurrency // max(1, len(columns)))
        work = on_threads(lambda column: self.held_errors(column, parameters), columns, self.concurrency, lambda: None)
        found: dict[int, Errors] = {}
        for column, its in work:
            found[column] = its
            progress.advance()
        return total([found[column] for column in columns])

    def fit(self, column: int) -> ColumnFit | None:
        """The fit of one column, or None where no position is near."""
        found = self._solve(column, self.parameters)
        if found is None:
            return None
        solution, (matrix, target) = found
        unseen, truth = self._rows(column, held=True), self.target[self.held[column]]
        start = self.starting.values[column].astype(np.float64)
        plain = None
        if self.parameters.dense != "none":
            plain = self.held_errors(column, replace(self.parameters, dense="none"))
        rounded = np.rint(solution.x)
        return ColumnFit(
            column=column,
            weights=solution.x,
            positions=len(matrix),
            iterations=solution.iterations,
            objective=solution.objective,
            converged=solution.converged,
            training=errors(matrix.times(rounded), target),
            validation=errors(unseen.times(rounded), truth),
            validation_before=errors(unseen.times(start), truth),
            validation_zero=errors(np.zeros(len(truth)), truth),
            validation_plain=plain,
            seen=seen_table(self.layout, matrix.counts(), rounded, start),
        )

    def fit_all(self, columns: list[int]) -> Iterator[ColumnFit | None]:
        """Fits of several columns as they are done, on all cores."""
        left, concurrency = len(columns), self.concurrency
        self._threads = max(1, concurrency // max(1, left))
        # A single solve is short, so there is nothing to stop: Ctrl-C waits for those that run.
        for _, fit in on_threads(self.fit, columns, concurrency, lambda: None):
            left -= 1
            # Cores for which no column waits help with those that begin from here on.
            self._threads = max(1, concurrency // max(1, left))
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
