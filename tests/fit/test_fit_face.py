"""Tuning as a Python user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalsmith.fit.tuning import tune
from evalsmith.positions.selfplay.generation import generate
from evalsmith.run.errors import MismatchError
from evalsmith.weights import load_weights


def test_from_a_dataset_to_weights_and_a_page(tmp_path: Path) -> None:
    data = generate("connect_four", tmp_path / "d", games=12, nodes=5)
    fit = tune(data, tmp_path / "w.json", validation=0.3, tolerance=0.1)
    assert (load_weights(tmp_path / "w.json").values == fit.weights.values).all()
    assert fit.report() == tmp_path / "w.run" / "report.html"
    assert "fitted" in str(fit) and "<table>" in fit._repr_html_()
    again = tune(tmp_path / "d", tmp_path / "w.json", validation=0.3, tolerance=0.1)
    assert (again.weights.values == fit.weights.values).all()
    with pytest.raises(MismatchError, match=r"penalty was None, is now 5\.0"):
        tune(data, tmp_path / "w.json", validation=0.3, tolerance=0.1, penalty=5)


def test_without_an_output_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    data = generate("connect_four", tmp_path / "d", games=12, nodes=5)
    fit = tune(data, validation=0.3, tolerance=0.1)
    assert fit.output is None and fit.report().exists()
    fit.temporary.cleanup()
    assert not list((tmp_path / "temporary").iterdir())
