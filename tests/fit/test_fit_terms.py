"""Which features are fitted, what ordered ones gain from curves, and how often weights were seen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sliced_heaps

from evalsmith.fit.fitting import fit_samples
from evalsmith.fit.results import FitResult
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.squares.matrix import build_matrix
from evalsmith.fit.squares.seen import BINS, add_tables, seen_table
from evalsmith.fit.task import free_unknowns
from evalsmith.games import Game, find_game
from evalsmith.positions.samples import Samples
from evalsmith.run import RunFolder
from evalsmith.run.errors import InputError
from evalsmith.weights import Layout, starting_weights
from fitting_samples import random_samples, random_weights, valued

OTHELLO = find_game("othello")
SLICED = sliced_heaps.GAME
FOUR = find_game("connect_four")
CONFIG = TuneSettings(penalty=10.0, window=4, towards="zero", validation=0.25, tolerance=1e-4, seed=1)


def fitted(path: Path, game: Game, samples: Samples, config: TuneSettings) -> FitResult:
    with RunFolder(path, {"kind": "tune"}) as run:
        return fit_samples(game, samples, run, config, concurrency=1)


@pytest.fixture(scope="module")
def some_othello() -> Samples:
    """Positions of 30 to 34 empties, whose value is their mobility."""
    layout, start = Layout.of(OTHELLO), starting_weights(OTHELLO)
    values = np.zeros_like(start.values)
    values[:, layout.slice_of("mobility")] = 60 * np.arange(65)
    samples = random_samples(OTHELLO, 40)
    few = samples.take((samples.phase >= 30) & (samples.phase <= 34))
    return valued(OTHELLO, few, replace(start, values=values))


@pytest.mark.parametrize("towards", ["zero", "start"])
@pytest.mark.parametrize("game", [SLICED, FOUR], ids=["sliced", "blended"])
def test_features_that_are_not_named_stay(tmp_path: Path, game: Game, towards: str) -> None:
    layout = Layout.of(game)
    name = layout.features[0][0]
    samples = valued(game, random_samples(game, 60), random_weights(game, 5))
    tuned = fitted(tmp_path, game, samples, replace(CONFIG, terms=(name,), towards=towards, loss="squared"))
    start = starting_weights(game).values
    base = start if towards == "start" else np.zeros_like(start)
    fixed = np.ones(layout.size, dtype=bool)
    fixed[layout.slice_of(name)] = False
    fitted_columns = [c for c in range(len(layout.columns)) if c not in tuned.repeated]
    assert (tuned.weights.values[fitted_columns][:, fixed] == base[fitted_columns][:, fixed]).all()
    assert (tuned.weights.values[fitted_columns][:, ~fixed] != base[fitted_columns][:, ~fixed]).any()


def test_which_unknowns_are_free() -> None:
    layout = Layout.of(OTHELLO)
    assert free_unknowns(layout, TuneSettings()) is None
    free = free_unknowns(layout, TuneSettings(terms=("parity", "*mobility"), freeze=("*enemy*", "potential*")))
    assert free is not None and free.sum() == 67 and free[-2:].all()


def test_an_unknown_feature_is_refused(tmp_path: Path, some_othello: Samples) -> None:
    with pytest.raises(InputError, match="othello has no feature 'corner'; its features are"):
        fitted(tmp_path, OTHELLO, some_othello, replace(CONFIG, terms=("corner",)))


@pytest.mark.parametrize("kind", ["linear", "monotone"])
def test_curves_help_where_the_truth_is_one(tmp_path: Path, some_othello: Samples, kind: str) -> None:
    tuned = fitted(tmp_path, OTHELLO, some_othello, replace(CONFIG, penalty=100.0, dense=kind))
    stored = json.loads((tmp_path / "result.json").read_text())
    assert tuned.validation.absolute < stored["validation_plain"]["absolute"] / 2
    for stage in stored["stages"]:
        assert stage["validation_plain"]["count"] == stage["validation"]["count"]
    row = tuned.weights.values[32, Layout.of(OTHELLO).slice_of("mobility")]
    assert row[20] - row[0] > 600
    again = fitted(tmp_path, OTHELLO, some_othello, replace(CONFIG, penalty=100.0, dense=kind))
    assert again.stages == tuned.stages  # read back from the run folder
    plain = fitted(tmp_path / "plain", OTHELLO, some_othello, replace(CONFIG, penalty=100.0))
    assert [stage.validation for stage in plain.stages] == [stage.validation_plain for stage in tuned.stages]


# ── How often weights were seen ──


def test_the_table_counts_every_weight_once(tmp_path: Path, some_othello: Samples) -> None:
    tuned = fitted(tmp_path, OTHELLO, some_othello, CONFIG)
    layout = Layout.of(OTHELLO)
    table = tuned.to_json()["seen"]
    for name, size in layout.features:
        assert sum(row["weights"] for row in table if row["feature"] == name) == size * len(tuned.stages)
    never = [row for row in table if row["least"] == 0]
    assert all(row["size"] == 0 for row in never)  # towards zero: what was never seen got nothing
    assert json.loads((tmp_path / "result.json").read_text())["seen"] == table


def test_the_table_of_one_column() -> None:
    layout = Layout.of(SLICED)
    samples = random_samples(SLICED, 20)
    matrix = build_matrix(SLICED, layout, samples.words, samples.phase)
    counts = matrix.counts()
    assert counts.sum() == len(matrix.index)
    weights, start = np.arange(layout.size) - 3.0, np.ones(layout.size)
    table = seen_table(layout, counts, weights, start)
    for name, _ in layout.features:
        part = layout.slice_of(name)
        for number, (count, size, change) in enumerate(table[name]):
            most = BINS[number + 1] if number + 1 < len(BINS) else np.inf
            inside = (counts[part] >= BINS[number]) & (counts[part] < most)
            assert count == inside.sum()
            assert size == pytest.approx(np.abs(weights[part][inside]).sum())
            assert change == pytest.approx(np.abs(weights[part] - 1)[inside].sum())
    twice, once = add_tables([table, table]), add_tables([table])
    assert [row.weights for row in twice] == [2 * row.weights for row in once]
    assert [row.size for row in twice] == [row.size for row in once]
