"""Fits of single columns: whom they borrow from, who fills the gaps, and that each is the ridge minimum."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.squares.columns import ColumnFitter, column_groups, fill_gaps, neighbours
from evalsmith.fit.squares.matrix import build_matrix
from evalsmith.fit.task import Hyperparameters, Task
from evalsmith.games import find_game
from evalsmith.weights import Weights, starting_weights
from fitting_samples import as_scipy, random_samples, random_weights, valued

OTHELLO = find_game("othello")
START = starting_weights(OTHELLO)


def test_neighbours_are_of_the_same_parity_and_within_the_window() -> None:
    assert neighbours(10, 6, 64) == [4, 6, 8, 10, 12, 14, 16]
    assert neighbours(1, 6, 64) == [1, 3, 5, 7]
    assert neighbours(63, 3, 64) == [61, 63]
    assert neighbours(5, 0, 64) == [5]
    assert neighbours(5, 1, 64) == [5]
    for column in range(9):
        for window in range(12):
            expected = [n for n in range(9) if abs(n - column) <= window and n % 2 == column % 2]
            assert neighbours(column, window, 9) == expected


def test_gaps_are_filled_by_the_nearest_of_the_same_parity() -> None:
    values = np.arange(8.0)[:, None] * np.ones((1, 3))
    assert fill_gaps(values, [2, 5], 8) == {0: 2, 1: 5, 3: 5, 4: 2, 6: 2, 7: 5}
    assert values[:, 0].tolist() == [2, 5, 2, 5, 2, 5, 2, 5]


def test_gaps_without_their_parity_take_the_nearest() -> None:
    values = np.arange(4.0)[:, None]
    assert fill_gaps(values, [2], 4) == {0: 2, 1: 2, 3: 2}
    assert values[:, 0].tolist() == [2, 2, 2, 2]


def test_nothing_to_fill() -> None:
    assert fill_gaps(np.zeros((3, 1)), [0, 1, 2], 3) == {}


def test_groups_of_rows_by_column() -> None:
    blend = ((0, 0, 0), (0, 0, 0), (2, 2, 0))
    groups = column_groups(3, blend, np.array([2, 0, 1, 2, 0], dtype=np.int32))
    assert [group.tolist() for group in groups] == [[1, 2, 4], [], [0, 3]]


@pytest.mark.parametrize("pulled", [False, True])
def test_a_column_is_the_ridge_minimum_over_its_window(pulled: bool) -> None:
    """Othello has more weights than there are rows here, so the direct way is through the rows: x = Aᵀ(AAᵀ + p)⁻¹y."""
    samples = valued(OTHELLO, random_samples(OTHELLO, 10), random_weights(OTHELLO, 1, 50))
    target = samples.target.astype(np.float64)
    validation = samples.game % 4 == 0
    start = START
    settings = TuneSettings(towards="start" if pulled else "zero", tolerance=1e-15)
    fitter = ColumnFitter(Task(OTHELLO, samples, target, validation, start, settings), Hyperparameters(20.0, 3))
    for column in (20, 41):
        fit = fitter.fit(column)
        assert fit is not None
        rows = np.flatnonzero(~validation & np.isin(samples.phase, neighbours(column, 3, 64)))
        matrix = build_matrix(OTHELLO, start.layout, samples.words[rows], samples.phase[rows])
        base = start.values[column].astype(np.float64) if pulled else np.zeros(start.layout.size)
        plain = as_scipy(matrix)
        gram = (plain @ plain.T).toarray() + 20.0 * np.eye(len(rows))
        expected = base + plain.T @ np.linalg.solve(gram, target[rows] - plain @ base)
        np.testing.assert_allclose(fit.weights, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())
        assert fit.positions == len(rows)
        # The errors are those of the rounded weights, on the held-out rows of this column alone.
        held = np.flatnonzero(validation & (samples.phase == column))
        unseen = build_matrix(OTHELLO, start.layout, samples.words[held], samples.phase[held])
        off = scipy.sparse.csr_matrix(as_scipy(unseen)) @ np.rint(fit.weights) - target[held]
        assert fit.validation.count == len(held)
        assert fit.validation.square == pytest.approx(np.mean(off**2), rel=1e-9)
        assert fit.validation_zero.square == pytest.approx(np.mean(target[held] ** 2), rel=1e-9)


def test_a_smoothed_column_is_pulled_towards_a_wider_fit() -> None:
    samples = valued(OTHELLO, random_samples(OTHELLO, 10), random_weights(OTHELLO, 1, 50))
    target = samples.target.astype(np.float64)

    def fitter(window: int, start: Weights, smooth: str) -> ColumnFitter:
        task = Task(OTHELLO, samples, target, samples.game % 4 == 0, start, TuneSettings(tolerance=1e-15))
        return ColumnFitter(task, Hyperparameters(20.0, window, smooth=smooth))

    found = fitter(6, START, "stages").fit(20)
    wide = fitter(12, START, "none").fit(20)
    assert found is not None and wide is not None
    rows = np.flatnonzero((samples.game % 4 != 0) & np.isin(samples.phase, neighbours(20, 2, 64)))
    plain = as_scipy(build_matrix(OTHELLO, START.layout, samples.words[rows], samples.phase[rows]))
    gram = (plain @ plain.T).toarray() + 20.0 * np.eye(len(rows))
    expected = wide.weights + plain.T @ np.linalg.solve(gram, target[rows] - plain @ wide.weights)
    np.testing.assert_allclose(found.weights, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())
    assert found.positions == len(rows) and found.iterations > wide.iterations


def test_a_column_far_from_all_positions_has_no_fit() -> None:
    samples = valued(OTHELLO, random_samples(OTHELLO, 3), START)
    early = samples.take(samples.phase > 50)
    settings = TuneSettings(towards="zero", tolerance=1e-3)
    task = Task(OTHELLO, early, early.target.astype(np.float64), early.game == 0, START, settings)
    fitter = ColumnFitter(task, Hyperparameters(1.0, 2))
    assert fitter.fit(10) is None
    assert [fit is None for fit in fitter.fit_all([10, 55])] == [True, False]
