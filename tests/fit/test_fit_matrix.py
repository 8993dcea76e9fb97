"""The design matrix: its products are those of scipy, and its rows are what the terms say."""

from __future__ import annotations

import numpy as np
import pytest
import sliced_heaps
from broken import base as heaps

from evalsmith.engine import evaluate
from evalsmith.fit.squares import matrix as matrix_module
from evalsmith.fit.squares.matrix import build_matrix
from evalsmith.games import Game, find_game
from evalsmith.games.contract import call_terms
from evalsmith.weights import Layout
from fitting_samples import as_scipy, random_matrix, random_samples, random_weights

FOUR = find_game("connect_four")
OTHELLO = find_game("othello")


# ── Products ──


@pytest.mark.parametrize("factors", [False, True])
@pytest.mark.parametrize(("rows", "unknowns"), [(0, 4), (1, 1), (30, 5), (200, 60), (50, 3000)])
def test_products(rows: int, unknowns: int, factors: bool) -> None:
    matrix = random_matrix(rows, unknowns, rows + unknowns, factors=factors)
    plain = as_scipy(matrix)
    source = np.random.default_rng(1)
    x, r = source.normal(size=unknowns), source.normal(size=rows)
    np.testing.assert_allclose(matrix.times(x), plain @ x, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(matrix.transposed_times(r), plain.T @ r, rtol=1e-12, atol=1e-12)
    assert len(matrix) == rows


@pytest.mark.parametrize("factors", [False, True])
def test_squares(factors: bool) -> None:
    alone = random_matrix(100, 40, 2, factors=factors, repeats=False)
    diagonal = (as_scipy(alone).T @ as_scipy(alone)).diagonal()
    np.testing.assert_allclose(alone.squares(), diagonal, rtol=1e-12)


@pytest.mark.parametrize("factors", [False, True])
@pytest.mark.parametrize("chosen", [[], [0], [3, 1, 1, 49], list(range(50)), list(range(49, -1, -1))])
def test_some_rows(chosen: list[int], factors: bool) -> None:
    matrix = random_matrix(50, 30, 3, factors=factors)
    picked = matrix.rows(np.array(chosen, dtype=np.intp))
    assert (as_scipy(picked).toarray() == as_scipy(matrix).toarray()[chosen]).all()
    x = np.random.default_rng(4).normal(size=30)
    np.testing.assert_allclose(picked.times(x), matrix.times(x)[chosen])


# ── Rows ──


def terms_of(game: Game, position: np.ndarray) -> list[tuple[int, int]]:
    index, value = np.zeros(game.max_terms, dtype=np.int32), np.zeros(game.max_terms, dtype=np.int16)
    count = call_terms(game.context(evaluation=True).row, position, index, value)
    return [(int(i), int(v)) for i, v in zip(index[:count], value[:count], strict=True)]


@pytest.mark.parametrize("game", [OTHELLO, sliced_heaps.GAME], ids=lambda game: game.name)
def test_rows_of_a_sliced_layout_are_the_terms(game: Game) -> None:
    samples = random_samples(game, 3)
    layout = Layout.of(game)
    matrix = build_matrix(game, layout, samples.words, samples.phase)
    assert (len(matrix), matrix.unknowns, matrix.factor.size) == (len(samples), layout.size, 0)
    for number, position in enumerate(samples.words):
        row = matrix.index[matrix.start[number] : matrix.start[number + 1]]
        assert [(int(i), 1) for i in row] == terms_of(game, position)


@pytest.mark.parametrize("game", [FOUR, heaps.GAME], ids=lambda game: game.name)
def test_rows_of_a_blended_layout_share_the_terms_out(game: Game) -> None:
    samples = random_samples(game, 4)
    layout = Layout.of(game)
    matrix = build_matrix(game, layout, samples.words, samples.phase)
    assert matrix.unknowns == layout.size * len(layout.columns)
    dense = as_scipy(matrix).toarray()
    for number, position in enumerate(samples.words):
        expected = np.zeros((len(layout.columns), layout.size))
        first, second, share = layout.blend[samples.phase[number]]
        for i, v in terms_of(game, position):
            expected[first, i] += v * (1 - share / layout.scale)
            expected[second, i] += v * share / layout.scale
        np.testing.assert_allclose(dense[number], expected.reshape(-1), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("game", [FOUR, heaps.GAME, sliced_heaps.GAME], ids=lambda game: game.name)
def test_a_row_times_the_weights_is_the_evaluation(game: Game) -> None:
    """The tuner and the engine cannot disagree, but for the rounding of the engine."""
    samples, weights = random_samples(game, 3, seed=5), random_weights(game, 5)
    matrix = build_matrix(game, weights.layout, samples.words, samples.phase)
    for number, position in enumerate(samples.words):
        row = matrix.rows(np.array([number]))
        column = weights.values[samples.phase[number]] if weights.layout.sliced else weights.values.reshape(-1)
        assert abs(row.times(column.astype(np.float64))[0] - evaluate(game, weights, position)) <= 0.501


def test_no_positions_make_no_rows() -> None:
    for game in (FOUR, OTHELLO):
        nothing = build_matrix(game, Layout.of(game), np.zeros((0, game.words), np.uint64), np.zeros(0, np.int32))
        assert len(nothing) == 0
        assert nothing.transposed_times(np.zeros(0)).shape == (nothing.unknowns,)


@pytest.mark.parametrize("game", [FOUR, OTHELLO], ids=lambda game: game.name)
def test_blocks_do_not_show(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = random_samples(game, 2)
    layout = Layout.of(game)
    whole = build_matrix(game, layout, samples.words, samples.phase)
    monkeypatch.setattr(matrix_module, "_BLOCK", 7)
    blocks = build_matrix(game, layout, samples.words, samples.phase)
    for name in ("start", "index", "factor"):
        assert np.array_equal(getattr(whole, name), getattr(blocks, name))
