"""Compact rows are the same rows as the general ones, and repeat to the bit."""

from itertools import pairwise

import numpy as np
import pytest

from evalsmith.fit.squares.compact import Compact
from evalsmith.fit.squares.compacting import build_compact, term_bases
from evalsmith.fit.squares.entries import Entries, Fold, find_folds, grouped, numbered
from evalsmith.fit.squares.matrix import build_matrix
from evalsmith.games import find_game
from evalsmith.weights import Layout

OTHELLO = find_game("othello")
LAYOUT = Layout.of(OTHELLO)
BASE = term_bases(OTHELLO, LAYOUT)


@pytest.fixture(scope="module")
def words() -> np.ndarray:
    rng, found = np.random.default_rng(3), []
    for _ in range(24):
        position = OTHELLO.start()
        while OTHELLO.status(position) == 0:
            found.append(position)
            moves = OTHELLO.moves(position)
            position = OTHELLO.play(position, moves[rng.integers(len(moves))])
    return np.array(found)


@pytest.mark.parametrize("count", [50, None], ids=["ungrouped", "grouped"])
def test_products_are_those_of_the_general_rows(words: np.ndarray, count: int | None) -> None:
    words = words[:count]
    general = build_matrix(OTHELLO, LAYOUT, words, np.zeros(len(words), np.int32))
    [compact] = build_compact(OTHELLO, LAYOUT, [words], BASE)
    rng = np.random.default_rng(1)
    x, r = rng.standard_normal(LAYOUT.size), rng.standard_normal(len(words))
    np.testing.assert_allclose(compact.times(x), general.times(x), rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(compact.transposed_times(r), general.transposed_times(r), rtol=1e-12, atol=1e-9)
    np.testing.assert_array_equal(compact.squares(), general.squares())
    for matrix in (compact, general):
        back, square = matrix.normal_times(x)
        image = general.times(x)
        np.testing.assert_allclose(back, general.transposed_times(image), rtol=1e-10, atol=1e-8)
        assert square == pytest.approx(float(image @ image), rel=1e-12)


def test_patterns_within_patterns_are_folded_and_counts_are_merged(words: np.ndarray) -> None:
    [compact] = build_compact(OTHELLO, LAYOUT, [words], BASE)
    # Eight 2×4 corners, four edges and four short diagonals lie within others; of twelve small terms five groups stay.
    assert compact.parts[0].shape[1] == len(BASE) - 16 - 5
    assert compact.bytes == 2 * len(words) * compact.parts[0].shape[1]


def test_stacking_copies_nothing_and_threads_change_no_bit(words: np.ndarray) -> None:
    cuts = [0, 1, 57, 58, 300, len(words)]
    rng = np.random.default_rng(2)
    x, r = rng.standard_normal(LAYOUT.size), rng.standard_normal(len(words))
    [whole] = build_compact(OTHELLO, LAYOUT, [words], BASE)
    found = []
    for threads in (1, 3):
        parts = build_compact(OTHELLO, LAYOUT, [words[a:b] for a, b in pairwise(cuts)], BASE, threads=threads)
        stacked = parts[0].stacked(parts[1:])
        assert len(stacked) == len(words)
        assert all(any(part is own for own in stacked.parts) for p in parts for part in p.parts)
        for matrix in (stacked, stacked.with_threads(2)):
            products = (matrix.times(x), matrix.transposed_times(r), matrix.normal_times(x)[0])
            found.append([product.tobytes() for product in products])
        np.testing.assert_allclose(stacked.times(x), whole.times(x), rtol=1e-12)
    assert all(products == found[0] for products in found)


def test_no_rows_are_rows_too() -> None:
    [nothing] = build_compact(OTHELLO, LAYOUT, [np.zeros((0, 3), np.uint64)], BASE)
    assert len(nothing) == 0
    assert not nothing.transposed_times(np.zeros(0)).any()
    assert len(nothing.times(np.zeros(LAYOUT.size))) == 0
    assert nothing.normal_times(np.zeros(LAYOUT.size))[1] == 0.0


def test_games_whose_terms_vary_have_no_compact_rows() -> None:
    chess = find_game("chess")
    assert term_bases(chess, Layout.of(chess)) is None


def test_a_row_that_does_not_fit_is_noticed(words: np.ndarray) -> None:
    assert build_compact(OTHELLO, LAYOUT, [words[:5]], BASE[:-1]) is None
    assert build_compact(OTHELLO, LAYOUT, [words[:5]], BASE + np.int32(1)) is None


def test_random_parts_give_exact_sums() -> None:
    """Whole numbers add up exactly in any order, so a lost or doubled row would show."""
    rng = np.random.default_rng(5)
    base = np.array([0, 10, 10], np.int32)
    for sizes in ((0, 0, 3), (1, 1, 1, 1, 1), (7, 0, 9, 2), (64, 3), (600, 500)):
        parts = tuple(rng.integers(0, 10, (size, 3)).astype(np.uint16) for size in sizes)
        matrix = Compact(parts, Entries.plain(base, 20))
        dense = np.zeros((len(matrix), 20))
        for i, row in enumerate(np.concatenate(parts)):
            for k in range(3):
                dense[i, base[k] + row[k]] += 1
        r, x = rng.integers(-9, 9, len(matrix)).astype(float), rng.integers(-9, 9, 20).astype(float)
        np.testing.assert_array_equal(matrix.transposed_times(r), dense.T @ r)
        np.testing.assert_array_equal(matrix.times(x), dense @ x)
        back, square = matrix.normal_times(x)
        np.testing.assert_array_equal(back, dense.T @ (dense @ x))
        assert square == float((dense @ x) @ (dense @ x))


# ── Groups ──

SIZES = np.array([1000, 1000, 30, 30, 30, 2], np.int64)
STARTS = np.array([0, 0, 1000, 1000, 1000, 1030], np.int32)


def rows_with_a_map(rows: int, seed: int) -> np.ndarray:
    """Terms 0 and 1 determine terms 4 and 2, by the same map; the rest is random."""
    rng = np.random.default_rng(seed)
    table = np.random.default_rng(0).integers(0, 30, 1000)
    offsets = np.stack([rng.integers(0, size, rows) for size in SIZES], axis=1)
    offsets[:, 4], offsets[:, 2] = table[offsets[:, 0]], table[offsets[:, 1]]
    return offsets.astype(np.uint16)


def test_a_term_that_another_determines_is_found() -> None:
    offsets = rows_with_a_map(5000, 1)
    assert find_folds(offsets, STARTS, SIZES) == [Fold(0, 4, 0), Fold(1, 2, 0)]
    assert find_folds(offsets[:999], STARTS, SIZES) == []
    broken = offsets.copy()
    broken[4000, 2] ^= 1
    assert find_folds(broken, STARTS, SIZES) == []


@pytest.mark.parametrize("folded", [False, True])
def test_entries_add_up_to_the_unknowns_of_their_rows(folded: bool) -> None:
    offsets = rows_with_a_map(3000, 2)
    groups = grouped(STARTS, SIZES, find_folds(offsets, STARTS, SIZES) if folded else [])
    assert len(groups) == 3  # small terms are merged, determined ones folded
    keys = np.zeros((len(offsets), len(groups)), np.int64)
    told = np.full(groups.maps, -1, np.int32)
    for fold in groups.folds:
        told[fold.map + offsets[:, fold.big].astype(int)] = offsets[:, fold.small]
    for g in range(len(groups)):
        for j in range(groups.start[g], groups.start[g + 1]):
            keys[:, g] += offsets[:, groups.term[j]].astype(int) * groups.stride[j]
    counts = np.bincount((groups.first + keys).reshape(-1), minlength=groups.keys).astype(np.int32)
    entries, within = numbered(groups, counts, told, 1032)
    x = np.random.default_rng(3).integers(-9, 9, 1032).astype(float)
    sums = entries.sums(x)
    of_rows = sums[entries.base + within[groups.first + keys]].sum(axis=1)
    np.testing.assert_array_equal(of_rows, x[STARTS + offsets.astype(int)].sum(axis=1))
    assert len(entries) == groups.keys
    # The other way: the sum over x of what comes back is the sum over entries.
    y = np.random.default_rng(4).integers(-9, 9, len(entries)).astype(float)
    assert float(entries.spread(y) @ x) == float(y @ sums)


def test_a_map_that_a_late_position_contradicts_is_dropped(words: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample sees a few positions of the opening, where most corners are empty and determine one another."""
    monkeypatch.setattr("evalsmith.fit.squares.entries.FEW", 3)
    monkeypatch.setattr("evalsmith.fit.squares.compacting._some", lambda words, width: words[0][:4])
    [compact] = build_compact(OTHELLO, LAYOUT, [words], BASE, threads=2)
    general = build_matrix(OTHELLO, LAYOUT, words, np.zeros(len(words), np.int32))
    x = np.random.default_rng(1).standard_normal(LAYOUT.size)
    np.testing.assert_allclose(compact.times(x), general.times(x), rtol=1e-12, atol=1e-9)
