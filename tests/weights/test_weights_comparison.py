"""Two sets of weights side by side."""

from __future__ import annotations

import numpy as np
import pytest
import sliced_heaps

from evalsmith.games import find_game
from evalsmith.run.errors import MismatchError
from evalsmith.weights import Weights, starting_weights
from evalsmith.weights.comparison import differences

OTHELLO, SLICED = find_game("othello"), sliced_heaps.GAME


def test_differences_are_listed_largest_first():
    before = starting_weights(SLICED)
    values = before.values.copy()
    values[3, 2] += 500
    values[1, 7] -= 900
    found = differences(before, Weights(SLICED, values), 5)
    assert [(one.column, one.feature, one.index, one.after - one.before) for one in found.largest] == [
        ("1 stones", "inner", 1, -900),
        ("3 stones", "outer", 2, 500),
    ]
    assert [(one.feature, one.changed, one.largest) for one in found.features] == [("inner", 1, 900), ("outer", 1, 500)]
    assert found.features[0].mean == pytest.approx(900 / found.features[0].weights)
    assert len(differences(before, Weights(SLICED, values), 1).largest) == 1


def test_weights_at_both_ends_do_not_wrap():
    values = starting_weights(SLICED).values
    low, high = np.full_like(values, -(2**31)), np.full_like(values, 2**31 - 1)
    assert differences(Weights(SLICED, low), Weights(SLICED, high)).features[0].largest == 2**32 - 1


def test_no_differences_and_other_games():
    same = differences(starting_weights(SLICED), starting_weights(SLICED))
    assert same.largest == () and all(one.changed == 0 for one in same.features)
    with pytest.raises(MismatchError, match="cannot be compared"):
        differences(starting_weights(SLICED), starting_weights(OTHELLO))
