from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.fit.joint import chunks, extraction
from evalsmith.fit.joint import rows as rows_module
from evalsmith.fit.joint.passes import CURVATURE
from evalsmith.fit.joint.plain import Unfolder
from evalsmith.fit.joint.rows import build_rows, rows_from_arrays
from evalsmith.fit.squares.matrix import build_matrix
from evalsmith.games import find_game
from evalsmith.run import InputError, OutputError
from evalsmith.weights import Layout
from fitting_samples import random_samples
from joint_problems import random_arrays


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (chunks, extraction, rows_module):
        monkeypatch.setattr(module, "CHUNK", 50)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("fractions", [False, True])
def test_every_pass_agrees_with_a_dense_matrix(columns: int, fractions: bool) -> None:
    arrays = random_arrays(330, 7, columns, fractions=fractions)
    rows, matrix = arrays.rows(), arrays.matrix()
    assert rows.kind == ("uint16", "float32" if fractions else "int16")
    source = np.random.default_rng(2)
    x, h = source.normal(size=rows.unknowns), source.random(330).astype(np.float32)
    close = {"rtol": 1e-6, "atol": 1e-5}
    np.testing.assert_allclose(rows.times(x), matrix @ x, **close)
    np.testing.assert_allclose(rows.squares(h), (matrix**2).T @ h, **close)
    np.testing.assert_array_equal(rows.counts(), (np.abs(matrix) > 1e-9).sum(axis=0))
    _, product = rows.fold(x, np.zeros(330), np.ones(330, np.float32), h, CURVATURE, 0.0)
    np.testing.assert_allclose(product, matrix.T @ (h * (matrix @ x)), **close)
    numbers = np.arange(rows.unknowns, dtype=np.int32)
    np.testing.assert_allclose(rows.outer(h, numbers, rows.unknowns), (matrix.T * h) @ matrix, **close)


def test_indices_beyond_16_bits_and_values_beyond_them_are_stored_wider() -> None:
    wide = random_arrays(40, 70_000, 2)
    assert wide.rows().kind == ("int32", "int16")
    x = np.random.default_rng(1).normal(size=140_000)
    np.testing.assert_allclose(wide.rows().times(x), wide.matrix() @ x, atol=1e-9)
    large = random_arrays(40, 5, 2, most=40_000)
    assert large.rows().kind == ("uint16", "float32")
    np.testing.assert_allclose(large.rows().times(x[:10]), large.matrix() @ x[:10], rtol=1e-9)


@pytest.mark.parametrize(("name", "most"), [("chess", 200), ("shogi", 300)])
def test_a_position_takes_few_bytes(name: str, most: int) -> None:
    """A fit holds the rows of all positions at once; with the words of a position (224 bytes in shogi) below 600."""
    game = find_game(name)
    samples = random_samples(game, 3)
    rows = build_rows(game, Layout.of(game), samples.words, samples.phase)
    assert rows.nbytes / len(samples) < most
    assert rows.nbytes / len(samples) + 8 * game.words < 600


def test_a_sampled_matrix_is_right_on_average() -> None:
    arrays = random_arrays(20_000, 4, 2)
    rows, matrix = arrays.rows(), arrays.matrix()
    h = np.random.default_rng(3).random(len(rows)).astype(np.float32)
    exact = (matrix.T * h) @ matrix
    sampled = rows.outer(h, np.arange(8, dtype=np.int32), 8, 500 / np.diagonal(exact))
    assert 0 < np.abs(sampled - exact).max() < 0.2 * exact.max()


@pytest.mark.parametrize("name", ["chess", "dvonn"])
def test_rows_of_positions_are_those_of_the_other_matrix(name: str) -> None:
    game = find_game(name)
    layout, samples = Layout.of(game), random_samples(game, 4)
    rows = build_rows(game, layout, samples.words, samples.phase)
    x = np.random.default_rng(1).normal(size=rows.unknowns)
    reference = build_matrix(game, layout, samples.words, samples.phase)
    np.testing.assert_allclose(rows.times(x), reference.times(x), atol=1e-4)
    assert rows.unknowns == layout.size * len(layout.columns)


def test_rows_of_a_game_are_stored_as_differences_and_passes_go_through_them() -> None:
    """Random games of chess, more rows than a block, some of them held out."""
    game = find_game("chess")
    layout, samples = Layout.of(game), random_samples(game, 3)
    rows = build_rows(game, layout, samples.words, samples.phase)
    (chunk,) = rows.chunks
    assert len(rows) > chunks.BLOCK and (chunk.length[:: chunks.BLOCK, 2] == chunks.OWN).all()
    assert (chunk.length[:, 2] == chunks.OPPOSITE).mean() > 0.8 and len(chunk.index) < chunk.features / 2
    index, amount, start = Unfolder(rows.size).rows(chunk)
    matrix = np.zeros((len(rows), rows.size))
    for i in range(len(rows)):
        matrix[i, index[start[i] : start[i + 1]]] = amount[start[i] : start[i + 1]]
    share = np.array(layout.blend)[samples.phase][:, 2] / layout.scale
    matrix = np.concatenate([matrix * (1 - share)[:, None], matrix * share[:, None]], axis=1)
    source = np.random.default_rng(5)
    x, h = source.normal(size=rows.unknowns), source.random(len(rows)).astype(np.float32)
    weight = (source.random(len(rows)) < 0.6).astype(np.float32)
    np.testing.assert_allclose(rows.times(x), matrix @ x, atol=1e-9)
    total, product = rows.fold(x, np.zeros(len(rows)), weight, h, CURVATURE, 0.0)
    np.testing.assert_allclose(product, matrix.T @ (weight * h * (matrix @ x)), rtol=1e-6, atol=1e-6)
    assert total == pytest.approx(float((weight * h * (matrix @ x) ** 2).sum()), rel=1e-6)
    np.testing.assert_allclose(rows.squares(h), (matrix**2).T @ h, rtol=1e-6, atol=1e-6)


