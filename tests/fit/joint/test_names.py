"""Weights by name: patterns, what moves, what is tied, bounded and penalised."""

from __future__ import annotations

import numpy as np
import pytest

from evalsmith.fit.joint.names import WeightNames, free_weights, penalties, tied_weights, weight_bounds
from evalsmith.fit.settings import TuneSettings
from evalsmith.run import InputError
from evalsmith.weights import Layout

LAYOUT = Layout("toy", 1, (("tempo", 1), ("king shelter", 2), ("king square", 3)), ("middle", "end"), ((0, 1, 0),), 2)
NAMES = WeightNames(LAYOUT, lambda feature, index: f"{index}")


def _which(flags: np.ndarray) -> list[int]:
    return np.flatnonzero(flags).tolist()


def test_a_pattern_means_features_and_a_name_only_itself() -> None:
    assert _which(NAMES.features("king*")) == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11]
    assert _which(NAMES.features("king square")) == [3, 4, 5, 9, 10, 11]
    with pytest.raises(InputError, match="toy has no feature 'queen'; its features are: tempo, king shelter"):
        NAMES.features("queen")


def test_a_weight_is_named_by_feature_index_and_column() -> None:
    assert _which(NAMES.weights("king square/1/end")) == [10]
    assert _which(NAMES.weights("tempo")) == [0, 6]
    assert NAMES.name(10) == "king square 1, end" and NAMES.name(6) == "tempo, end"
    with pytest.raises(InputError, match="no weight is called 'tempo/7/end'; tempo has 0"):
        NAMES.weights("tempo/7/end")
    with pytest.raises(InputError, match="is not FEATURE/INDEX/COLUMN"):
        NAMES.weights("a/b/c/d")


def test_only_and_freeze() -> None:
    assert _which(~free_weights(NAMES, TuneSettings(freeze=("tempo",)))) == [0, 6]
    assert _which(free_weights(NAMES, TuneSettings(terms=("king*",), freeze=("king square",)))) == [1, 2, 7, 8]
    with pytest.raises(InputError, match="no weight is left to fit"):
        free_weights(NAMES, TuneSettings(terms=("tempo",), freeze=("t*",)))


def test_ties_name_each_weight_once() -> None:
    assert tied_weights(NAMES, TuneSettings(tie=("tempo/*/*", "king shelter/0/*"))) == ((0, 6), (1, 7))
    with pytest.raises(InputError, match="tempo, middle is tied by 'tempo' and by 't"):
        tied_weights(NAMES, TuneSettings(tie=("tempo", "t*/0/middle")))


def test_bounds_and_penalties() -> None:
    low, high = weight_bounds(NAMES, TuneSettings(bound=("tempo=0:30", "king*/*/end=:5"))) or (None, None)
    assert low is not None and high is not None
    assert (low[0], high[0], low[6], high[6]) == (0, 30, 0, 30)
    assert low[7] == -np.inf and high[7] == 5 and high[1] == np.inf
    assert penalties(NAMES, 10.0, ("king*=500",)).tolist() == [10, *[500] * 5] * 2
    for text in ("tempo", "tempo=3", "tempo=9:3", "tempo=a:b"):
        with pytest.raises(InputError, match="is not PATTERN=LOW:HIGH"):
            weight_bounds(NAMES, TuneSettings(bound=(text,)))
    with pytest.raises(InputError, match="is not FEATURE=NUMBER"):
        penalties(NAMES, 1.0, ("king*=-1",))
