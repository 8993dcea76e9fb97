"""Conjugate gradient finds the minimum that a direct solver finds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from evalsmith.fit.squares.cg import solve
from evalsmith.fit.squares.compact import Compact
from evalsmith.fit.squares.entries import Entries
from evalsmith.fit.squares.matrix import Matrix, dot
from fitting_samples import as_scipy, random_matrix

Vector = npt.NDArray[np.float64]


def direct(matrix: Matrix, target: Vector, penalty: float, towards: Vector) -> Vector:
    """The normal equations, by elimination."""
    dense = as_scipy(matrix).toarray()
    left = dense.T @ dense + penalty * np.eye(matrix.unknowns)
    return np.linalg.solve(left, dense.T @ target + penalty * towards)


def objective(matrix: Matrix, target: Vector, penalty: float, towards: Vector, x: Vector) -> float:
    error = target - as_scipy(matrix) @ x
    return float(error @ error + penalty * (x - towards) @ (x - towards))


def problem(seed: int, *, factors: bool) -> tuple[Matrix, Vector, Vector]:
    source = np.random.default_rng(seed)
    matrix = random_matrix(150, 40, seed, factors=factors)
    return matrix, 100 * source.normal(size=150), 30 * source.normal(size=40)


@pytest.mark.parametrize("factors", [False, True])
@pytest.mark.parametrize("pulled", [False, True])
@pytest.mark.parametrize("penalty", [0.01, 1.0, 150.0])
def test_the_minimum(penalty: float, pulled: bool, factors: bool) -> None:
    matrix, target, towards = problem(1, factors=factors)
    solution = solve(matrix, target, penalty, towards=towards if pulled else None, tolerance=1e-15)
    base = towards if pulled else np.zeros(40)
    expected = direct(matrix, target, penalty, base)
    assert solution.converged
    np.testing.assert_allclose(solution.x, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    lowest = objective(matrix, target, penalty, base, expected)
    assert solution.objective == pytest.approx(lowest, rel=1e-9)


@pytest.mark.parametrize("pulled", [False, True])
def test_the_gradient_there_is_zero(pulled: bool) -> None:
    """By differences to both sides, in every direction."""
    matrix, target, towards = problem(2, factors=True)
    base = towards if pulled else np.zeros(40)
    x = solve(matrix, target, 2.0, towards=towards if pulled else None, tolerance=1e-16).x
    lowest = objective(matrix, target, 2.0, base, x)
    for place in range(40):
        step = np.zeros(40)
        step[place] = 1e-3
        above, below = (objective(matrix, target, 2.0, base, x + side * step) for side in (1, -1))
        assert abs(above - below) / 2e-3 < 1e-6 * lowest
        assert min(above, below) >= lowest


def test_unknowns_that_no_row_touches_stay_where_the_penalty_pulls_them() -> None:
    matrix = Matrix(np.array([0, 1, 2]), np.array([0, 2], np.int32), np.zeros(0, np.float32), 4)
    towards = np.array([1.0, 2.0, 3.0, -4.0])
    for penalty in (0.0, 5.0):
        found = solve(matrix, np.array([10.0, 20.0]), penalty, towards=towards, tolerance=1e-16).x
        assert found[[1, 3]].tolist() == [2.0, -4.0]
        np.testing.assert_allclose(found[[0, 2]], [(10 + penalty) / (1 + penalty), (20 + 3 * penalty) / (1 + penalty)])


def test_without_a_penalty_an_exact_answer_is_found() -> None:
    matrix = random_matrix(300, 20, 3, factors=True)
    truth = np.random.default_rng(3).normal(size=20)
    solution = solve(matrix, matrix.times(truth), 0.0, tolerance=1e-16)
    np.testing.assert_allclose(solution.x, truth, rtol=1e-8, atol=1e-8)
    assert solution.objective < 1e-12


def test_the_tolerance_is_a_trade() -> None:
    matrix, target, _ = problem(4, factors=True)
    rough, fine = (solve(matrix, target, 1.0, tolerance=tolerance) for tolerance in (1e-1, 1e-12))
    assert rough.converged
    assert rough.iterations < fine.iterations
    assert rough.objective > fine.objective


def test_too_few_iterations_are_told() -> None:
    matrix, target, _ = problem(5, factors=True)
    solution = solve(matrix, target, 1.0, tolerance=1e-15, max_iterations=3)
    assert (solution.iterations, solution.converged) == (3, False)


def test_nothing_to_explain() -> None:
    matrix, _, towards = problem(6, factors=False)
    solution = solve(matrix, matrix.times(towards), 1.0, towards=towards)
    assert (solution.iterations, solution.converged) == (0, True)
    assert (solution.x == towards).all()


def test_the_same_to_the_last_bit() -> None:
    matrix, target, towards = problem(7, factors=True)
    first, second = (solve(matrix, target, 1.0, towards=towards).x for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_the_inner_product() -> None:
    a, b = np.random.default_rng(8).normal(size=(2, 1000))
    assert dot(a, b) == pytest.approx(float(a @ b), rel=1e-12)
    assert dot(a[:0], b[:0]) == 0.0


# ── Compact rows, penalties of their own, unknowns that stay ──


def compact_problem(seed: int) -> tuple[Compact, npt.NDArray[np.float64], Vector, Vector]:
    """Rows of four terms, two of which share a feature, in three parts; and the same rows dense."""
    source = np.random.default_rng(seed)
    base = np.array([0, 9, 9, 21], np.int32)
    parts = tuple(source.integers(0, 9, (rows, 4)).astype(np.uint16) for rows in (70, 1, 90))
    matrix = Compact(parts, Entries.plain(base, 30))
    rows = np.concatenate(parts)
    dense = np.zeros((len(rows), 30))
    for k in range(4):
        np.add.at(dense, (np.arange(len(rows)), base[k] + rows[:, k]), 1.0)
    return matrix, dense, 100 * source.normal(size=len(rows)), 30 * source.normal(size=30)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("penalty", [0.01, 1.0, 150.0])
def test_the_minimum_over_compact_rows(penalty: float, threads: int) -> None:
    matrix, dense, target, towards = compact_problem(1)
    found = solve(matrix.with_threads(threads), target, penalty, towards=towards, tolerance=1e-15)
    expected = np.linalg.solve(dense.T @ dense + penalty * np.eye(30), dense.T @ target + penalty * towards)
    np.testing.assert_allclose(found.x, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def test_the_gradient_over_compact_rows_is_that_of_differences() -> None:
    """−2·Aᵀ(y − A·x) + 2·penalty·(x − towards), anywhere."""
    matrix, dense, target, towards = compact_problem(2)
    x = np.random.default_rng(3).normal(size=30)

    def value(at: Vector) -> float:
        error = target - dense @ at
        return float(error @ error + 5.0 * (at - towards) @ (at - towards))

    gradient = -2 * matrix.transposed_times(target - matrix.times(x)) + 10.0 * (x - towards)
    for place in range(30):
        step = np.zeros(30)
        step[place] = 1e-3
        assert (value(x + step) - value(x - step)) / 2e-3 == pytest.approx(gradient[place], rel=1e-6, abs=1e-3)


def test_a_penalty_for_each_unknown() -> None:
    matrix, target, towards = problem(8, factors=True)
    penalty = np.random.default_rng(8).uniform(0.1, 50, 40)
    found = solve(matrix, target, penalty, towards=towards, tolerance=1e-15)
    dense = as_scipy(matrix).toarray()
    expected = np.linalg.solve(dense.T @ dense + np.diag(penalty), dense.T @ target + penalty * towards)
    np.testing.assert_allclose(found.x, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def test_unknowns_that_are_not_free_stay_and_the_others_make_the_best_of_it() -> None:
    matrix, target, towards = problem(9, factors=True)
    free = np.random.default_rng(9).random(40) < 0.6
    found = solve(matrix, target, 3.0, towards=towards, free=free, tolerance=1e-15).x
    assert (found[~free] == towards[~free]).all()
    dense = as_scipy(matrix).toarray()
    left, rest = dense[:, free], target - dense[:, ~free] @ towards[~free]
    expected = np.linalg.solve(left.T @ left + 3.0 * np.eye(free.sum()), left.T @ rest + 3.0 * towards[free])
    np.testing.assert_allclose(found[free], expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def test_a_start_changes_the_way_and_not_the_end() -> None:
    matrix, target, towards = problem(10, factors=True)
    cold = solve(matrix, target, 2.0, towards=towards, tolerance=1e-15)
    warm = solve(matrix, target, 2.0, towards=towards, start=cold.x, tolerance=1e-9)
    other = solve(matrix, target, 2.0, towards=towards, start=-towards, tolerance=1e-15)
    assert warm.iterations <= 3
    np.testing.assert_allclose(other.x, cold.x, rtol=1e-7, atol=1e-7)
    assert other.objective == pytest.approx(cold.objective, rel=1e-9)
