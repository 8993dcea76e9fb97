"""Judging a fit: losses, their difference with an error by game, calibration, scale."""

from __future__ import annotations

import numpy as np
import pytest

from evalsmith.fit.joint.judging import calibration, compare, residuals, row_losses, scale_of
from evalsmith.fit.joint.targets import probability


def test_probability_is_the_formula() -> None:
    assert probability(np.array([0.0, 400.0, -400.0]), 1.0) == pytest.approx([0.5, 10 / 11, 1 / 11])
    assert probability(np.array([200.0]), 2.0) == pytest.approx([10 / 11])
    assert probability(np.array([-1e9, 1e9]), 1.0).tolist() == [0.0, 1.0]


def test_losses_of_rows() -> None:
    value, target = np.array([0.0, 400.0]), np.array([1.0, 0.5])
    assert row_losses(value, target, "logistic", 1.0) == pytest.approx([0.25, (0.5 - 10 / 11) ** 2])
    assert row_losses(value, target, "squared", 1.0) == pytest.approx([1.0, 399.5**2])
    assert row_losses(value, target, "cross-entropy", 1.0)[0] == pytest.approx(np.log(2))


def test_the_error_of_a_difference_counts_games_not_positions() -> None:
    source = np.random.default_rng(1)
    by_game = source.normal(size=200)
    games = np.repeat(np.arange(200), 50)
    same = compare(np.zeros(10_000), by_game[games], games)
    assert same.error == pytest.approx(by_game.std(ddof=1) / np.sqrt(200), rel=1e-9)
    apart = compare(np.zeros(10_000), by_game[games], np.arange(10_000))
    assert apart.error < same.error / 5
    assert same.worse == (by_game.mean() > 0) and same.games == 200 and same.rows == 10_000


def test_one_game_has_no_error() -> None:
    assert compare(np.zeros(3), np.ones(3), np.zeros(3, dtype=np.int64)).error == float("inf")


def test_calibration_of_true_probabilities_is_the_diagonal() -> None:
    source = np.random.default_rng(2)
    p = source.random(200_000)
    bins = calibration(p, (source.random(200_000) < p).astype(np.float64))
    assert len(bins) == 10 and sum(one.rows for one in bins) == 200_000
    assert all(abs(one.predicted - one.actual) < 0.02 for one in bins)


def test_residuals_cover_all_rows_once() -> None:
    by = np.array([0, 0, 0, 1, 2, 3, 3, 9], dtype=np.float64)
    shown = {"fitted": np.arange(8.0), "start": np.zeros(8)}
    bins = residuals(by, shown, np.ones(8), "phase")
    assert sum(one.rows for one in bins) == 8 and bins[0].name.startswith("phase 0 to")


def test_scale() -> None:
    start = np.array([1.0, -2.0, 3.0])
    assert scale_of(start, 2 * start).factor == pytest.approx(2) and scale_of(start, 2 * start).correlation == 1
    assert np.isnan(scale_of(np.zeros(3), start).factor)
