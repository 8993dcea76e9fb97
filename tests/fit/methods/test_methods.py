from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.fit.joint.objective import LOSSES, Objective, Penalty, Space
from evalsmith.fit.methods import METHODS, MethodSettings, Step, minimise, newton
from evalsmith.fit.methods.newton import Newton
from evalsmith.run import InputError
from joint_problems import problem, random_arrays

SMOOTH = ("newton", "lbfgs")
FIRST_ORDER = ("gradient_descent", "adam")
ALL = (*SMOOTH, *FIRST_ORDER, "genetic")
NEAR = {"newton": 1e-8, "lbfgs": 1e-8, "gradient_descent": 1e-6, "adam": 1e-6, "genetic": 1e-3}


def chosen(method: str, **more: Any) -> MethodSettings:
    """Settings that go as far as a method can; a genetic search is given few unknowns instead."""
    given = {"iterations": 3000, "tolerance": 1e-12, **more}
    if method == "genetic":
        given |= {"iterations": 60, "population": 30}
    return MethodSettings(method=method, **given)


def best(objective: Objective, start: np.ndarray) -> float:
    """The least value that scipy finds, with the bounds of the objective's space."""
    space = objective.space
    low = np.full(len(start), -np.inf) if space.low is None else space.low
    high = np.full(len(start), np.inf) if space.high is None else space.high
    found = scipy.optimize.minimize(
        objective.value_gradient, start, jac=True, method="L-BFGS-B", bounds=np.stack([low, high], axis=1),
        options={"maxiter": 5000, "maxfun": 20_000, "ftol": 1e-15, "gtol": 1e-12},
    )  # fmt: skip
    return float(found.fun)


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("loss", LOSSES)
def test_every_method_reaches_the_minimum(method: str, loss: str) -> None:
    objective = problem(300, 2, 2, loss=loss, ridge=0.01 if loss != "squared" else 10.0)
    start = np.zeros(4)
    least = best(objective, start)
    found = minimise(objective, start, chosen(method))
    assert found.value == pytest.approx(objective.value(found.x), rel=1e-12)
    assert least * (1 - 1e-8) <= found.value <= least * (1 + NEAR[method])


@pytest.mark.parametrize("method", SMOOTH)
def test_auto_and_more_weights_and_columns(method: str) -> None:
    objective = problem(2000, 15, 4, ridge=1e-3)
    start = np.zeros(60)
    found = minimise(objective, start, chosen(method))
    assert found.value <= best(objective, start) * (1 + 1e-8)
    assert (found.converged, found.stopped) == (True, "converged")
    assert minimise(objective, start).value <= found.value * (1 + 1e-7)


@pytest.mark.parametrize("method", ALL)
def test_bounds_hold_and_the_minimum_is_that_within_them(method: str) -> None:
    space = Space(low=np.array([-40.0, 10, -np.inf, 0]), high=np.array([20.0, 60, np.inf, 0]))
    objective = problem(300, 2, 2, ridge=0.01, space=space)
    start = np.zeros(4)
    found = minimise(objective, start, chosen(method))
    assert (found.x >= space.low).all()
    assert (found.x <= space.high).all()
    assert found.value <= best(objective, np.array([0.0, 10, 0, 0])) * (1 + NEAR[method])


@pytest.mark.parametrize("method", ALL)
def test_l1_leaves_weights_exactly_where_they_are_pulled(method: str) -> None:
    objective = problem(300, 2, 2, ridge=1e-3, l1=0.2)
    towards, l1 = objective.penalty.towards, objective.penalty.l1
    assert l1 is not None

    def split(z: np.ndarray) -> tuple[float, np.ndarray]:
        """The same with the distance as the difference of two numbers that are not negative: smooth."""
        value, gradient = objective.smooth(towards + z[:4] - z[4:])
        per = l1 / objective.weights
        return value + per @ (z[:4] + z[4:]), np.concatenate([gradient + per, per - gradient])

    least = scipy.optimize.minimize(
        split, np.zeros(8), jac=True, method="L-BFGS-B", bounds=[(0, None)] * 8,
        options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-12},
    )  # fmt: skip
    found = minimise(objective, np.zeros(4), chosen(method))
    assert found.value <= least.fun * (1 + NEAR[method])
    if method != "genetic":
        still = np.abs(least.x[:4] - least.x[4:]) < 1e-6
        assert still.any()
        assert not still.all()
        assert (found.x == towards)[still].all()


@pytest.mark.parametrize("method", SMOOTH)
def test_l1_and_bounds_together(method: str) -> None:
    space = Space(low=np.full(12, -25.0), high=np.full(12, 25.0))
    objective = problem(600, 6, 2, ridge=1e-3, l1=0.02, space=space)
    found = minimise(objective, np.zeros(12), chosen(method))
    source = np.random.default_rng(1)
    for _ in range(200):  # a convex problem nearby: no small step within the bounds is better
        near = np.clip(found.x + source.normal(0, 0.5, 12) * (source.random(12) < 0.3), -25, 25)
        assert objective.value(near) >= found.value * (1 - 1e-9)


