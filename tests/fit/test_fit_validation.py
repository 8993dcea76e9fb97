"""Validation by game: whole games are held out, by a choice that nothing else disturbs."""

from __future__ import annotations

import numpy as np
import pytest

from evalsmith.fit.validation import Errors, errors, held_out, total

GAMES = np.repeat(np.arange(2000, dtype=np.int64), np.arange(2000) % 7 + 1)


@pytest.mark.parametrize("share", [0.05, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("seed", [1, 2])
def test_whole_games_and_about_the_share(share: float, seed: int) -> None:
    chosen = held_out(GAMES, share, seed)
    sides = {number: set(chosen[number == GAMES].tolist()) for number in range(2000)}
    assert all(len(side) == 1 for side in sides.values())
    count = sum(True in side for side in sides.values())
    deviation = (2000 * share * (1 - share)) ** 0.5
    assert abs(count - 2000 * share) < 4.5 * deviation


def test_the_seed_chooses() -> None:
    first, second = held_out(GAMES, 0.1, 1), held_out(GAMES, 0.1, 2)
    assert (first == held_out(GAMES, 0.1, 1)).all()
    assert (first != second).any()
    # Independent choices share a tenth of a tenth.
    assert 0.5 * 0.01 < (first & second).mean() < 2 * 0.01


def test_other_games_do_not_matter() -> None:
    chosen = held_out(GAMES, 0.2, 3)
    some = np.random.default_rng(1).permutation(len(GAMES))[:500]
    assert (held_out(GAMES[some], 0.2, 3) == chosen[some]).all()


def test_a_larger_share_keeps_what_was_held_out() -> None:
    assert (held_out(GAMES, 0.3, 4) >= held_out(GAMES, 0.1, 4)).all()


def test_numbers_of_games_may_be_large_and_no_rows_at_all() -> None:
    large = np.array([2**40, 2**40, 2**62, 0], dtype=np.int64)
    chosen = held_out(large, 0.5, 1)
    assert chosen.shape == (4,)
    assert chosen[0] == chosen[1]
    assert held_out(large[:0], 0.5, 1).shape == (0,)


def test_errors() -> None:
    found = errors(np.array([1.0, 2.0, 5.0]), np.array([0.0, 4.0, 5.0]))
    assert found == Errors(3, 5 / 3, 1.0)
    assert errors(np.zeros(0), np.zeros(0)) == Errors(0, 0.0, 0.0)


def test_a_total_is_the_errors_of_all_together() -> None:
    source = np.random.default_rng(2)
    prediction, target = source.normal(size=(2, 100))
    parts = [errors(prediction[a:b], target[a:b]) for a, b in ((0, 10), (10, 10), (10, 95), (95, 100))]
    whole = errors(prediction, target)
    together = total(parts)
    assert together.count == 100
    assert together.square == pytest.approx(whole.square)
    assert together.absolute == pytest.approx(whole.absolute)
    assert total([]) == Errors(0, 0.0, 0.0)
