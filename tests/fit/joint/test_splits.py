"""Splits of games: nothing of one game on two sides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.fit.joint.splits import folds, share_of_games, split_games
from evalsmith.fit.validation import held_out
from evalsmith.run import InputError


@given(st.lists(st.integers(0, 300), min_size=200, max_size=400), st.integers(0, 2**40))
def test_every_known_row_is_in_one_split_with_its_game(games: list[int], seed: int) -> None:
    rows, known = np.array(games, dtype=np.int64), np.arange(len(games)) % 7 != 0
    try:
        found = split_games(rows, known, 0.2, 0.2, seed)
    except InputError:
        return  # a share may be empty where there are few games
    together = found.training.astype(int) + found.validation + found.test
    assert (together == known).all()
    fitted, judging, last = (set(rows[one]) for one in (found.training, found.validation, found.test))
    assert not fitted & judging and not judging & last and not fitted & last


def test_without_a_test_the_validation_games_are_the_old_ones() -> None:
    games = np.arange(1000, dtype=np.int64)
    found = split_games(games, np.ones(1000, dtype=np.bool_), 0.1, 0.0, 7)
    assert (found.validation == held_out(games, 0.1, 7)).all() and not found.test.any()


def test_one_game_is_too_few() -> None:
    with pytest.raises(InputError, match="1 game with a known value is too few to hold some out"):
        split_games(np.zeros(50, dtype=np.int64), np.ones(50, dtype=np.bool_), 0.1, 0.0, 1)


def test_folds_have_equally_many_games() -> None:
    games = np.repeat(np.arange(103, dtype=np.int64), 3)
    rows = games != 5
    found = folds(games, rows, 5, 1)
    assert (found[~rows] == -1).all()
    sizes = [len(set(games[found == i])) for i in range(5)]
    assert sum(sizes) == 102 and max(sizes) - min(sizes) <= 1
    assert all(len(set(found[games == game])) == 1 for game in range(103))
    with pytest.raises(InputError, match="102 games cannot be split into 200 folds"):
        folds(games, rows, 200, 1)


def test_a_smaller_share_is_part_of_a_larger_one() -> None:
    games = np.arange(1000, dtype=np.int64)
    every = np.ones(1000, dtype=np.bool_)
    small, large = share_of_games(games, every, 0.25, 3), share_of_games(games, every, 0.5, 3)
    assert not (small & ~large).any() and 200 < small.sum() < 300 and 430 < large.sum() < 570