# ── Resuming ──


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("l1", [0.0, 0.02])
def test_a_resumed_run_equals_an_unbroken_one_to_the_bit(method: str, l1: float) -> None:
    objective = problem(400, 5, 2, ridge=1e-3, l1=l1)
    start, plan = np.zeros(10), MethodSettings(method=method, iterations=12, tolerance=0.0, population=8)
    steps: list[Step] = []
    whole = minimise(objective, start, plan, on_step=lambda step: steps.append(step) is None)
    for stop in (0, len(steps) // 2):
        other = problem(400, 5, 2, ridge=1e-3, l1=l1)
        rest: list[Step] = []
        state = {name: np.array(value) for name, value in steps[stop].state.items()}
        again = minimise(other, start, plan, on_step=lambda step, to=rest: to.append(step) is None, resume=state)
        assert again.x.tobytes() == whole.x.tobytes()
        assert (again.value, again.iterations, again.passes) == (whole.value, whole.iterations, whole.passes)
        assert [step.value for step in rest] == [step.value for step in steps[stop + 1 :]]


def test_newton_resumes_after_it_moved_its_preconditioner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newton, "_TOO_MANY", 1)
    test_a_resumed_run_equals_an_unbroken_one_to_the_bit("newton", 0.0)


def test_a_state_of_another_method_or_problem_is_refused() -> None:
    steps: list[Step] = []
    plan = MethodSettings(method="lbfgs", iterations=2)
    minimise(problem(), np.zeros(12), plan, on_step=lambda step: steps.append(step) is None)
    with pytest.raises(InputError, match="of 12 unknowns by lbfgs, not of 12 by adam"):
        minimise(problem(), np.zeros(12), MethodSettings(method="adam"), resume=steps[0].state)
    with pytest.raises(InputError, match="of 12 unknowns by lbfgs, not of 4 by lbfgs"):
        minimise(problem(size=2), np.zeros(4), plan, resume=steps[0].state)


# ── Stopping ──


def test_a_run_stops_when_it_is_told_to() -> None:
    found = minimise(problem(), np.zeros(12), MethodSettings(method="adam"), on_step=lambda step: step.iteration < 4)
    assert (found.iterations, found.stopped, found.converged) == (4, "interrupted", False)
    few = minimise(problem(), np.zeros(12), MethodSettings(method="adam", iterations=3))
    assert (few.iterations, few.stopped) == (3, "iterations")


def test_patience_ends_a_run_that_finds_nothing_better() -> None:
    plan = MethodSettings(method="adam", learning_rate=5.0, adaptive=False, patience=7, tolerance=0.0)
    assert minimise(problem(), np.zeros(12), plan).stopped == "patience"


def test_the_best_of_all_steps_is_the_result() -> None:
    values: list[float] = []
    plan = MethodSettings(method="adam", learning_rate=1.0, adaptive=False, iterations=40, tolerance=0.0)
    found = minimise(problem(), np.zeros(12), plan, on_step=lambda step: values.append(step.value) is None)
    assert found.value == min(values) < values[-1]


def test_methods_that_are_none_and_starts_that_are_no_numbers_are_refused() -> None:
    assert set(ALL) < set(METHODS)
    for method in ("cg", "magic"):
        with pytest.raises(InputError, match=f"'{method}' is no method for this objective; choose auto, gradient"):
            minimise(problem(), np.zeros(12), MethodSettings(method=method))
    with pytest.raises(InputError, match="starting weight 3 is not a number"):
        minimise(problem(), np.array([0.0] * 3 + [np.nan] + [0.0] * 8))


@pytest.mark.parametrize("method", ALL)
def test_threads_and_files_change_no_bit(method: str, tmp_path: Path) -> None:
    plan = MethodSettings(method=method, iterations=4, population=5)
    found = [
        minimise(problem(20_000, threads=threads, folder=folder), np.zeros(12), plan)
        for threads, folder in ((1, None), (2, None), (2, tmp_path))
    ]
    assert len({(each.x.tobytes(), each.value, each.passes) for each in found}) == 1


# ── Degenerate data ──


@pytest.mark.parametrize("method", [*SMOOTH, *FIRST_ORDER])
def test_weights_that_no_row_has_stay_where_they_are(method: str) -> None:
    arrays = random_arrays(200, 3, 2)
    wider = Objective(
        type(arrays)(arrays.start, arrays.index, arrays.value, arrays.a, arrays.b, arrays.share, 2, 5).rows(),
        np.random.default_rng(1).random(200),
    )
    start = np.full(10, 7.0)
    found = minimise(wider, start, chosen(method, iterations=300))
    assert found.x[[3, 4, 8, 9]].tolist() == [7.0] * 4
    assert found.value < wider.value(start)


