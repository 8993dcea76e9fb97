"""One fit: samples in, weights out, with everything needed to resume, judge and report it."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import partial

import numpy as np
import numpy.typing as npt

from evalsmith.fit.cg import Solution
from evalsmith.fit.choosing import Choice, Trial, choose, trial_columns
from evalsmith.fit.columns import ColumnFitter, fill_gaps
from evalsmith.fit.dense import Ridge, curves, solve_dense
from evalsmith.fit.matrix import Matrix, build_matrix
from evalsmith.fit.request import check_terms
from evalsmith.fit.results import FitResult, Stage, load_column, save_column
from evalsmith.fit.seen import seen_table
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.targets import targets
from evalsmith.fit.task import Hyperparameters, Task, free_unknowns, hold_out
from evalsmith.fit.validation import Errors, errors, total
from evalsmith.games import Game
from evalsmith.positions.samples import Samples
from evalsmith.run import InputError, Interrupted, Progress, RunFolder, write_json
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import cores
from evalsmith.weights import Weights, starting_weights

RESULT = "result.json"
Vector = npt.NDArray[np.float64]
Fitted = tuple[Vector, list[Stage], dict[int, int]]
"""The weights before they are rounded, the stages, and which columns repeat which others."""


def fit_samples(
    game: Game,
    samples: Samples,
    run: RunFolder,
    settings: TuneSettings,
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
) -> FitResult:
    """Fit a game's weights to the targets of the samples; resumes where a killed run stopped."""
    began = time.perf_counter()
    task = _task(game, samples, settings)
    way: _Columns | _Together = (_Columns if task.start.layout.sliced else _Together)(task, run, concurrency or cores())
    try:
        parameters, choices = way.choose(progress)
    except KeyboardInterrupt:
        raise Interrupted(f"completed trials are saved in {run.path}; run the same command to resume") from None
    with progress("fitting", len(task.start.layout.columns), "columns") as bar:
        fitted = way.fit(parameters, bar)
    result = _result(task, run, parameters, choices, fitted, time.perf_counter() - began)
    write_json(run.path / RESULT, {**result.to_json(), "game": game.name, "unit": game.unit})
    run.event("tuned", loss_before=result.loss_before, loss_after=result.loss_after)
    return result


def _task(game: Game, samples: Samples, settings: TuneSettings) -> Task:
    """The samples that have a value to fit to, split into fitted and held-out games."""
    check_terms(game, settings)
    value = targets(game, samples, settings.target, settings.result_share)
    known = samples.take(~np.isnan(value))
    if len(known) == 0:
        by = "" if settings.target == "label" else f", by target {settings.target}"
        raise InputError(f"none of the {len(samples):,} positions has a known value to fit{by}")
    return Task(
        game=game,
        samples=known,
        target=value[~np.isnan(value)],
        validation=hold_out(known, settings.validation, settings.seed),
        start=starting_weights(game),
        settings=settings,
    )


def _result(
    task: Task, run: RunFolder, parameters: Hyperparameters, choices: list[Choice], fitted: Fitted, seconds: float
) -> FitResult:
    values, stages, repeated = fitted
    rounded = np.rint(values)
    if np.abs(rounded).max(initial=0) > 2**31 - 1:
        raise InputError("a fitted weight does not fit into 32 bits; use a larger penalty")
    after, before = total([s.validation for s in stages]), total([s.validation_before for s in stages])
    resolved = {**task.settings.to_table(), **asdict(parameters)}
    positions = len(task.samples)
    provenance = {
        "made": "fitted", "positions": positions, **resolved, "chosen": [choice.setting for choice in choices],
    }  # fmt: skip
    return FitResult(
        weights=Weights(task.game, rounded.astype(np.int32), "fitted", provenance),
        stages=tuple(stages),
        repeated=repeated,
        choices=tuple(choices),
        settings=resolved,
        loss_before=before.square,
        loss_after=after.square,
        validation=after,
        validation_before=before,
        passes=sum(stage.iterations for stage in stages),
        positions=positions,
        games=len(np.unique(task.samples.game)),
        seconds=seconds,
        run=run.path,
    )


