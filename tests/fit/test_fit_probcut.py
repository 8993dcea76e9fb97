"""Fitting ProbCut: known lines are found again, and a run resumes to the same parameters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalsmith.fit.fitting import start_of
from evalsmith.fit.probcut import fitting
from evalsmith.fit.probcut.fitting import fit_probcut
from evalsmith.fit.probcut.regression import UNKNOWN, fit_line, fit_pairs, pairs_of
from evalsmith.fit.probcut.result import read_probcut_fit
from evalsmith.fit.probcut.values import Chunk, DepthSearcher
from evalsmith.fit.settings import TuneSettings
from evalsmith.games import find_game
from evalsmith.improvement.improving import start_weights
from evalsmith.report.runs import write_report
from evalsmith.run import InputError, MismatchError
from evalsmith.weights import fitted_weights, read_weights_file, starting_weights

ASKED = {"depth": 4, "positions": 8, "games": 4, "game_nodes": 30, "least": 3, "weights": "hand-set", "seed": 2}


def test_a_known_line_is_found_again() -> None:
    draw = np.random.default_rng(1)
    shallow = draw.normal(0, 1500, 20_000)
    deep = 1.08 * shallow - 45 + draw.normal(0, 320, shallow.size)
    slope, offset, error = fit_line(shallow, deep)
    assert slope == pytest.approx(1.08, abs=0.01)
    assert offset == pytest.approx(-45, abs=10)
    assert error == pytest.approx(320, rel=0.02)


def test_every_stage_has_its_own_line() -> None:
    draw = np.random.default_rng(2)
    values = np.zeros((4000, 5), dtype=np.int64)
    stages = np.repeat([0, 2], 2000)
    values[:, 0] = draw.normal(0, 2000, 4000)
    for stage, slope, error in ((0, 0.9, 100), (2, 1.2, 500)):
        rows = stages == stage
        values[rows, 1:] = (slope * values[rows, :1] + draw.normal(0, error, (2000, 1))).round()
    found = {(pair.stage, pair.deep, pair.shallow): pair for pair in fit_pairs(values, stages, 3, 30)}
    assert {stage for stage, _, _ in found} == {0, 2}
    assert found[0, 4, 0].slope == pytest.approx(0.9, abs=0.02) and found[0, 4, 0].error == pytest.approx(100, rel=0.1)
    assert found[2, 4, 0].slope == pytest.approx(1.2, abs=0.02) and found[2, 4, 0].error == pytest.approx(500, rel=0.1)
    assert found[2, 4, 2].error == 0.0


def test_unknown_values_are_left_out_and_few_give_nothing() -> None:
    values = np.arange(50)[:, None] * np.ones(5, dtype=np.int64)
    values[40:, 4] = UNKNOWN
    stages = np.zeros(50, dtype=np.int64)
    by_depth = {pair.deep: pair.positions for pair in fit_pairs(values, stages, 1, 10)}
    assert by_depth == {3: 50, 4: 40}
    assert not fit_pairs(values, stages, 1, 51)


def test_pairs_have_one_parity() -> None:
    for deep, shallow in pairs_of(14):
        assert (deep - shallow) % 2 == 0 and 0 <= shallow < deep


def test_proven_wins_have_no_value() -> None:
    chess = find_game("chess")
    mate = chess.parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    quiet = chess.start()
    worker = DepthSearcher(starting_weights(chess), 3, 1 << 40, ())
    found = worker.do(Chunk(0, np.array([mate, quiet])), lambda count: None)
    assert found[0, 0] != UNKNOWN and (found[0, 1:] == UNKNOWN).all()
    assert (found[1] != UNKNOWN).all()


def test_a_fit_writes_weights_that_search_with_it(tmp_path: Path) -> None:
    found = fit_probcut("othello", tmp_path / "w.json", concurrency=1, **ASKED)
    stored = read_weights_file(tmp_path / "w.json", found.game)
    assert stored.probcut == found.probcut and found.probcut.pairs
    assert np.array_equal(stored.values, starting_weights(found.game).values)
    assert "stage" in str(found) and found.to_json()["positions"] == found.positions
    assert read_probcut_fit(tmp_path / "w.run").probcut == found.probcut
    page = write_report(tmp_path / "w.run").read_text(encoding="utf-8")
    assert page.count("<circle") > 20 and found.stage_name(found.probcut.pairs[-1].stage) in page


def test_an_interrupted_fit_resumes_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "CHUNK", 5)
    whole = fit_probcut("othello", tmp_path / "a.json", concurrency=1, **ASKED)
    fit_probcut("othello", tmp_path / "b.json", concurrency=1, **ASKED)
    done = sorted((tmp_path / "b.run" / "chunks").iterdir())
    done[0].unlink()
    done[1].write_bytes(b"broken")
    again = fit_probcut("othello", tmp_path / "b.json", concurrency=1, **ASKED)
    assert again.probcut == whole.probcut
    with pytest.raises(MismatchError, match="depth was 4, is now 5"):
        fit_probcut("othello", tmp_path / "b.json", concurrency=1, **{**ASKED, "depth": 5})


def test_what_cannot_be_fitted_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has chance"):
        fit_probcut("drmario", tmp_path / "w.json")
    with pytest.raises(InputError, match=r"ends in \.json"):
        fit_probcut("othello", tmp_path / "w")
    with pytest.raises(InputError, match="unknown technique"):
        fit_probcut("othello", tmp_path / "w.json", without=("luck",))
    with pytest.raises(InputError, match="no stage has 9999 positions"):
        fit_probcut("othello", tmp_path / "w.json", concurrency=1, **{**ASKED, "least": 9999})


def test_what_is_fitted_anew_starts_and_is_proven_without_it() -> None:
    othello = find_game("othello")
    shipped = fitted_weights(othello)
    assert shipped is not None and shipped.probcut is not None
    assert start_of(othello, TuneSettings(initial_weights="fitted")).probcut is None
    assert start_weights(othello, "fitted").probcut is None
