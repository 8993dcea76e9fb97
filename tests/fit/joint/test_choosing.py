"""Settings that a joint fit chooses: by matches, by two halves, by held-out loss; and what a killed run keeps."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalsmith.fit import jointly
from evalsmith.fit.fitting import fit_samples
from evalsmith.fit.joint import choosing
from evalsmith.fit.results import FitResult
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.tuning import tune
from evalsmith.games import find_game
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.positions.selfplay.generation import generate
from evalsmith.report.runs import write_report
from evalsmith.run import InputError, RunFolder
from fitting_samples import random_samples, random_weights, valued

FOUR = find_game("connect_four")
SETTINGS = TuneSettings(validation=0.25, quiet=False, choose_by="halves")


def fitted(folder: Path, samples: Samples, settings: TuneSettings) -> FitResult:
    with RunFolder(folder, {"kind": "tune", **settings.to_table()}) as run:
        return fit_samples(FOUR, samples, run, settings, concurrency=1)


@pytest.fixture(scope="module")
def samples() -> Samples:
    """Positions scored by known weights, with results that say nothing."""
    scored = valued(FOUR, random_samples(FOUR, 120), random_weights(FOUR, 1, 40))
    source = np.random.default_rng(4)
    of_game = source.choice([-FOUR.win, FOUR.win], size=int(scored.game.max()) + 1).astype(np.int32)
    return replace(scored, result=of_game[scored.game])


def chosen(result: FitResult) -> dict[str, Any]:
    assert result.joint is not None
    return {one.setting: one.value for one in result.joint.chosen}


def test_halves_choose_a_large_penalty_for_noise_and_a_small_one_for_truth(tmp_path: Path, samples: Samples) -> None:
    # From weights of 0: others would be wrong for noise, and both halves would agree on that.
    settings = replace(SETTINGS, penalty="auto", initial_weights="zero")
    true = fitted(tmp_path / "a", samples, settings)
    source = np.random.default_rng(1)
    noise = replace(samples, score=source.integers(-300, 301, len(samples)).astype(np.int32))
    noisy = fitted(tmp_path / "b", noise, settings)
    assert chosen(true)["penalty"] < chosen(noisy)["penalty"]
    assert true.joint is not None and true.joint.penalty == chosen(true)["penalty"]


def test_halves_prefer_scores_that_are_right_to_results_that_are_noise(tmp_path: Path, samples: Samples) -> None:
    settings = replace(SETTINGS, choose=("target=score,result", "penalty=1,1000"))
    found = fitted(tmp_path, samples, settings)
    assert chosen(found)["target"] == "score" and found.joint is not None and found.joint.target == "score"
    document = json.loads((tmp_path / "result.json").read_text())
    assert [one["setting"] for one in document["choices"]] == ["target", "penalty"]
    assert document["settings"]["target"] == "score"
    assert [one["text"] for one in document["choices"][0]["tried"]] == ["score", "result"]
    assert "agreement of two halves" in str(found) and "target score, chosen among 2 by" in str(found)


def test_losses_of_different_targets_are_those_against_results(tmp_path: Path, samples: Samples) -> None:
    """Scores that go against the results make the loss against results worse, whatever their own loss is."""
    contrary = replace(samples, result=(-np.sign(samples.score) * FOUR.win).astype(np.int32))
    settings = replace(SETTINGS, choose=("target=score,result",), choose_by="loss", penalty=0.1)
    found = fitted(tmp_path, contrary, settings)
    assert found.joint is not None
    score, result = found.joint.chosen[0].tried
    assert chosen(found)["target"] == "result" and result.figure < 0 <= score.figure
    assert score.error is not None and result.error is not None


def test_filters_are_chosen_on_the_rows_that_all_candidates_have(tmp_path: Path, samples: Samples) -> None:
    settings = replace(SETTINGS, quiet=None, choose=("quiet", "skip_opening=0,6"), choose_by="loss")
    found = fitted(tmp_path, samples, settings)
    assert found.joint is not None and set(chosen(found)) == {"quiet", "skip_opening"}
    dropped = found.joint.dropped
    assert ("not quiet" in dropped) == chosen(found)["quiet"]
    assert dropped.get("by skip_opening", 0) == (
        0 if chosen(found)["skip_opening"] == 0 else dropped["by skip_opening"]
    )


def test_a_target_needs_scores_and_results(tmp_path: Path, samples: Samples) -> None:
    unknown = np.full(len(samples), UNKNOWN, dtype=np.int32)
    with pytest.raises(InputError, match="only scores or only results"):
        fitted(tmp_path, replace(samples, result=unknown), replace(SETTINGS, choose=("target",)))


def test_what_a_killed_run_has_tried_is_not_tried_again(
    tmp_path: Path, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(SETTINGS, choose=("target=score,mix", "penalty=1,100"))
    unbroken = fitted(tmp_path / "a", samples, settings)
    plain, names = choosing.Chooser._fit, []

    def counted(self: choosing.Chooser, one: Any, rows: Any, part: str, penalty: float | None = None) -> Any:
        names.append(f"{one.name}-{part}")
        if names.count("penalty-1-half1") == 1 and len(names) < 7:
            raise RuntimeError("killed")
        return plain(self, one, rows, part, penalty)

    monkeypatch.setattr(choosing.Chooser, "_fit", counted)
    with pytest.raises(RuntimeError, match="killed"):
        fitted(tmp_path / "b", samples, settings)
    assert names[:4] == ["target-score-half0", "target-score-half1", "target-mix-half0", "target-mix-half1"]
    resumed = fitted(tmp_path / "b", samples, settings)
    assert names[6:] == ["penalty-1-half0", "penalty-1-half1", "penalty-100-half0", "penalty-100-half1"]
    assert (resumed.weights.values == unbroken.weights.values).all() and chosen(resumed) == chosen(unbroken)


def test_matches_choose_what_is_stronger_and_the_page_shows_them(tmp_path: Path) -> None:
    data = generate("connect_four", tmp_path / "d", games=20, nodes=20, scores=True)
    settings: dict[str, Any] = {"validation": 0.3, "choose": ("penalty=10,1000",), "choose_games": 6, "prove_nodes": 10}
    found = tune(data, tmp_path / "w.json", concurrency=1, **settings)
    assert found.joint is not None
    (choice,) = found.joint.chosen
    assert choice.by == "match" and choice.value == max(choice.tried, key=lambda one: one.figure).value
    assert (tmp_path / "w.run" / "candidates" / "penalty-10" / "games.jsonl").exists()
    assert found.worse or not found.joint.lost
    page = write_report(tmp_path / "w.run").read_text()
    assert "What was chosen" in page and "Elo against the start" in page


def test_a_choice_that_only_loses_is_no_success(
    tmp_path: Path, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jointly, "play_candidate", lambda *given, **more: (-80.0, 30.0))
    found = fitted(tmp_path, samples, replace(SETTINGS, choose=("penalty=1,100",), choose_by="match"))
    assert found.worse and "WARNING: no candidate was as strong as the start" in str(found)