class _Columns:
    """Every column by itself; each finished one is saved in the run folder."""

    def __init__(self, task: Task, run: RunFolder, concurrency: int) -> None:
        self.task, self.run, self.concurrency = task, run, concurrency

    def choose(self, progress: Watch) -> tuple[Hyperparameters, list[Choice]]:
        settings = self.task.settings
        if not settings.automatic:
            return Hyperparameters.of(settings), []
        fitter = ColumnFitter(self.task.inner(), Hyperparameters.of(settings), concurrency=self.concurrency)
        columns = trial_columns([len(held) for held in fitter.held])
        return choose(settings, self.run, Trial(partial(fitter.measure, columns), len(columns)), progress=progress)

    def fit(self, parameters: Hyperparameters, progress: Progress) -> Fitted:
        run, layout = self.run, self.task.start.layout
        fitter = ColumnFitter(self.task, parameters, concurrency=self.concurrency)
        values = np.zeros(self.task.start.values.shape, dtype=np.float64)
        stages: dict[int, Stage] = {}
        for event in run.events("column"):
            saved = load_column(run.path, event, values.shape)
            if saved is not None:
                values[saved[0].column], stages[saved[0].column] = saved[1], saved[0]
        waiting = [column for column in range(len(layout.columns)) if column not in stages]
        progress.advance(len(stages))
        try:
            for fit in fitter.fit_all(waiting):
                progress.advance()
                if fit is None:
                    continue
                values[fit.column] = fit.weights
                stages[fit.column] = Stage.of(fit, layout.columns[fit.column])
                save_column(run.path, fit.column, fit.weights)
                run.event("column", **asdict(stages[fit.column]))
        except KeyboardInterrupt:
            count = len(layout.columns)
            raise Interrupted(
                f"{len(stages)} of {count} columns are saved in {run.path}; run the same command to resume"
            ) from None
        repeated = fill_gaps(values, sorted(stages), len(layout.columns))
        return values, [stages[column] for column in sorted(stages)], repeated


class _Together:
    """All columns in one problem, because positions blend two of them."""

    def __init__(self, task: Task, run: RunFolder, concurrency: int) -> None:
        if task.settings.smooth == "stages":
            raise InputError(f"{task.game.name} fits all columns together, so they cannot be smoothed over stages")
        self.task, self.run = task, run
        self.before = task.start.values.astype(np.float64).reshape(-1)
        free = free_unknowns(task.start.layout, task.settings.terms)
        self.free = None if free is None else np.tile(free, len(task.start.layout.columns))

    def choose(self, progress: Watch) -> tuple[Hyperparameters, list[Choice]]:
        settings = self.task.settings
        if not settings.automatic:
            return Hyperparameters.of(settings), []
        problem = _Sides(self.task.inner())

        def measure(parameters: Hyperparameters, progress: Progress) -> Errors:
            found = self._try(problem, parameters)
            progress.advance()
            return found

        return choose(settings, self.run, Trial(measure, windows=False), progress=progress)

    def _solve(self, problem: _Sides, parameters: Hyperparameters) -> Solution:
        settings, game, layout = self.task.settings, self.task.game, self.task.start.layout
        towards = self.before if settings.towards == "start" else np.zeros(len(self.before))
        ridge = Ridge(
            problem.training, problem.target, parameters.penalty, towards, free=self.free, tolerance=settings.tolerance
        )
        return solve_dense(ridge, parameters.dense, curves(game, layout, parameters.dense, settings.terms))

    def _try(self, problem: _Sides, parameters: Hyperparameters) -> Errors:
        return errors(problem.check.times(np.rint(self._solve(problem, parameters).x)), problem.truth)

    def fit(self, parameters: Hyperparameters, progress: Progress) -> Fitted:
        problem, layout = _Sides(self.task), self.task.start.layout
        found = self._solve(problem, parameters)
        rounded = np.rint(found.x)
        plain = None
        if parameters.dense != "none":
            plain = self._try(problem, Hyperparameters(parameters.penalty, parameters.window))
        stage = Stage(
            column=0,
            name="all columns",
            positions=len(problem.training),
            iterations=found.iterations,
            objective=found.objective,
            converged=found.converged,
            training=errors(problem.training.times(rounded), problem.target),
            validation=errors(problem.check.times(rounded), problem.truth),
            validation_before=errors(problem.check.times(self.before), problem.truth),
            validation_zero=errors(np.zeros(len(problem.truth)), problem.truth),
            validation_plain=plain,
            seen=seen_table(layout, problem.training.counts(), rounded, self.before),
        )
        progress.advance(len(layout.columns))
        self.run.event("column", **asdict(stage))
        return found.x.reshape(self.task.start.values.shape), [stage], {}


class _Sides:
    """The rows that are fitted, the rows that are held out, and their targets."""

    def __init__(self, task: Task) -> None:
        matrix = build_matrix(task.game, task.start.layout, task.samples.words, task.samples.phase)
        seen, unseen = np.flatnonzero(~task.validation), np.flatnonzero(task.validation)
        self.training: Matrix = matrix.rows(seen)
        self.check: Matrix = matrix.rows(unseen)
        self.target, self.truth = task.target[seen], task.target[unseen]