@pytest.mark.parametrize("method", [*SMOOTH, *FIRST_ORDER])
@pytest.mark.parametrize("loss", ["logistic", "cross-entropy"])
def test_draws_alone_and_single_rows_end_well(method: str, loss: str) -> None:
    draws = Objective(random_arrays(100, 3, 2).rows(), np.full(100, 0.5), None, loss)
    found = minimise(draws, np.full(6, 50.0), chosen(method))
    assert found.value <= (0.0 if loss == "logistic" else np.log(2)) + 1e-6
    penalty = Penalty(np.full(6, 1e-6), np.zeros(6))
    single = Objective(random_arrays(1, 3, 2, seed=5).rows(), np.ones(1), None, loss, 1.0, penalty)
    assert np.isfinite(minimise(single, np.zeros(6), chosen(method, iterations=200)).x).all()


def test_directions_that_no_row_determines_are_not_walked() -> None:
    source = np.random.default_rng(1)
    arrays = random_arrays(500, 4, 2)
    # Feature 4 is in every row the sum of the others: material beside piece squares.
    row = np.repeat(np.arange(500), np.diff(arrays.start))
    total = np.bincount(row, weights=arrays.value, minlength=500)
    index = np.insert(arrays.index, arrays.start[1:], 4)
    value = np.insert(arrays.value, arrays.start[1:], total)
    start = arrays.start + np.arange(501)
    rows = type(arrays)(start, index, value, arrays.a, arrays.b, arrays.share, 2, 5).rows()
    objective = Objective(rows, source.random(500), None, "cross-entropy")
    begin = source.normal(0, 20, 10)
    found = minimise(objective, begin, chosen("newton"))
    assert found.value <= best(objective, begin) * (1 + 1e-8)
    assert np.abs(found.x).max() < 1000


@pytest.mark.parametrize(("rows", "loss"), [(20_000, "logistic"), (2000, "cross-entropy")])
def test_newton_needs_tens_of_passes_with_next_to_no_penalty(rows: int, loss: str) -> None:
    objective = problem(rows, 40, 2, ridge=1e-8, loss=loss)
    steps: list[Step] = []
    found = minimise(objective, np.zeros(80), chosen("newton"), on_step=lambda step: steps.append(step) is None)
    assert next(step.passes for step in steps if step.value <= found.value * (1 + 1e-6)) <= 30


def test_without_a_matrix_newton_has_the_diagonal(monkeypatch: pytest.MonkeyPatch) -> None:
    objective = problem(2000, 15, 2)
    dense = minimise(objective, np.zeros(30), chosen("newton"))
    monkeypatch.setattr(newton, "MAX_DENSE", 10)
    assert minimise(objective, np.zeros(30), chosen("newton")).value == pytest.approx(dense.value, rel=1e-9)


def test_nothing_that_moves_is_a_minimum() -> None:
    frozen = problem(space=Space(free=np.zeros(12, dtype=bool)))
    found = minimise(frozen, np.full(12, 3.0))
    assert (found.x.tolist(), found.stopped) == ([3.0] * 12, "converged")


# ── Properties ──


@settings(max_examples=20, deadline=None)
@given(data=st.data(), seed=st.integers(0, 1000), method=st.sampled_from(["newton", "lbfgs", "adam"]))
def test_ties_bounds_and_frozen_weights_hold_whatever_they_are(data: Any, seed: int, method: str) -> None:
    source = np.random.default_rng(seed)
    ties = tuple(tuple(source.choice(8, 2, replace=False).tolist()) for _ in range(data.draw(st.integers(0, 3))))
    low, high = source.normal(-30, 10, 8).min(), source.normal(30, 10, 8).max()
    free = np.array(data.draw(st.lists(st.booleans(), min_size=8, max_size=8)))
    space = Space(free, ties, np.full(8, low), np.full(8, high))
    objective = problem(60, 4, 2, seed=seed, space=space)
    found = minimise(objective, np.zeros(8), MethodSettings(method=method, iterations=15))
    assert (found.x >= low).all()
    assert (found.x <= high).all()
    assert not found.x[~free].any()
    for a, b in ties:
        assert found.x[a] == found.x[b]
    assert found.value <= objective.value(np.zeros(8))


def test_a_tie_is_the_same_as_one_weight_with_both_features() -> None:
    arrays = random_arrays(300, 3, 1)
    target = np.random.default_rng(1).random(300)
    merged = type(arrays)(
        arrays.start, np.minimum(arrays.index, 1), arrays.value, arrays.a, arrays.b, arrays.share, 1, 2
    )  # fmt: skip
    tied = minimise(Objective(arrays.rows(), target, space=Space(ties=((1, 2),))), np.zeros(3), chosen("newton"))
    one = minimise(Objective(merged.rows(), target), np.zeros(2), chosen("newton"))
    np.testing.assert_allclose(tied.x, one.x[[0, 1, 1]], rtol=1e-5)


def test_newton_is_what_auto_takes() -> None:
    made: list[str] = []
    minimise(problem(), np.zeros(12), on_step=lambda step: made.append(str(step.state["method"])) is None)
    assert set(made) == {"newton"}
    assert Newton.window == 1
