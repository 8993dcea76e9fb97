"""Compact rows are the same rows as the general ones, and repeat to the bit."""

from itertools import pairwise

import numpy as np
import pytest

from evalsmith.fit.compact import Compact, build_compact, term_bases
from evalsmith.fit.matrix import build_matrix
from evalsmith.games import find_game
from evalsmith.weights import Layout

OTHELLO = find_game("othello")
LAYOUT = Layout.of(OTHELLO)
BASE = term_bases(OTHELLO, LAYOUT)


@pytest.fixture(scope="module")
def words() -> np.ndarray:
    rng, found = np.random.default_rng(3), []
    for _ in range(12):
        position = OTHELLO.start()
        while OTHELLO.status(position) == 0:
            found.append(position)
            moves = OTHELLO.moves(position)
            position = OTHELLO.play(position, moves[rng.integers(len(moves))])
    return np.array(found)


def test_products_are_those_of_the_general_rows(words: np.ndarray) -> None:
    general = build_matrix(OTHELLO, LAYOUT, words, np.zeros(len(words), np.int32))
    compact = build_compact(OTHELLO, LAYOUT, words, BASE)
    rng = np.random.default_rng(1)
    x, r = rng.standard_normal(LAYOUT.size), rng.standard_normal(len(words))
    np.testing.assert_allclose(compact.times(x), general.times(x), rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(compact.transposed_times(r), general.transposed_times(r), rtol=1e-12, atol=1e-9)
    np.testing.assert_array_equal(compact.squares(), general.squares())
    assert compact.bytes == 2 * len(words) * len(BASE)


def test_stacking_copies_nothing_and_threads_change_no_bit(words: np.ndarray) -> None:
    whole = build_compact(OTHELLO, LAYOUT, words, BASE)
    cuts = [0, 1, 57, 58, 300, len(words)]
    parts = [build_compact(OTHELLO, LAYOUT, words[a:b], BASE) for a, b in pairwise(cuts)]
    stacked = parts[0].stacked(parts[1:])
    assert all(any(part is own for own in stacked.parts) for p in parts for part in p.parts)
    rng = np.random.default_rng(2)
    x, r = rng.standard_normal(LAYOUT.size), rng.standard_normal(len(words))
    for matrix in (stacked, stacked.with_threads(2), whole.with_threads(3)):
        assert len(matrix) == len(words)
        assert matrix.times(x).tobytes() == whole.times(x).tobytes()
        assert matrix.transposed_times(r).tobytes() == whole.transposed_times(r).tobytes()


def test_no_rows_are_rows_too() -> None:
    nothing = build_compact(OTHELLO, LAYOUT, np.zeros((0, 3), np.uint64), BASE)
    assert len(nothing) == 0
    assert not nothing.transposed_times(np.zeros(0)).any()
    assert len(nothing.times(np.zeros(LAYOUT.size))) == 0


def test_games_whose_terms_vary_have_no_compact_rows() -> None:
    chess = find_game("chess")
    assert term_bases(chess, Layout.of(chess)) is None


def test_a_row_that_does_not_fit_is_noticed(words: np.ndarray) -> None:
    assert build_compact(OTHELLO, LAYOUT, words[:5], BASE[:-1]) is None
    assert build_compact(OTHELLO, LAYOUT, words[:5], BASE + np.int32(1)) is None


def test_random_parts_give_exact_sums() -> None:
    """Whole numbers add up exactly in any order, so a lost or doubled row would show."""
    rng = np.random.default_rng(5)
    base = np.array([0, 10, 10], np.int32)
    for sizes in ((0, 0, 3), (1, 1, 1, 1, 1), (7, 0, 9, 2), (64, 3)):
        parts = tuple(rng.integers(0, 10, (size, 3)).astype(np.uint16) for size in sizes)
        matrix = Compact(parts, base, 20)
        dense = np.zeros((len(matrix), 20))
        for i, row in enumerate(np.concatenate(parts)):
            for k in range(3):
                dense[i, base[k] + row[k]] += 1
        r, x = rng.integers(-9, 9, len(matrix)).astype(float), rng.integers(-9, 9, 20).astype(float)
        np.testing.assert_array_equal(matrix.transposed_times(r), dense.T @ r)
        np.testing.assert_array_equal(matrix.times(x), dense @ x)
