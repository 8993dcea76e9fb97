"""Two sets of weights side by side."""

from __future__ import annotations

import numpy as np
import pytest
import sliced_heaps

from evalsmith.games import find_game
from evalsmith.run.errors import MismatchError
from evalsmith.weights import Weights, save_weights, starting_weights
from evalsmith.weights.comparison import compare_weights

OTHELLO, SLICED = find_game("othello"), sliced_heaps.GAME


def test_differences_are_listed_largest_first():
    before = starting_weights(SLICED)
    values = before.values.copy()
    values[3, 2] += 500
    values[1, 7] -= 900
    found = compare_weights(before, Weights(SLICED, values), top=5)
    assert [(one.column, one.feature, one.index, one.after - one.before) for one in found.largest] == [
        ("1 stones", "inner", 1, -900),
        ("3 stones", "outer", 2, 500),
    ]
    assert [(one.feature, one.changed, one.largest) for one in found.features] == [("inner", 1, 900), ("outer", 1, 500)]
    assert found.features[0].mean == pytest.approx(900 / found.features[0].weights)
    assert len(compare_weights(before, Weights(SLICED, values), top=1).largest) == 1


def test_weights_at_both_ends_do_not_wrap():
    values = starting_weights(SLICED).values
    low, high = np.full_like(values, -(2**31)), np.full_like(values, 2**31 - 1)
    assert compare_weights(Weights(SLICED, low), Weights(SLICED, high)).features[0].largest == 2**32 - 1


def test_no_differences_and_other_games():
    same = compare_weights(starting_weights(SLICED), starting_weights(SLICED))
    assert same.largest == () and all(one.changed == 0 for one in same.features)
    with pytest.raises(MismatchError, match="cannot be compared"):
        compare_weights(starting_weights(SLICED), starting_weights(OTHELLO))


def test_a_comparison_shows_itself_and_finds_the_game_of_a_name(tmp_path):
    values = starting_weights(OTHELLO).values.copy()
    values[20, 5] += 777
    save_weights(Weights(OTHELLO, values), tmp_path / "w.json")
    found = compare_weights("hand-set", tmp_path / "w.json")
    assert found.to_json()["game"] == "othello"
    assert "largest changes" in str(found) and "+777" in str(found) and "<table>" in found._repr_html_()
    assert "the weights are the same" in str(compare_weights("hand-set", "hand-set", "othello"))
