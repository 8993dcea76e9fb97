from __future__ import annotations

import numpy as np
import pytest

from evalsmith.fit.joint import inspect
from evalsmith.fit.joint.inspect import standard_errors, undetermined
from evalsmith.fit.joint.objective import Objective, Penalty, Space
from evalsmith.fit.joint.rounding import rounded
from evalsmith.fit.joint.rows import Rows, rows_from_arrays
from evalsmith.fit.methods import minimise
from evalsmith.run import InputError
from joint_problems import problem, random_arrays, results


def dense(matrix: np.ndarray) -> Rows:
    """Rows of one column from a matrix."""
    count, size = matrix.shape
    zeros = np.zeros(count, dtype=int)
    start = np.arange(0, count * size + 1, size)
    index = np.tile(np.arange(size), count)
    return rows_from_arrays(start, index, matrix.reshape(-1), zeros, zeros, np.zeros(count), columns=1, size=size)


def test_errors_are_as_large_as_fits_to_other_noise_differ() -> None:
    source = np.random.default_rng(1)
    matrix = source.integers(-2, 3, (500, 3)).astype(float)
    true, rows = np.array([30.0, -20, 10]), dense(matrix)
    fits = []
    for _ in range(60):
        target = matrix @ true + source.normal(0, 40, 500)
        objective = Objective(rows, target, None, "squared")
        fits.append(minimise(objective, np.zeros(3)).x)
    np.testing.assert_allclose(standard_errors(objective, fits[-1]), np.std(fits, axis=0), rtol=0.3)


def test_positions_of_one_game_count_as_one() -> None:
    source = np.random.default_rng(1)
    matrix = np.repeat(source.integers(-2, 3, (200, 2)).astype(float), 10, axis=0)  # ten copies of every position
    target = np.repeat(matrix[::10] @ [20.0, 10] + source.normal(0, 40, 200), 10)
    objective = Objective(dense(matrix), target, None, "squared")
    x = minimise(objective, np.zeros(2)).x
    single = Objective(dense(matrix[::10]), target[::10], None, "squared")
    games = np.repeat(np.arange(200), 10)
    np.testing.assert_allclose(standard_errors(objective, x, games), standard_errors(single, x), rtol=0.01)
    assert (standard_errors(objective, x) < 0.5 * standard_errors(objective, x, games)).all()


def test_clusters_in_blocks_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    objective = problem()
    x = minimise(objective, np.zeros(12)).x
    games = np.random.default_rng(1).integers(0, 50, 400)
    whole = standard_errors(objective, x, games)
    monkeypatch.setattr(inspect, "_BLOCK", 100)
    np.testing.assert_allclose(standard_errors(objective, x, games), whole, rtol=1e-9)


def test_errors_of_what_is_not_determined_are_infinite_and_of_frozen_weights_0() -> None:
    source = np.random.default_rng(1)
    matrix = source.integers(-1, 2, (200, 5)).astype(float)
    matrix[:, 1] = matrix[:, 0]  # a copy
    matrix[:, 3] = 0  # never seen
    space = Space(free=np.array([True, True, True, True, False]))
    target = matrix @ [5.0, 5, 5, 0, 5] + source.normal(0, 3, 200)
    objective = Objective(dense(matrix), target, None, "squared", space=space)
    errors = standard_errors(objective, np.full(5, 5.0))
    assert np.isinf(errors).tolist() == [True, True, False, True, False]
    assert errors[4] == 0
    ridge = Penalty(np.full(5, 1.0), np.zeros(5))
    held = Objective(dense(matrix), target, None, "squared", penalty=ridge, space=space)
    assert np.isinf(standard_errors(held, np.full(5, 5.0))).tolist() == [False, False, False, True, False]


def test_groups_that_only_sums_determine_are_found() -> None:
    source = np.random.default_rng(1)
    pieces = source.integers(-1, 2, (300, 4)).astype(float)
    other = source.integers(-2, 3, (300, 3)).astype(float)
    matrix = np.column_stack([pieces.sum(axis=1), pieces, other, -other[:, 0], np.zeros(300)])
    weight = np.ones(300, dtype=np.float32)
    found = undetermined(Objective(dense(matrix), np.zeros(300), weight, "squared"))
    assert found.never_seen.tolist() == [9]
    assert [group.tolist() for group in found.groups] == [[0, 1, 2, 3, 4], [5, 8]]


def test_of_very_many_weights_copies_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = np.random.default_rng(1).integers(-2, 3, (100, 5)).astype(float)
    matrix[:, 4], matrix[:, 2] = -matrix[:, 1], 0
    monkeypatch.setattr(inspect, "MAX_DENSE", 3)
    objective = Objective(dense(matrix), np.zeros(100), None, "squared")
    found = undetermined(objective)
    assert found.never_seen.tolist() == [2]
    assert [group.tolist() for group in found.groups] == [[1, 4]]
    assert np.isinf(standard_errors(objective, np.ones(5))).tolist() == [False, False, True, False, False]


def test_everything_determined_says_nothing() -> None:
    found = undetermined(problem())
    assert (len(found.never_seen), found.groups) == (0, ())


# ── Whole weights ──


def test_repair_gains_back_part_of_what_rounding_loses() -> None:
    arrays = random_arrays(3000, 20, 2, most=9)
    true = np.random.default_rng(1).normal(0, 6, 40)
    objective = Objective(arrays.rows(), results(arrays, true), None, "logistic", 1.0)
    found = minimise(objective, np.zeros(40))
    whole = rounded(objective, found.x)
    assert whole.x.dtype == np.int64
    assert whole.loss_exact < whole.loss_repaired < whole.loss_rounded
    assert objective.value(whole.x.astype(float)) == pytest.approx(whole.loss_repaired, rel=1e-12)
    assert objective.value(np.rint(found.x)) == pytest.approx(whole.loss_rounded, rel=1e-12)
    assert np.abs(whole.x - found.x).max() < 4


def test_whole_weights_keep_bounds_ties_and_frozen_ones() -> None:
    free = np.ones(12, dtype=bool)
    free[5] = False
    space = Space(free=free, ties=((0, 7), (1, 2, 3)), low=np.full(12, -20.5), high=np.full(12, 30.5))
    objective = problem(space=space)
    start = np.full(12, 4.0)
    x = minimise(objective, start).x
    whole = rounded(objective, x).x
    assert whole.min() >= -20
    assert whole.max() <= 30
    assert whole[0] == whole[7]
    assert whole[1] == whole[2] == whole[3]
    assert whole[5] == 4


def test_bounds_without_a_whole_number_are_refused() -> None:
    space = Space(low=np.full(12, 0.2), high=np.full(12, 0.7))
    with pytest.raises(InputError, match="no whole number between the bounds of weight 0"):
        rounded(problem(space=space), np.full(12, 0.5))
