"""A joint fit of a game's weights: positions in, weights out."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.fit.candidates import QUIET
from evalsmith.fit.filters import filtering
from evalsmith.fit.joint.cases import Cases, cases_of
from evalsmith.fit.joint.outcome import JointFit
from evalsmith.fit.joint.run import fit_cases
from evalsmith.fit.joint.surroundings import Surroundings
from evalsmith.fit.proving import play_candidate
from evalsmith.fit.results import FitResult
from evalsmith.fit.settings import SQUARED, TuneSettings
from evalsmith.fit.validation import Errors
from evalsmith.games import Game
from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.run import InputError, RunFolder, write_text
from evalsmith.run.watching import Watch, unwatched
from evalsmith.weights import OutsideWeights, Weights, save_weights

BEST, TABLE = "best.json", "weights.csv"
Vector = npt.NDArray[np.float64]


def fit_jointly(
    game: Game,
    samples: Samples,
    start: Weights,
    run: RunFolder,
    settings: TuneSettings,
    *,
    threads: int,
    progress: Watch = unwatched,
) -> FitResult:
    """Fit all columns of a game's weights together, by the loss that suits the game."""
    began = time.perf_counter()
    loss = settings.loss_for(game)
    cases = joint_cases(game, samples, start, run, settings, threads=threads)
    around = surroundings_of(samples, cases, start, run, settings, threads=threads, progress=progress)
    found = fit_cases(cases, settings, loss, around)
    weights = weights_of(start, found.x, found)
    write_text(run.path / TABLE, weight_table(cases, found))
    return joint_result(weights, found, settings, run, time.perf_counter() - began)


def surroundings_of(
    samples: Samples,
    cases: Cases,
    start: Weights,
    run: RunFolder,
    settings: TuneSettings,
    *,
    threads: int,
    progress: Watch = unwatched,
) -> Surroundings:
    """What the fit of a game's positions needs from outside."""
    return Surroundings(
        run,
        threads=threads,
        elo=partial(_elo, start, run, settings, threads),
        filters=partial(filtering, samples, quiet=cases.filters.get(QUIET)),
        best=partial(_save_best, start, run),
        progress=progress,
    )


def joint_cases(
    game: Game, samples: Samples, start: Weights, run: RunFolder, settings: TuneSettings, *, threads: int
) -> Cases:
    """The cases of a joint fit, with what its filters let through, and with what is quiet where that matters."""
    cases = cases_of(game, samples, start, settings, run, threads=threads)
    asked = settings.loss_for(game) != SQUARED if settings.quiet is None else settings.quiet
    quiet = quiet_positions(game, samples.words, threads=threads) if asked or QUIET in settings.choices else None
    return replace(cases, filters=filtering(samples, settings, quiet))


def weights_of(start: Weights, x: Vector, found: JointFit | None = None) -> Weights:
    """Flat unknowns as weights, with what is known of them."""
    if np.abs(x).max(initial=0) > 2**31 - 1:
        raise InputError("a fitted weight does not fit into 32 bits; use a larger penalty")
    values = np.rint(x).astype(np.int32).reshape(start.values.shape)
    provenance: dict[str, object] = {"made": "fitted", "start": start.name}
    if found is not None:
        facts = ("loss", "k", "target", "penalty", "method", "positions", "games")
        provenance |= {name: getattr(found, name) for name in facts}
        provenance["validation"] = {"start": found.validation.start, "fitted": found.validation.fitted}
    return Weights(start.game, values, "fitted", provenance)


def _elo(
    start: Weights, run: RunFolder, settings: TuneSettings, threads: int, x: Vector, name: str
) -> tuple[float, float]:
    folder = run.path / "candidates" / name
    return play_candidate(weights_of(start, x), start, folder, settings, concurrency=threads)


def _save_best(start: Weights, run: RunFolder, x: Vector) -> Path:
    save_weights(weights_of(start, x), run.path / BEST)
    return run.path / BEST


def joint_result(
    weights: Weights | OutsideWeights, found: JointFit, settings: TuneSettings, run: RunFolder, seconds: float
) -> FitResult:
    """The result of a joint fit."""
    held = found.validation
    chosen = {one.setting: one.value for one in found.chosen}
    named = {"loss": found.loss, "method": found.method, "target": found.target, "penalty": found.penalty}
    resolved = {**settings.to_table(), **chosen, **named}
    return FitResult(
        weights=weights,
        stages=(),
        repeated={},
        choices=found.chosen,
        settings=resolved,
        loss_before=held.start,
        loss_after=held.fitted,
        validation=Errors(held.rows, held.fitted, float(np.sqrt(held.fitted))),
        validation_before=Errors(held.rows, held.start, float(np.sqrt(held.start))),
        passes=found.passes,
        positions=found.positions,
        games=found.games,
        seconds=seconds,
        run=run.path,
        joint=found,
    )


def weight_table(cases: Cases, found: JointFit) -> str:
    """Every weight with its start, its fitted value, its standard error and how often it occurs, as CSV."""
    counts, names = cases.rows.counts(), cases.names
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("feature", "index", "column", "start", "fitted", "error", "occurrences"))
    for unknown in range(len(found.x)):
        column, index = divmod(unknown, names.layout.size)
        error = found.errors[unknown]
        writer.writerow(
            (
                *names.inner[index],
                names.layout.columns[column],
                f"{cases.start[unknown]:g}",
                f"{found.x[unknown]:g}",
                f"{error:.1f}" if np.isfinite(error) else "not determined",
                f"{counts[unknown]:.0f}",
            )
        )
    return text.getvalue()
