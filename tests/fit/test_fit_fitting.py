"""One tuning run: known weights are found again, a broken run goes on, and what cannot be fitted is refused."""

from __future__ import annotations

import json
import random
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sliced_heaps

from evalsmith.engine import evaluate
from evalsmith.fit.fitting import fit_samples
from evalsmith.fit.request import TuneRequest
from evalsmith.fit.results import FitResult
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.targets import WIN_SHARE
from evalsmith.fit.tuning import tune_request
from evalsmith.fit.validation import Errors
from evalsmith.games import Game, find_game
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.positions.store.dataset import create_dataset
from evalsmith.positions.store.parts import write_part
from evalsmith.run import RunFolder, Silent
from evalsmith.run.errors import InputError, Interrupted, MismatchError
from evalsmith.weights import Layout, Weights, starting_weights
from fitting_samples import random_samples, random_weights, valued

FOUR = find_game("connect_four")
OTHELLO = find_game("othello")
SLICED = sliced_heaps.GAME
EXACT = TuneSettings(penalty=1e-6, window=0, towards="zero", validation=0.25, tolerance=1e-15, seed=3)


def run_of(path: Path) -> RunFolder:
    return RunFolder(path, {"kind": "tune"})


def fitted(path: Path, game: Game, samples: Samples, config: TuneSettings = EXACT, concurrency: int = 1) -> FitResult:
    with run_of(path) as run:
        return fit_samples(game, samples, run, config, concurrency=concurrency)


@pytest.fixture(scope="module")
def sliced_truth() -> Weights:
    return random_weights(SLICED, 7)


@pytest.fixture(scope="module")
def sliced_samples(sliced_truth: Weights) -> Samples:
    return valued(SLICED, random_samples(SLICED, 600), sliced_truth)


# ── Known weights ──


def test_sliced_weights_are_found_again(tmp_path: Path, sliced_samples: Samples, sliced_truth: Weights) -> None:
    tuned = fitted(tmp_path, SLICED, sliced_samples)
    assert tuned.loss_before > 10_000
    assert tuned.loss_after < 5  # whole weights, and a last position or two that nothing like it was fitted to
    assert tuned.positions == len(sliced_samples)
    for row in sliced_samples.words[:200]:
        assert abs(evaluate(SLICED, tuned.weights, row) - evaluate(SLICED, sliced_truth, row)) <= 3


def test_blended_weights_are_found_again(tmp_path: Path) -> None:
    truth = random_weights(FOUR, 1, 50)  # no value is cut off as a win
    truth.values[:, Layout.of(FOUR).slice_of("block")] = 0  # so few positions say nothing of blocks
    samples = valued(FOUR, random_samples(FOUR, 150), truth)
    tuned = fitted(tmp_path, FOUR, samples, replace(EXACT, tolerance=1e-12, loss="squared", freeze=("block",)))
    assert tuned.loss_before > 10_000
    # Whole weights: each of the terms of a position is wrong by 1/12 of a square on average.
    assert tuned.loss_after < FOUR.max_terms / 12
    assert tuned.validation.count + tuned.stages[0].positions == len(samples)


def test_a_worse_fit_shows_the_error_that_it_is_judged_by(tmp_path: Path, sliced_samples: Samples) -> None:
    tuned = fitted(tmp_path, SLICED, sliced_samples)
    assert not tuned.worse and "WARNING" not in str(tuned)
    worse = replace(tuned, validation=Errors(10, 400.0, 5.0), validation_before=Errors(10, 225.0, 7.0))
    assert worse.worse and "held-out games (root mean squared error 20.0 against 15.0)" in str(worse)
    lost = replace(tuned, proof=SimpleNamespace(sprt=None, elo=-30.0, verdict=lambda: "b is stronger"))
    assert lost.worse and "held-out games (" not in str(lost) and "WARNING: the match did not find" in str(lost)


def test_a_large_penalty_keeps_the_starting_weights(tmp_path: Path, sliced_samples: Samples) -> None:
    config = replace(EXACT, penalty=1e12, towards="start")
    tuned = fitted(tmp_path, SLICED, sliced_samples, config)
    assert (tuned.weights.values == starting_weights(SLICED).values).all()
    assert tuned.loss_after == pytest.approx(tuned.loss_before)
    zero = fitted(tmp_path / "zero", SLICED, sliced_samples, replace(EXACT, penalty=1e12))
    assert not zero.weights.values.any()


def test_the_window_shares_what_columns_have_in_common(tmp_path: Path) -> None:
    """With one truth for all columns and few games, borrowing helps."""
    truth = random_weights(SLICED, 2)
    same = Weights(SLICED, np.repeat(truth.values[:1], len(truth.values), axis=0))
    samples = valued(SLICED, random_samples(SLICED, 25), same)
    config = replace(EXACT, penalty=1.0)
    alone = fitted(tmp_path / "alone", SLICED, samples, config)
    shared = fitted(tmp_path / "shared", SLICED, samples, replace(config, window=12))
    assert shared.loss_after < alone.loss_after / 4


