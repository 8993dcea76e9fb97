"""Rows less the mean of their group: the same as dense algebra, blind to what a group shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.fit.squares.centred import Centred, centred
from evalsmith.fit.squares.dense import Ridge
from fitting_samples import as_scipy, random_matrix

ROWS, UNKNOWNS, GROUPS = 60, 8, 13


def problem(seed: int) -> tuple[Centred, np.ndarray, np.ndarray]:
    """Centred rows, the same as a dense matrix, and targets."""
    source = np.random.default_rng(seed)
    matrix = random_matrix(ROWS, UNKNOWNS, seed, factors=True)
    group = source.integers(0, GROUPS, ROWS)
    dense = as_scipy(matrix).toarray()
    dense = np.stack([centred(column, group) for column in dense.T], axis=1)
    return Centred(matrix, group), dense, source.normal(size=ROWS)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_products_are_those_of_centred_rows(seed: int) -> None:
    rows, dense, r = problem(seed)
    x = np.random.default_rng(seed + 1).normal(size=UNKNOWNS)
    assert rows.times(x) == pytest.approx(dense @ x, abs=1e-5)
    assert rows.transposed_times(r) == pytest.approx(dense.T @ r, abs=1e-5)
    back, square = rows.normal_times(x)
    assert back == pytest.approx(dense.T @ dense @ x, abs=1e-4)
    assert square == pytest.approx(float((dense @ x) @ (dense @ x)), abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_what_a_group_shares_changes_no_weight(seed: int) -> None:
    rows, dense, target = problem(seed)
    towards = np.random.default_rng(seed + 2).normal(size=UNKNOWNS)
    shared = 1000 * np.random.default_rng(seed + 3).normal(size=GROUPS)[rows.group]
    found = Ridge(rows, centred(target, rows.group), 2.0, towards, tolerance=1e-12).solve().x
    again = Ridge(rows, centred(target + shared, rows.group), 2.0, towards, tolerance=1e-12).solve().x
    exact = towards + np.linalg.solve(
        dense.T @ dense + 2.0 * np.eye(UNKNOWNS), dense.T @ (centred(target, rows.group) - dense @ towards)
    )
    assert found == pytest.approx(exact, abs=1e-3)
    assert again == pytest.approx(found, abs=1e-3)


def test_groups_may_have_gaps() -> None:
    assert centred(np.array([1.0, 3.0, 5.0]), np.array([7, 7, 2])).tolist() == [-1.0, 1.0, 0.0]
