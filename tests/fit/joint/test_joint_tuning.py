"""Texel's method as its user meets it: from positions to weights, splits, folds, interruptions, proof."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalsmith.engine import evaluate
from evalsmith.fit.fitting import fit_samples
from evalsmith.fit.joint import fitter
from evalsmith.fit.joint import run as joint_run
from evalsmith.fit.joint.targets import probability
from evalsmith.fit.results import FitResult
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.tuning import tune
from evalsmith.games import find_game
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.positions.selfplay.generation import generate
from evalsmith.run import InputError, Interrupted, RunFolder
from evalsmith.weights import Layout, Weights, load_weights, save_weights, starting_weights
from fitting_samples import random_samples, random_weights, valued

FOUR = find_game("connect_four")
# So few positions say nothing of blocks, which have a weight for each way to fill one.
SETTINGS = TuneSettings(validation=0.25, quiet=False, penalty=0.001, freeze=("block",))


def fitted(folder: Path, samples: Samples, settings: TuneSettings = SETTINGS) -> FitResult:
    with RunFolder(folder, {"kind": "tune", **settings.to_table()}) as run:
        return fit_samples(FOUR, samples, run, settings, concurrency=1)


@pytest.fixture(scope="module")
def scored() -> tuple[Samples, Weights]:
    """Positions scored by known weights."""
    truth = random_weights(FOUR, 1, 40)
    truth.values[:, Layout.of(FOUR).slice_of("block")] = 0
    return valued(FOUR, random_samples(FOUR, 120), truth), truth


def with_results(samples: Samples, weights: Weights, seed: int = 3) -> Samples:
    """The same positions with won and lost games, drawn by the winning probability that weights give each game."""
    source, result = np.random.default_rng(seed), np.empty(len(samples), dtype=np.int32)
    for game in np.unique(samples.game):
        rows = np.flatnonzero(samples.game == game)
        value = float(np.mean([evaluate(FOUR, weights, samples.words[row]) for row in rows[:3]]))
        result[rows] = FOUR.win if source.random() < probability(np.array([value]), 1.0)[0] else -FOUR.win
    unknown = np.full(len(samples), UNKNOWN, dtype=np.int32)
    return Samples(samples.words, samples.game, samples.ply, samples.phase, result, unknown)


def test_scores_of_known_weights_give_their_evaluation_back(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    samples, truth = scored
    found = fitted(tmp_path, samples)
    assert found.joint is not None and found.settings["loss"] == "logistic" and found.joint.target == "score"
    assert found.loss_after < found.loss_before / 100 and not found.worse
    for row in samples.words[:40]:
        assert abs(evaluate(FOUR, found.weights, row) - evaluate(FOUR, truth, row)) <= 6
    document = json.loads((tmp_path / "result.json").read_text())
    assert document["k"] == found.joint.k and document["worse"] is False and document["folds"] is None


@pytest.mark.parametrize("method", ["newton", "lbfgs", "adam", "gradient_descent"])
@pytest.mark.parametrize("loss", ["logistic", "cross-entropy", "squared"])
def test_every_method_and_loss_lowers_the_held_out_loss(
    tmp_path: Path, scored: tuple[Samples, Weights], method: str, loss: str
) -> None:
    found = fitted(tmp_path, scored[0], replace(SETTINGS, method=method, loss=loss, iterations=60))
    assert found.joint is not None and found.joint.loss == loss
    assert found.loss_after < found.loss_before


def test_the_genetic_method_is_never_worse_on_its_own_games(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    found = fitted(tmp_path, scored[0], replace(SETTINGS, method="genetic", iterations=5))
    assert found.joint is not None
    assert found.joint.splits["training"].fitted <= found.joint.splits["training"].start


def test_splits_folds_and_the_learning_curve(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    settings = replace(SETTINGS, test_split=0.2, k_fold=3, learning_curve=True)
    found = fitted(tmp_path, scored[0], settings)
    joint = found.joint
    assert joint is not None and set(joint.splits) == {"training", "validation", "test"}
    assert [fold.name for fold in joint.folds] == ["1", "2", "3"]
    rows = sum(fold.comparison.rows for fold in joint.folds)
    assert rows == joint.splits["training"].rows + joint.splits["validation"].rows
    assert [part.name for part in joint.curve][-1] == "all"
    document = found.to_json()
    assert len(document["folds"]) == 3 and document["test"]["rows"] == joint.splits["test"].rows
    assert "3 folds: change" in str(found) and "fold 2" in str(found)
    again = fitted(tmp_path, scored[0], settings)
    assert (again.weights.values == found.weights.values).all() and again.joint.folds == joint.folds


def test_k_is_fitted_to_results_and_all_draws_are_named(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    samples = with_results(scored[0], starting_weights(FOUR))
    found = fitted(tmp_path / "a", samples, replace(SETTINGS, penalty=None))
    assert found.joint is not None and found.joint.target == "result" and found.joint.penalty == 1000
    drawn = replace(samples, result=np.zeros(len(samples), dtype=np.int32))
    with pytest.raises(InputError, match=r"all [\d,]+ results are the same \(all draws\)"):
        fitted(tmp_path / "b", drawn)


def test_without_any_value_nothing_is_fitted(tmp_path: Path) -> None:
    samples = random_samples(FOUR, 10)
    unknown = np.full(len(samples), UNKNOWN, dtype=np.int32)
    bare = Samples(samples.words, samples.game, samples.ply, samples.phase, unknown, unknown)
    with pytest.raises(InputError, match="has a known value to fit"):
        fitted(tmp_path, bare)


def test_one_game_is_too_few(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    with pytest.raises(InputError, match="1 game with a known value is too few"):
        fitted(tmp_path, scored[0].take(scored[0].game == 0))


def test_frozen_tied_and_bounded_weights(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    settings = replace(SETTINGS, freeze=("line",), tie=("cell/*/*",), bound=("threat/*/*=-5:5",))
    values = fitted(tmp_path, scored[0], settings).weights.values
    layout, start = Layout.of(FOUR), starting_weights(FOUR).values
    assert (values[:, layout.slice_of("line")] == start[:, layout.slice_of("line")]).all()
    assert len(np.unique(values[:, layout.slice_of("cell")])) == 1
    assert np.abs(values[:, layout.slice_of("threat")]).max() <= 5


def test_a_regularization_is_a_penalty_per_position(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    found = fitted(tmp_path, scored[0], replace(SETTINGS, penalty=None, regularization=0.5))
    assert found.joint is not None
    assert found.joint.penalty == pytest.approx(0.5 * found.joint.splits["training"].rows)


def test_rows_that_are_streamed_from_a_file_give_the_same_weights(
    tmp_path: Path, scored: tuple[Samples, Weights]
) -> None:
    held = fitted(tmp_path / "a", scored[0])
    streamed = fitted(tmp_path / "b", scored[0], replace(SETTINGS, max_memory=1e-9))
    assert (streamed.weights.values == held.weights.values).all() and streamed.loss_after == held.loss_after


def test_starting_weights_come_from_a_file(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    samples, truth = scored
    save_weights(truth, tmp_path / "truth.json")
    found = fitted(tmp_path / "r", samples, replace(SETTINGS, initial_weights=str(tmp_path / "truth.json")))
    assert found.loss_before < 1e-6 and np.abs(found.weights.values - truth.values).max() <= 2


def test_an_interrupted_fit_keeps_its_best_weights_and_resumes_to_the_same(
    tmp_path: Path, scored: tuple[Samples, Weights], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(SETTINGS, method="adam", iterations=40, checkpoint_interval=1e-9)
    unbroken = fitted(tmp_path / "a", scored[0], settings)
    plain = fitter.minimise

    def interrupted(objective: Any, start: Any, given: Any, *, on_step: Any, resume: Any) -> Any:
        def stop(step: Any) -> bool:
            going_on = on_step(step)
            if step.iteration == 15:
                raise KeyboardInterrupt
            return going_on

        return plain(objective, start, given, on_step=stop, resume=resume)

    monkeypatch.setattr(fitter, "minimise", interrupted)
    with pytest.raises(Interrupted, match=r"the best weights so far: .*best\.json"):
        fitted(tmp_path / "b", scored[0], settings)
    assert load_weights(tmp_path / "b" / "best.json", FOUR).values.any()
    monkeypatch.setattr(fitter, "minimise", plain)
    resumed = fitted(tmp_path / "b", scored[0], settings)
    assert (resumed.weights.values == unbroken.weights.values).all()
    assert resumed.joint is not None and unbroken.joint is not None
    assert resumed.joint.history == unbroken.joint.history


@pytest.mark.parametrize("where", ["_curve", "rounded", "_judged"])
def test_what_is_interrupted_after_the_fit_keeps_its_weights(
    tmp_path: Path, scored: tuple[Samples, Weights], monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    settings = replace(SETTINGS, penalty=1.0)  # which holds what the positions do not determine
    unbroken = fitted(tmp_path / "a", scored[0], settings)

    def stop(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(joint_run, where, stop)
    with pytest.raises(Interrupted, match=r"the best weights so far: .*best\.json"):
        fitted(tmp_path / "b", scored[0], settings)
    # Rounding has not repaired what it cost, so a weight may be one off.
    best = load_weights(tmp_path / "b" / "best.json", FOUR).values
    assert abs(best - unbroken.weights.values).max() <= 1


def test_a_worse_fit_says_so(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    """Fitted to noise without a penalty, from weights that were right."""
    samples, truth = scored
    save_weights(truth, tmp_path / "truth.json")
    fitted_game = np.isin(samples.game, np.unique(samples.game)[:120])
    source = np.random.default_rng(2)
    noisy = replace(samples, score=samples.score + source.integers(-2000, 2001, len(samples)).astype(np.int32))
    few = noisy.take(fitted_game & (samples.ply % 6 == 0))
    settings = replace(SETTINGS, penalty=1e-9, initial_weights=str(tmp_path / "truth.json"))
    found = fitted(tmp_path / "r", few, settings)
    assert found.worse and str(found).splitlines()[-1].startswith("WARNING: the fit is worse than its start on")


def test_a_fit_that_is_worse_on_the_test_games_says_so_too(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    found = fitted(tmp_path / "r", scored[0], replace(SETTINGS, test_split=0.2))
    assert found.joint is not None and not found.worse and not found.joint.refusal()
    test = replace(found.joint.splits["test"], start=0.1, fitted=0.125)
    worse = replace(found, joint=replace(found.joint, splits={**found.joint.splits, "test": test}))
    assert worse.worse and "(0.125000 against 0.100000 on test games)" in str(worse).splitlines()[-1]


def test_every_weight_is_listed_with_its_error(tmp_path: Path, scored: tuple[Samples, Weights]) -> None:
    fitted(tmp_path, scored[0])
    lines = (tmp_path / "weights.csv").read_text().splitlines()
    assert lines[0] == "feature,index,column,start,fitted,error,occurrences"
    layout = Layout.of(FOUR)
    assert len(lines) == 1 + layout.size * len(layout.columns)


def test_a_proof_is_a_match_against_the_start(tmp_path: Path) -> None:
    data = generate("connect_four", tmp_path / "d", games=20, nodes=20, scores=True)
    found = tune(data, tmp_path / "w.json", validation=0.3, prove=True, prove_games=8, prove_nodes=10, concurrency=1)
    assert found.proof is not None and found.proof.games == 8
    assert f"proof: {found.proof.verdict()}" in str(found) and found.to_json()["proof"]["verdict"]
    assert found.refuted == (found.proof.elo < 0) and (found.worse or not found.refuted)