def test_othello_learns(tmp_path: Path) -> None:
    truth = random_weights(OTHELLO, 3, 20)
    samples = valued(OTHELLO, random_samples(OTHELLO, 30), truth)
    config = TuneSettings(penalty=10.0, window=4, towards="zero", validation=0.2, tolerance=1e-3, seed=1)
    few = samples.take((samples.phase >= 30) & (samples.phase <= 36))
    tuned = fitted(tmp_path, OTHELLO, few, config)
    assert len(tuned.stages) > 7  # columns that borrow are fitted too
    assert {stage.column for stage in tuned.stages}.isdisjoint(tuned.repeated)
    assert len(tuned.stages) + len(tuned.repeated) == 64
    for column, source in tuned.repeated.items():
        assert (tuned.weights.values[column] == tuned.weights.values[source]).all()
    zero = sum(stage.validation_zero.square * stage.validation_zero.count for stage in tuned.stages)
    assert tuned.loss_after * tuned.validation.count < zero


def test_won_and_lost_games_are_scaled(tmp_path: Path) -> None:
    """A won game counts as a tenth of the win, so a constant target gives that value."""
    samples = random_samples(FOUR, 60)
    won = replace_scores(samples, FOUR.win)
    tuned = fitted(tmp_path, FOUR, won, replace(EXACT, loss="squared"))
    values = [evaluate(FOUR, tuned.weights, row) for row in samples.words[:50]]
    assert np.allclose(values, FOUR.win / WIN_SHARE, atol=5)


def replace_scores(samples: Samples, value: int) -> Samples:
    scores = np.full(len(samples), value, dtype=np.int32)
    return Samples(samples.words, samples.game, samples.ply, samples.phase, samples.result, scores)


# ── The same again ──


def test_the_number_of_threads_changes_nothing(tmp_path: Path, sliced_samples: Samples) -> None:
    one, two = (fitted(tmp_path / str(n), SLICED, sliced_samples, concurrency=n) for n in (1, 2))
    assert (one.weights.values == two.weights.values).all()
    assert one.stages == two.stages


class Impatient(Silent):
    """Presses Ctrl-C after so many columns."""

    def __init__(self, columns: int) -> None:
        self.left = columns

    def advance(self, count: int = 1) -> None:
        self.left -= count
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("columns", [0, 1, 6, 13])
def test_a_broken_run_goes_on(tmp_path: Path, sliced_samples: Samples, columns: int) -> None:
    whole = fitted(tmp_path / "whole", SLICED, sliced_samples)
    with run_of(tmp_path / "broken") as run:
        with pytest.raises(Interrupted, match=r"\d+ of 14 columns are saved in .*; run the same command to resume"):
            fit_samples(
                SLICED, sliced_samples, run, EXACT, concurrency=1, progress=lambda *_: nullcontext(Impatient(columns))
            )
        kept = [event["column"] for event in run.events("column")]
        assert len(kept) <= columns
        again = fit_samples(SLICED, sliced_samples, run, EXACT, concurrency=1)
        assert [event["column"] for event in run.events("column")][: len(kept)] == kept
        assert len(run.events("column")) == len(whole.stages)
    assert (again.weights.values == whole.weights.values).all()
    assert again.stages == whole.stages
    assert (again.loss_after, again.repeated) == (whole.loss_after, whole.repeated)


def test_a_column_whose_numbers_were_lost_is_fitted_again(tmp_path: Path, sliced_samples: Samples) -> None:
    whole = fitted(tmp_path, SLICED, sliced_samples)
    (tmp_path / "columns" / "005.npy").unlink()
    again = fitted(tmp_path, SLICED, sliced_samples)
    assert (again.weights.values == whole.weights.values).all()


def test_the_result_is_written(tmp_path: Path, sliced_samples: Samples) -> None:
    tuned = fitted(tmp_path, SLICED, sliced_samples)
    stored = json.loads((tmp_path / "result.json").read_text())
    assert stored["loss_after"] == tuned.loss_after
    assert stored["game"] == SLICED.name
    assert [stage["column"] for stage in stored["stages"]] == [stage.column for stage in tuned.stages]
    assert tuned.weights.provenance["penalty"] == EXACT.penalty


# ── Refusals ──


def test_no_known_value(tmp_path: Path) -> None:
    samples = random_samples(SLICED, 5)
    assert (samples.target == UNKNOWN).all()
    with pytest.raises(InputError, match=r"none of the [0-9]+ positions has a known value to fit"):
        fitted(tmp_path, SLICED, samples)


