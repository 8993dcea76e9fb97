from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalsmith.fit.joint.objective import LOSSES, Objective, Penalty, Space, fit_k, probability
from evalsmith.fit.joint.space import Reduced
from evalsmith.run import InputError
from joint_problems import problem, random_arrays


@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_agree_with_differences_of_values(loss: str, columns: int) -> None:
    objective = problem(loss=loss, columns=columns, ridge=1e-3, l1=0.02)
    x = np.random.default_rng(4).normal(0, 60, objective.unknowns)
    value, gradient = objective.value_gradient(x)
    assert value == pytest.approx(objective.value(x), rel=1e-14)
    step = 1e-3
    for i in range(objective.unknowns):
        there = np.eye(objective.unknowns)[i] * step
        slope = (objective.value(x + there) - objective.value(x - there)) / (2 * step)
        assert slope == pytest.approx(gradient[i], rel=1e-5, abs=1e-8 * max(1, value))


@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
def test_exact_curvature_agrees_with_differences_of_gradients(loss: str) -> None:
    objective = problem(loss=loss)
    source = np.random.default_rng(4)
    x, v = source.normal(0, 60, objective.unknowns), source.normal(size=objective.unknowns)
    product, step = objective.curvature_times(x, v), 1e-2
    slopes = (objective.smooth(x + step * v)[1] - objective.smooth(x - step * v)[1]) / (2 * step)
    np.testing.assert_allclose(product, slopes, rtol=1e-4, atol=1e-6 * np.abs(slopes).max())