@pytest.mark.usefixtures("small_chunks")
def test_threads_and_files_change_no_bit(tmp_path: Path) -> None:
    game = find_game("chess")
    layout, samples = Layout.of(game), random_samples(game, 3)
    ways: list[dict[str, Any]] = [
        {},
        {"threads": 2},
        {"folder": tmp_path, "max_bytes": 0},
        {"folder": tmp_path, "max_bytes": 9000, "threads": 2},
    ]
    x = np.random.default_rng(1).normal(size=layout.size * 2)
    y, w = np.random.default_rng(2).random(len(samples)), np.ones(len(samples), np.float32)
    found = []
    for way in ways:
        rows = build_rows(game, layout, samples.words, samples.phase, **way)
        mapped = [chunk.mapped is not None for chunk in rows.chunks]
        assert any(mapped) == ("max_bytes" in way)
        assert all(mapped) == (way.get("max_bytes") == 0)
        for threads in (1, 2):
            value, gradient = rows.fold(x, y, w, np.zeros(len(rows), np.float32), 0, 0.005, threads=threads)
            found.append((value, gradient.tobytes(), rows.times(x, threads).tobytes(), rows.counts(threads).tobytes()))
    assert len(found) == 8
    assert all(each == found[0] for each in found)
    assert list(tmp_path.iterdir()) == []  # the file has no name


def test_sums_of_values_that_16_bits_cannot_hold_are_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("chess")
    layout, samples = Layout.of(game), random_samples(game, 1)
    narrow = build_rows(game, layout, samples.words, samples.phase)

    class Refusing(extraction.Extractor):
        def chunk(self, begin: int) -> chunks.Chunk | None:
            return super().chunk(begin) if self._wide else None

    monkeypatch.setattr(rows_module, "Extractor", Refusing)
    wide = build_rows(game, layout, samples.words, samples.phase)
    assert (narrow.kind[1], wide.kind[1]) == ("int16", "float32")
    x = np.random.default_rng(1).normal(size=wide.unknowns)
    np.testing.assert_allclose(wide.times(x), narrow.times(x), rtol=1e-12, atol=1e-10)


def test_a_folder_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write the rows to .*missing.*name another folder"):
        random_arrays(10, 3, 2).rows(folder=tmp_path / "missing", max_bytes=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"index": [0, 5, 1]}, "index 5 at place 1 is not between 0 and 2"),
        ({"blend_a": [0, 2]}, "column 2 at place 1"),
        ({"value": [1.0, np.nan, 1.0]}, "the value at place 1 is not a number"),
        ({"share": [0.0, np.inf]}, "the share at place 1 is not a number"),
        ({"start": [0, 2, 4]}, "rows must begin at 0"),
        ({"start": [0, 3, 2]}, "rows must begin at 0"),
        ({"share": [0.5]}, "each of the 2 rows needs its two columns and a share"),
    ],
)
def test_arrays_that_no_kernel_could_survive_are_refused(change: dict[str, list[float]], message: str) -> None:
    given = {"start": [0, 2, 3], "index": [0, 1, 2], "value": [1.0, 1.0, 2.0], "blend_a": [0, 0], "blend_b": [1, 1]}
    given["share"] = [0.0, 0.5]
    arrays = {name: np.array(values) for name, values in (given | change).items()}
    with pytest.raises(InputError, match=message):
        rows_from_arrays(**arrays, columns=2, size=3)


def test_there_may_be_no_rows_or_empty_ones() -> None:
    none = np.zeros(0, dtype=int)
    empty = rows_from_arrays(np.zeros(1, int), none, none, none, none, np.zeros(0), columns=2, size=3)
    assert len(empty) == 0
    assert len(empty.times(np.ones(6))) == 0
    zeros = np.zeros(2, dtype=int)
    bare = rows_from_arrays(np.zeros(3, int), none, none, zeros, zeros, zeros / 1, columns=2, size=3)
    assert bare.times(np.ones(6)).tolist() == [0, 0]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 40), columns=st.integers(1, 4), size=st.integers(1, 9))
def test_predictions_of_any_rows_are_their_sums(seed: int, rows: int, columns: int, size: int) -> None:
    arrays = random_arrays(rows, size, columns, seed)
    x = np.random.default_rng(seed).normal(size=columns * size)
    np.testing.assert_allclose(arrays.rows().times(x), arrays.matrix() @ x, atol=1e-9)
