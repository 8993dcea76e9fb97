"""Curves of ordered features: the folded weights are the minimum of the augmented problem."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
import scipy.optimize

from evalsmith.fit.squares.compact import Compact
from evalsmith.fit.squares.dense import Augmented, Curve, Ridge, curves, solve_dense
from evalsmith.fit.squares.entries import Entries
from evalsmith.fit.squares.matrix import Matrix
from evalsmith.games import find_game
from evalsmith.weights import Layout
from fitting_samples import as_scipy, random_matrix

Vector = npt.NDArray[np.float64]
OTHELLO = find_game("othello")
SIZE, OTHERS = 12, 10  # a count of 0 … 11 twice, then a pattern
UNKNOWNS = 2 * SIZE + OTHERS


def given(kind: str) -> list[Curve]:
    amounts = np.arange(SIZE, dtype=np.float64)
    basis = np.sqrt(amounts) if kind == "sqrt" else amounts
    return [Curve(slice(0, SIZE), basis), Curve(slice(SIZE, 2 * SIZE), basis)]


def problem(seed: int, rows: int = 200) -> tuple[Compact, Vector, Vector, Vector]:
    """Targets that fall with the first count, and rise with the second where it is seen: amounts up to 8."""
    source = np.random.default_rng(seed)
    offsets = np.stack(
        [source.integers(0, SIZE, rows), source.integers(0, 9, rows), source.integers(0, OTHERS, rows)], axis=1
    ).astype(np.uint16)
    matrix = Compact((offsets,), Entries.plain(np.array([0, SIZE, 2 * SIZE], np.int32), UNKNOWNS))
    dense = np.zeros((rows, UNKNOWNS))
    for k in range(3):
        dense[np.arange(rows), matrix.entries.base[k] + offsets[:, k]] += 1.0
    truth = 100 * np.sqrt(offsets[:, 1]) - 30.0 * offsets[:, 0] + 40 * source.normal(size=OTHERS)[offsets[:, 2]]
    return matrix, dense, truth + 60 * source.normal(size=rows), 5 * source.normal(size=UNKNOWNS)


def augmented(dense: Vector, kind: str) -> Vector:
    """[A, A·D], written out."""
    basis = np.zeros((UNKNOWNS, 2))
    for number, curve in enumerate(given(kind)):
        basis[curve.places, number] = curve.basis
    return np.concatenate([dense, dense @ basis], axis=1)


@pytest.mark.parametrize("kind", ["linear", "sqrt"])
@pytest.mark.parametrize("penalty", [0.5, 20.0, 1000.0])
def test_the_minimum_of_the_augmented_problem(kind: str, penalty: float) -> None:
    matrix, dense, target, towards = problem(1)
    found = solve_dense(Ridge(matrix, target, penalty, towards, tolerance=1e-15), kind, given(kind))
    both = augmented(dense, kind)
    left = both.T @ both + np.diag([penalty] * UNKNOWNS + [0.0, 0.0])
    x = np.linalg.solve(left, both.T @ (target - dense @ towards))
    expected = towards + x[:UNKNOWNS]
    for number, curve in enumerate(given(kind)):
        expected[curve.places] += x[UNKNOWNS + number] * curve.basis
    assert found.converged
    np.testing.assert_allclose(found.x, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    error = target - dense @ found.x
    assert found.objective == pytest.approx(error @ error + penalty * x[:UNKNOWNS] @ x[:UNKNOWNS], rel=1e-8)


def test_products_and_diagonal_of_the_augmented_rows() -> None:
    plain = random_matrix(60, UNKNOWNS, 4, factors=True, repeats=False)
    whole = Augmented(plain, tuple(given("linear")))
    both = augmented(as_scipy(plain).toarray(), "linear")
    source = np.random.default_rng(4)
    x, r = source.normal(size=UNKNOWNS + 2), source.normal(size=60)
    np.testing.assert_allclose(whole.times(x), both @ x, atol=1e-9)
    np.testing.assert_allclose(whole.transposed_times(r), both.T @ r, atol=1e-9)
    np.testing.assert_allclose(whole.squares(), (both**2).sum(axis=0), rtol=1e-9)


def test_amounts_that_were_never_seen_lie_on_the_curve() -> None:
    matrix, _, target, _ = problem(2)
    zero = np.zeros(UNKNOWNS)
    ridge = Ridge(matrix, target, 100.0, zero, tolerance=1e-15)
    line = solve_dense(ridge, "linear", given("linear")).x[SIZE : 2 * SIZE]
    steps = np.diff(line)
    assert steps[9] == pytest.approx(steps[10], rel=1e-9) and steps[9] > 0  # 9, 10 and 11 have no positions
    plain = solve_dense(ridge, "none", []).x[SIZE : 2 * SIZE]
    assert plain[9:].tolist() == [0, 0, 0]


# ── Monotone ──


def joint(dense: Vector, target: Vector, penalty: float, towards: Vector) -> float:
    """The smallest joint objective, by a bounded least squares over x and steps, with the right ways given."""
    steps = np.zeros((UNKNOWNS, 2 * SIZE))
    for amount in range(SIZE):
        steps[amount:SIZE, amount] = -1.0  # the first feature falls
        steps[SIZE + amount : 2 * SIZE, SIZE + amount] = 1.0
    steps[:SIZE, 0], steps[SIZE : 2 * SIZE, SIZE] = 1.0, 1.0  # where each begins has no sign
    left = np.concatenate([dense, dense @ steps], axis=1)
    ridge = np.concatenate([np.sqrt(penalty) * np.eye(UNKNOWNS), np.zeros((UNKNOWNS, 2 * SIZE))], axis=1)
    low = np.zeros(UNKNOWNS + 2 * SIZE)
    low[:UNKNOWNS] = low[UNKNOWNS] = low[UNKNOWNS + SIZE] = -np.inf
    whole, right = np.concatenate([left, ridge]), np.concatenate([target - dense @ towards, np.zeros(UNKNOWNS)])
    return 2 * float(scipy.optimize.lsq_linear(whole, right, (low, np.inf), method="bvls", tol=1e-14).cost)


@pytest.mark.parametrize("penalty", [5.0, 50.0, 500.0])
def test_monotone_curves_come_near_the_joint_minimum(penalty: float) -> None:
    matrix, dense, target, towards = problem(3)
    found = solve_dense(Ridge(matrix, target, penalty, towards, tolerance=1e-15), "monotone", given("monotone"))
    line = solve_dense(Ridge(matrix, target, penalty, towards, tolerance=1e-15), "linear", given("linear"))
    best = joint(dense, target, penalty, towards)
    assert best * (1 - 1e-9) <= found.objective <= line.objective
    assert found.objective - best < 0.2 * (line.objective - best)


def test_a_large_penalty_leaves_the_curves_alone_and_they_are_monotone() -> None:
    matrix, _, target, _ = problem(5)
    found = solve_dense(
        Ridge(matrix, target, 1e7, np.zeros(UNKNOWNS), tolerance=1e-15), "monotone", given("monotone")
    ).x
    assert (np.diff(found[:SIZE]) <= 1e-2).all() and found[0] - found[SIZE - 1] > 200
    assert (np.diff(found[SIZE : 2 * SIZE]) >= -1e-2).all() and found[2 * SIZE - 1] - found[SIZE] > 150
    assert found[SIZE + 9 : 2 * SIZE] == pytest.approx(found[SIZE + 8], abs=1e-2)  # level beyond what was seen


def test_monotone_with_factors_of_both_signs() -> None:
    """Rows of any factors, an unknown twice in a row: the objective still only falls."""
    source = np.random.default_rng(6)
    matrix: Matrix = random_matrix(300, UNKNOWNS, 6, factors=True)
    target, zero = 50 * source.normal(size=300), np.zeros(UNKNOWNS)
    line = solve_dense(Ridge(matrix, target, 10.0, zero, tolerance=1e-15), "linear", given("linear"))
    found = solve_dense(Ridge(matrix, target, 10.0, zero, tolerance=1e-15), "monotone", given("monotone"))
    assert found.objective < line.objective


# ── Which curves ──


def test_othello_has_a_curve_for_each_count() -> None:
    layout = Layout.of(OTHELLO)
    names = ("mobility", "enemy mobility", "potential mobility", "enemy potential mobility")
    found = curves(OTHELLO, layout, "sqrt")
    assert [curve.places for curve in found] == [layout.slice_of(name) for name in names]
    assert found[0].basis.tolist() == np.sqrt(np.arange(65)).tolist()
    assert len(curves(OTHELLO, layout, "linear", ["mobility", "line8"])) == 1
    assert curves(OTHELLO, layout, "none") == []


def test_a_blended_layout_has_curves_for_every_column() -> None:
    game = find_game("drmario")
    layout = Layout.of(game)
    ordered = sum(feature.ordered for feature in game.evaluation.features)
    columns = 1 if layout.sliced else len(layout.columns)
    found = curves(game, layout, "linear")
    assert ordered > 0 and len(found) == ordered * columns
    places = np.concatenate([np.arange(curve.places.start, curve.places.stop) for curve in found])
    assert len(np.unique(places)) == len(places) and places.max() < layout.size * columns
