"""Settings that validation chooses: the smallest error wins, nothing is tried twice, and the judges stay out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sliced_heaps

from evalsmith.fit.fitting import fit_samples
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.squares.choosing import PENALTIES, WINDOWS, Trial, choose, trial_columns
from evalsmith.fit.task import Hyperparameters
from evalsmith.fit.validation import Errors, held_out
from evalsmith.games import find_game
from evalsmith.run import Progress, RunFolder, Silent
from evalsmith.run.errors import InputError
from evalsmith.weights import Weights
from fitting_samples import random_samples, random_weights, valued

SLICED = sliced_heaps.GAME
FOUR = find_game("connect_four")
ALL = TuneSettings(penalty="auto", window="auto", dense="auto")
EVERYTHING = replace(ALL, smooth="auto")


def run_of(path: Path) -> RunFolder:
    return RunFolder(path, {"kind": "tune"})


SILENT = Silent()


def made_up(settings: Hyperparameters, progress: Progress = SILENT) -> Errors:
    """Best at window 4, then penalty 10, then sqrt."""
    away = abs(settings.window - 4) + abs(np.log10(settings.penalty) - 1) + (settings.dense != "sqrt")
    return Errors(10, 100.0 + away, 5.0)


def test_one_setting_after_another(tmp_path: Path) -> None:
    settings, choices = choose(ALL, run_of(tmp_path), Trial(made_up))
    assert settings == Hyperparameters(10.0, 4, "sqrt")
    assert [choice.setting for choice in choices] == ["window", "penalty", "dense"]
    assert [one.value for one in choices[0].tried] == list(WINDOWS)
    assert [one.value for one in choices[1].tried] == list(PENALTIES)
    assert [one.value for one in choices[2].tried] == ["none", "linear", "sqrt", "monotone"]
    # The window is tried with the default penalty and without curves.
    assert choices[0].tried[2].errors == made_up(Hyperparameters(1000.0, 4))
    json.dumps([choice.to_json() for choice in choices])


def test_smoothing_is_chosen_last(tmp_path: Path) -> None:
    settings, choices = choose(EVERYTHING, run_of(tmp_path), Trial(lambda settings, progress: made_up(settings)))
    assert settings == Hyperparameters(10.0, 4, "sqrt", "none")  # no better, so not taken
    assert [one.value for one in choices[3].tried] == ["none", "stages"]


def test_progress_is_told_of_every_step(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []

    class Counting:
        def __init__(self, title: str, total: int) -> None:
            self.title, self.total, self.done = title, total, 0

        def advance(self, count: int = 1) -> None:
            self.done += count

        def __enter__(self) -> Counting:
            return self

        def __exit__(self, *_: object) -> None:
            told.append((self.title, self.total, self.done))

    def measure(settings: Hyperparameters, progress: Progress) -> Errors:
        progress.advance(3)
        return Errors(1, -settings.penalty, 0.0)

    choose(
        TuneSettings(penalty="auto"),
        run_of(tmp_path),
        Trial(measure, steps=3),
        progress=lambda title, total, unit: Counting(title, total),
    )
    assert told[0] == ("choosing the penalty", 18, 18)
    assert told[1:] == [(f"trying the penalty {value}", 3, 3) for value in ("100000", "1e+06", "1e+07")]


def test_what_is_given_is_not_chosen(tmp_path: Path) -> None:
    config = TuneSettings(penalty="auto", window=2, dense="linear")
    settings, [choice] = choose(config, run_of(tmp_path), Trial(made_up))
    assert settings == Hyperparameters(10.0, 2, "linear") and choice.setting == "penalty"
    assert Hyperparameters.of(TuneSettings(penalty=3.0, window=1)) == Hyperparameters(3.0, 1)
    assert choose(TuneSettings(), run_of(tmp_path / "none"), Trial(made_up)) == (Hyperparameters.of(TuneSettings()), [])


@pytest.mark.parametrize(("best", "tried"), [(0.001, 0.0001), (1e6, 1e7)])
def test_the_row_of_penalties_is_made_longer(tmp_path: Path, best: float, tried: float) -> None:
    def measure(settings: Hyperparameters, progress: Progress) -> Errors:
        return Errors(1, abs(np.log10(settings.penalty / best)), 0.0)

    settings, [choice] = choose(TuneSettings(penalty="auto"), run_of(tmp_path), Trial(measure))
    assert settings.penalty == pytest.approx(best)
    values = [one.value for one in choice.tried]
    assert values == sorted(values) and tried == pytest.approx(values[0] if best < 1 else values[-1])


def test_a_killed_choice_goes_on(tmp_path: Path) -> None:
    left = 7

    def killed(settings: Hyperparameters, progress: Progress) -> Errors:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return made_up(settings)

    with pytest.raises(KeyboardInterrupt):
        choose(ALL, run_of(tmp_path), Trial(killed))
    with (tmp_path / "events.jsonl").open("a") as events:
        events.write('{"event": "tried", "setting": "penalty", "value": 10.0, "count": "x"}\n')
    asked: list[Hyperparameters] = []

    def count(settings: Hyperparameters, progress: Progress) -> Errors:
        asked.append(settings)
        return made_up(settings)

    settings, choices = choose(ALL, run_of(tmp_path), Trial(count))
    assert (settings, choices) == choose(ALL, run_of(tmp_path / "whole"), Trial(made_up))
    assert len(asked) == 15 - 7


def test_columns_to_try_on() -> None:
    assert trial_columns([0, 5, 0, 1]) == [1, 3]
    assert trial_columns([]) == []
    chosen = trial_columns([1] * 61 + [0] * 3)
    assert len(chosen) == 8 and chosen[0] == 0 and chosen[-1] == 60
    assert {column % 2 for column in chosen} == {0, 1}


# ── In a run ──


def test_a_run_chooses_what_fits(tmp_path: Path) -> None:
    """One truth for all columns, exact values and few games: a wide window and a small penalty are best."""
    truth = random_weights(SLICED, 2)
    same = Weights(SLICED, np.repeat(truth.values[:1], len(truth.values), axis=0))
    samples = valued(SLICED, random_samples(SLICED, 60), same)
    config = replace(ALL, dense="none", towards="zero", validation=0.25, tolerance=1e-12, seed=3)
    with run_of(tmp_path) as run:
        tuned = fit_samples(SLICED, samples, run, config, concurrency=2)
    assert tuned.settings["window"] in (6, 8) and tuned.settings["penalty"] <= 1.0
    stored = json.loads((tmp_path / "result.json").read_text())
    assert [choice["setting"] for choice in stored["choices"]] == ["window", "penalty"]
    assert stored["settings"]["penalty"] == tuned.weights.provenance["penalty"] == tuned.settings["penalty"]
    assert tuned.weights.provenance["chosen"] == ["window", "penalty"]
    fixed = replace(config, **{name: tuned.settings[name] for name in ("penalty", "window")})
    with run_of(tmp_path / "fixed") as run:
        again = fit_samples(SLICED, samples, run, fixed, concurrency=1)
    assert (again.weights.values == tuned.weights.values).all()


def test_the_games_that_judge_take_no_part_in_the_choice(tmp_path: Path) -> None:
    samples = valued(SLICED, random_samples(SLICED, 60), random_weights(SLICED, 2))
    config = replace(ALL, dense="none", validation=0.25, seed=3)
    with run_of(tmp_path / "a") as run:
        tuned = fit_samples(SLICED, samples, run, config, concurrency=1)
    judges = held_out(samples.game, 0.25, 3)
    spoilt = replace(samples, score=np.where(judges, 12345, samples.score).astype(np.int32))
    with run_of(tmp_path / "b") as run:
        other = fit_samples(SLICED, spoilt, run, config, concurrency=1)
    assert other.choices == tuned.choices
    assert (other.weights.values == tuned.weights.values).all()
    assert other.loss_after != tuned.loss_after


def test_blended_layouts_choose_a_penalty_and_have_no_window(tmp_path: Path) -> None:
    samples = valued(FOUR, random_samples(FOUR, 40), random_weights(FOUR, 1))
    with run_of(tmp_path) as run:
        squares = replace(ALL, dense="none", validation=0.25, loss="squared")
        tuned = fit_samples(FOUR, samples, run, squares, concurrency=1)
    assert [choice.setting for choice in tuned.choices] == ["penalty"]
    assert tuned.settings["window"] == 6


def test_too_few_games_to_choose(tmp_path: Path) -> None:
    samples = valued(SLICED, random_samples(SLICED, 3), random_weights(SLICED, 1))
    with run_of(tmp_path) as run, pytest.raises(InputError, match="games are too few to hold some out"):
        fit_samples(SLICED, samples, run, replace(ALL, validation=0.4), concurrency=1)