def test_positions_without_a_value_are_left_out(tmp_path: Path, sliced_samples: Samples) -> None:
    scores = np.where(sliced_samples.ply % 4 == 1, sliced_samples.score, UNKNOWN).astype(np.int32)
    half = Samples(*(getattr(sliced_samples, name) for name in ("words", "game", "ply", "phase", "result")), scores)
    assert fitted(tmp_path, SLICED, half).positions == (scores != UNKNOWN).sum()


def test_too_few_games(tmp_path: Path) -> None:
    samples = valued(SLICED, random_samples(SLICED, 1), starting_weights(SLICED))
    with pytest.raises(InputError, match="1 games are too few to hold some out for validation"):
        fitted(tmp_path, SLICED, samples)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"penalty": -1.0}, "penalty must be a number of at least 0, or auto"),
        ({"penalty": float("nan")}, "penalty must be a number of at least 0, or auto"),
        ({"penalty": float("inf")}, "penalty must be a number of at least 0, or auto"),
        ({"window": -1}, "window must be a whole number of at least 0, or auto"),
        ({"towards": "north"}, "towards must be zero or start, not 'north'"),
        ({"validation": 0.0}, "validation must be a number between 0 and 1"),
        ({"validation": 1.0}, "validation must be a number between 0 and 1"),
        ({"tolerance": 0.0}, "tolerance must be a number between 0 and 1"),
        ({"tolerance": float("nan")}, "tolerance must be a number between 0 and 1"),
    ],
)
def test_impossible_settings_are_refused(options: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        TuneSettings(**options)  # type: ignore[arg-type]


def test_weights_beyond_32_bits_are_refused(tmp_path: Path) -> None:
    """Values at both ends of the range, by chance, need weights beyond it."""
    samples = random_samples(SLICED, 40)
    scores = np.where(np.random.default_rng(1).random(len(samples)) < 0.5, 2**31 - 1, -(2**31) + 1).astype(np.int32)
    wild = Samples(samples.words, samples.game, samples.ply, samples.phase, samples.result, scores)
    with pytest.raises(InputError, match="a fitted weight does not fit into 32 bits; use a larger penalty"):
        fitted(tmp_path, SLICED, wild)


# ── Datasets and files ──


def dataset_of(path: Path, games: int) -> Path:
    samples = valued(FOUR, random_samples(FOUR, games), starting_weights(FOUR))
    write_part(create_dataset(path, FOUR, {"how": "test"}).path, 0, samples, FOUR)
    return path


def test_a_dataset_is_tuned_and_a_second_call_gives_the_same(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "d", 20)
    config = replace(EXACT, penalty=1.0)
    first = tune_request(TuneRequest((dataset,), None, config, 1), tmp_path / "run")
    second = tune_request(TuneRequest((dataset,), None, config, 1), tmp_path / "run")
    assert (first.weights.values == second.weights.values).all()


def test_a_run_is_not_continued_with_other_positions_or_settings(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "d", 20)
    tune_request(TuneRequest((dataset,), None, EXACT, 1), tmp_path / "run")
    with pytest.raises(MismatchError, match="penalty was"):
        tune_request(TuneRequest((dataset,), None, replace(EXACT, penalty=2.0), 1), tmp_path / "run")
    dataset_of(tmp_path / "d", 21)
    with pytest.raises(MismatchError, match="content was"):
        tune_request(TuneRequest((dataset,), None, EXACT, 1), tmp_path / "run")


def test_files_of_games_become_a_dataset_first(tmp_path: Path) -> None:
    lines = []
    for seed in range(6):
        choose, position, line = random.Random(seed), OTHELLO.start(), ""
        while moves := OTHELLO.moves(position):
            move = choose.choice(moves)
            line += OTHELLO.format_move(position, move).replace("pass", "")
            position = OTHELLO.play(position, move)
        lines.append(line)
    (tmp_path / "games.transcript").write_text("\n".join([*lines, "f5f5"]) + "\n")
    said: list[str] = []
    config = TuneSettings(penalty=1000.0, window=0, towards="start", validation=0.4, tolerance=0.1, seed=2)
    tuned = tune_request(
        TuneRequest((tmp_path / "games.transcript",), None, config, 1), tmp_path / "run", say=said.append
    )
    assert tuned.games == 6
    assert any("line 7, game 7" in text for text in said)
    assert any("rejected: 1 illegal move" in text for text in said)


def test_sources_that_are_not_there_or_too_many(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "d", 3)
    with pytest.raises(InputError, match="there is no dataset or file"):
        tune_request(TuneRequest((tmp_path / "gone",), None, EXACT), tmp_path / "run")
    with pytest.raises(InputError, match="one dataset, or several files of games, not both"):
        tune_request(
            TuneRequest(
                (
                    dataset,
                    dataset,
                ),
                None,
                EXACT,
            ),
            tmp_path / "run",
        )
    with pytest.raises(MismatchError, match="holds positions of connect_four, not of othello"):
        tune_request(TuneRequest((dataset,), None, EXACT), tmp_path / "run", game=OTHELLO)
    assert not (tmp_path / "run").exists()
