"""``tune`` on the trace of an outside engine: fitted as a game's own weights are, and refused where it must be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_trace_rows import TRUE, write_engine_trace

from evalsmith.fit.tuning import tune
from evalsmith.run import InputError
from evalsmith.weights import OutsideWeights, read_outside_weights


def test_a_trace_gives_the_weights_that_made_its_scores(tmp_path: Path) -> None:
    write_engine_trace(tmp_path / "trace.csv", 900, split=False)
    found = tune(tmp_path / "trace.csv", tmp_path / "weights.csv", penalty=0.001, k=1, k_fold=3, test_split=0.2)
    assert found.joint is not None and len(found.joint.folds) == 3 and found.loss_after < found.loss_before / 50
    values = read_outside_weights(tmp_path / "weights.csv").values
    assert np.abs(values - TRUE).max() <= 6 and (values[:, 4] == 1).all()  # the fixed feature stays
    assert isinstance(found.weights, OutsideWeights) and "evalsmith match" in str(found)
    again = tune(tmp_path / "trace.csv", tmp_path / "weights.csv", penalty=0.001, k=1, k_fold=3, test_split=0.2)
    assert np.array_equal(again.weights.values, found.weights.values)


def test_counts_that_do_not_give_the_printed_value_are_not_fitted(tmp_path: Path) -> None:
    write_engine_trace(tmp_path / "trace.csv", 50, split=False, shown=TRUE)
    with pytest.raises(InputError, match=r"trace\.csv, line \d+.*nothing was fitted"):
        tune(tmp_path / "trace.csv", tmp_path / "weights.csv")
    assert not (tmp_path / "weights.csv").exists() and not (tmp_path / "weights.run").exists()


def test_settings_of_positions_are_refused(tmp_path: Path) -> None:
    write_engine_trace(tmp_path / "trace.csv", 50, split=False)
    with pytest.raises(InputError, match="min_rating: a trace has counts, not positions"):
        tune(tmp_path / "trace.csv", min_rating=2000)
    with pytest.raises(InputError, match="played by 'evalsmith match'"):
        tune(tmp_path / "trace.csv", prove=True)
    with pytest.raises(InputError, match=r"there is no trace .*none\.csv"):
        tune(tmp_path / "none.csv")