@pytest.mark.parametrize("loss", LOSSES)
def test_curvature_is_that_of_gauss_and_newton(loss: str) -> None:
    arrays = random_arrays(200, 5, 2)
    matrix, x = arrays.matrix(), np.random.default_rng(4).normal(0, 60, 10)
    target = np.random.default_rng(5).random(200)
    objective = Objective(arrays.rows(), target, None, loss, 1.3, Penalty(np.full(10, 0.1), np.zeros(10)))
    p, rate = probability(matrix @ x, 1.3), 1.3 * np.log(10) / 400
    h = {"logistic": 2 * (rate * p * (1 - p)) ** 2, "cross-entropy": rate**2 * p * (1 - p), "squared": np.full(200, 2)}
    full = ((matrix.T * h[loss]) @ matrix + 0.2 * np.eye(10)) / 200
    np.testing.assert_allclose(objective.curvature_times(x, np.eye(10)[3]), full[3], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(objective.diagonal(x), np.diagonal(full), rtol=1e-6)
    found = objective.curvature_matrix(x, np.arange(10, dtype=np.int32), 10) + 0.2 / 200 * np.eye(10)
    np.testing.assert_allclose(found, full, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_total_is_what_its_formula_says(loss: str) -> None:
    arrays = random_arrays(100, 4, 2)
    source = np.random.default_rng(4)
    x, y, w = source.normal(0, 60, 8), source.random(100), source.random(100).astype(np.float32)
    towards, ridge, l1 = source.normal(0, 10, 8), source.random(8), source.random(8)
    s = arrays.matrix() @ x
    p = 1 / (1 + 10 ** (-0.8 * s / 400))
    each = {
        "logistic": (y - p) ** 2,
        "cross-entropy": -y * np.log(p) - (1 - y) * np.log(1 - p),
        "squared": (y - s) ** 2,
    }
    total = w @ each[loss] + ridge @ (x - towards) ** 2 + l1 @ np.abs(x - towards)
    objective = Objective(arrays.rows(), y, w, loss, 0.8, Penalty(ridge, towards, l1))
    assert objective.value(x) == pytest.approx(total / w.sum(), rel=1e-6)
    other = (source.random(100) < 0.5).astype(np.float32)
    assert objective.data_loss(x, other) == pytest.approx(each[loss][other > 0].mean(), rel=1e-6)


def test_predictions_far_beyond_any_probability_stay_finite() -> None:
    arrays = random_arrays(50, 4, 2)
    for loss in LOSSES[:2]:
        objective = Objective(arrays.rows(), np.zeros(50), None, loss)
        value, gradient = objective.value_gradient(np.full(8, 1e6))
        assert np.isfinite(value)
        assert np.isfinite(gradient).all()


@pytest.mark.parametrize("loss", LOSSES)
def test_threads_and_files_change_no_bit(tmp_path: Path, loss: str) -> None:
    x = np.random.default_rng(4).normal(0, 60, 12)
    first = problem(20_000, loss=loss).value_gradient(x)
    for threads, folder in ((2, None), (1, tmp_path), (2, tmp_path)):
        other = problem(20_000, loss=loss, threads=threads, folder=folder).value_gradient(x)
        assert (other[0], other[1].tobytes()) == (first[0], first[1].tobytes())


@pytest.mark.parametrize(
    ("target", "weight", "loss", "message"),
    [
        ([-1.0, 0.0, 1.0], None, "logistic", "probabilities, but they go from -1 to 1"),
        ([np.nan, 0.0, 1.0], None, "squared", "1 positions have no known target"),
        ([0.0, 0.0, 1.0], [0, 0, 0], "logistic", "none of the 3 positions has a weight above 0"),
        ([0.0, 0.0, 1.0], [1, -1, 1], "logistic", "must be a number that is not negative"),
        ([0.0, 0.0, 1.0], None, "hinge", "there is no loss 'hinge'; choose logistic, cross-entropy, squared"),
    ],
)
def test_what_cannot_be_fitted_is_refused(
    target: list[float], weight: list[float] | None, loss: str, message: str
) -> None:
    rows = random_arrays(3, 2, 2).rows()
    weights = None if weight is None else np.array(weight, dtype=np.float32)
    with pytest.raises(InputError, match=message):
        Objective(rows, np.array(target), weights, loss)


# ── K ──


@pytest.mark.parametrize("loss", ["logistic", "cross-entropy"])
@pytest.mark.parametrize("k", [0.02, 0.7, 3.0])
def test_k_that_made_the_targets_is_found(loss: str, k: float) -> None:
    predictions = np.random.default_rng(1).normal(0, 200 / k, 3000)
    weight = np.ones(3000, dtype=np.float32)
    weight[:500] = 0
    target = probability(predictions, k)
    target[:500] = np.nan
    assert fit_k(predictions, target, weight, loss) == pytest.approx(k, rel=1e-6)


def test_k_is_a_minimum_and_does_not_need_all_positions_to_be_found() -> None:
    source = np.random.default_rng(1)
    predictions = source.normal(0, 200, 250_000)
    target = (source.random(250_000) < probability(predictions, 1.2)).astype(float)
    k = fit_k(predictions, target, None, "logistic")
    losses = [((target - probability(predictions, at)) ** 2).mean() for at in (0.999 * k, k, 1.001 * k)]
    assert losses[1] == min(losses)


@pytest.mark.parametrize(
    ("predictions", "target", "message"),
    [
        ([0.0, 0.0], [0.0, 1.0], "every position the value 0"),
        ([100.0, -50.0], [1.0, 0.0], "right about every result"),
        ([100.0, -50.0], [0.0, 1.0], "go against it"),
        ([100.0, -50.0], [0.5, 0.5], "do not depend on the starting evaluation"),
        ([100.0, -50.0], [2.0, 0.5], "probabilities from 0 to 1"),
        ([], [], "no position with a weight"),
    ],
)
def test_k_of_degenerate_data_is_an_error_that_says_why(
    predictions: list[float], target: list[float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        fit_k(np.array(predictions), np.array(target), None, "logistic")


def test_the_squared_loss_has_no_k() -> None:
    with pytest.raises(InputError, match="the squared loss has no k"):
        fit_k(np.ones(2), np.ones(2), None, "squared")


# ── Spaces ──


def test_tied_weights_are_one_unknown_and_frozen_ones_none() -> None:
    space = Space(free=np.array([True] * 5 + [False]), ties=((0, 2), (2, 3)), low=np.array([-9, 0, 1, -9, 0, 0.0]))
    reduced = Reduced(space, np.array([3.0, 4, 6, 0, 5, 7]))
    assert reduced.size == 3
    assert reduced.shrink(reduced.base).tolist() == [3, 4, 5]
    assert reduced.expand(np.array([8.0, 9, 10])).tolist() == [8, 9, 8, 8, 10, 7]
    assert reduced.gather(np.arange(6.0)).tolist() == [5, 1, 4]
    assert reduced.low.tolist() == [1, 0, 0]
    assert reduced.numbers().tolist() == [0, 1, 0, 0, 2, -1]


def test_a_frozen_weight_holds_those_tied_to_it() -> None:
    reduced = Reduced(Space(free=np.array([True, False, True]), ties=((0, 1),)), np.array([3.0, 4, 5]))
    assert reduced.expand(np.array([6.0])).tolist() == [4, 4, 6]
    with pytest.raises(InputError, match="weights 0 and 1 are tied, but frozen at different values"):
        Reduced(Space(free=np.array([False, False, True]), ties=((0, 1),)), np.array([3.0, 4, 5]))


def test_bounds_that_leave_nothing_and_ties_of_no_weight_are_refused() -> None:
    with pytest.raises(InputError, match=r"the bounds of weight 0 .* leave nothing between: 2 to 1"):
        Reduced(Space(ties=((0, 1),), low=np.array([2.0, 0]), high=np.array([9.0, 1])), np.zeros(2))
    with pytest.raises(InputError, match="weight 7 is tied, but weights are numbered 0 to 1"):
        Reduced(Space(ties=((0, 7),)), np.zeros(2))
