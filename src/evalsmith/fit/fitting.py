"""One tuning run: samples in, weights out, with everything needed to resume, judge and report it."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.cg import Solution
from evalsmith.fit.choosing import Choice, choose, trial_columns, usual
from evalsmith.fit.columns import ColumnFitter, Settings, fill_gaps, free_unknowns
from evalsmith.fit.config import TuneConfig, check_terms
from evalsmith.fit.dense import curves, solve_dense
from evalsmith.fit.matrix import Matrix, build_matrix
from evalsmith.fit.results import Stage, Tuned, keep_column, kept_column
from evalsmith.fit.seen import seen_table
from evalsmith.fit.targets import targets
from evalsmith.fit.validation import Errors, errors, held_out, total
from evalsmith.fit.watching import Watch, unwatched
from evalsmith.games import Game
from evalsmith.positions import Samples
from evalsmith.run import InputError, Interrupted, Progress, RunFolder, derive, write_json
from evalsmith.scale import cores
from evalsmith.weights import Weights, starting_weights

RESULT = "result.json"
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """What is fitted to what: positions with known values, and which of them are held out."""

    game: Game
    samples: Samples
    target: Vector
    validation: npt.NDArray[np.bool_]
    start: Weights
    config: TuneConfig

    def inner(self) -> Task:
        """The same without the games that judge the fit, and with others held out: what settings are tried on."""
        kept = np.flatnonzero(~self.validation)
        samples = self.samples.take(kept)
        again = _held_out(samples, self.config.validation, derive(self.config.seed, "choosing"))
        return replace(self, samples=samples, target=self.target[kept], validation=again)


def tune(
    game: Game,
    samples: Samples,
    run: RunFolder,
    config: TuneConfig,
    *,
    concurrency: int | None = None,
    watch: Watch = unwatched,
) -> Tuned:
    """Fit a game's weights to the targets of the samples; goes on where a killed run stopped."""
    began = time.perf_counter()
    check_terms(game, config)
    value = targets(game, samples, config.target, config.result_share)
    known = samples.take(~np.isnan(value))
    if len(known) == 0:
        told = "" if config.target == "label" else f", by target {config.target}"
        raise InputError(f"none of {len(samples):,} positions has a known value to fit to{told}")
    start = starting_weights(game)
    split = _held_out(known, config.validation, config.seed)
    task = Task(game, known, value[~np.isnan(value)], split, start, config)
    way: _Columns | _Together = (_Columns if start.layout.sliced else _Together)(task, run, concurrency or cores())
    try:
        settings, choices = way.choose(watch)
    except KeyboardInterrupt:
        raise Interrupted(f"what was tried is kept in {run.path}; the same command goes on from there") from None
    with watch("fitting", len(start.layout.columns), "columns") as progress:
        values, stages, repeated = way.fit(settings, progress)
    rounded = np.rint(values)
    if np.abs(rounded).max(initial=0) > 2**31 - 1:
        raise InputError("a fitted weight does not fit 32 bits; a larger penalty keeps weights small")
    after, before = total([s.validation for s in stages]), total([s.validation_before for s in stages])
    resolved = {**asdict(config), **asdict(settings)}
    weights = Weights(
        game,
        rounded.astype(np.int32),
        "fitted",
        {"made": "fitted", "positions": len(known), **resolved, "chosen": [choice.setting for choice in choices]},
    )
    tuned = Tuned(
        weights,
        tuple(stages),
        repeated,
        tuple(choices),
        resolved,
        before.square,
        after.square,
        after,
        before,
        sum(stage.iterations for stage in stages),
        len(known),
        len(np.unique(known.game)),
        time.perf_counter() - began,
    )
    write_json(run.path / RESULT, {**tuned.to_json(), "game": game.name, "unit": game.unit})
    run.event("tuned", loss_before=before.square, loss_after=after.square)
    return tuned


def _held_out(samples: Samples, share: float, seed: int) -> npt.NDArray[np.bool_]:
    """The held-out rows; both sides have some."""
    validation = held_out(samples.game, share, seed)
    if validation.all() or not validation.any():
        raise InputError(
            f"{len(np.unique(samples.game))} games are too few to hold some out for validation; bring more games"
        )
    return validation


Fitted = tuple[Vector, list[Stage], dict[int, int]]


class _Columns:
    """Every column by itself; each finished one is kept in the run folder."""

    def __init__(self, task: Task, run: RunFolder, concurrency: int) -> None:
        self.task, self.run, self.concurrency = task, run, concurrency

    def _fitter(self, task: Task, settings: Settings) -> ColumnFitter:
        return ColumnFitter(
            task.game, task.samples, task.target, task.validation, task.start,
            penalty=settings.penalty, window=settings.window, dense=settings.dense, smooth=settings.smooth,
            terms=task.config.terms,
            towards_start=task.config.towards == "start", tolerance=task.config.tolerance,
            concurrency=self.concurrency,
        )  # fmt: skip

    def choose(self, watch: Watch) -> tuple[Settings, list[Choice]]:
        config = self.task.config
        if not config.automatic:
            return usual(config), []
        fitter = self._fitter(self.task.inner(), usual(config))
        columns = trial_columns([len(held) for held in fitter.held])
        return choose(config, self.run, partial(fitter.measure, columns), watch=watch, steps=len(columns))

    def fit(self, settings: Settings, progress: Progress) -> Fitted:
        run, layout = self.run, self.task.start.layout
        fitter = self._fitter(self.task, settings)
        values = np.zeros(self.task.start.values.shape, dtype=np.float64)
        stages: dict[int, Stage] = {}
        for event in run.events("column"):
            kept = kept_column(run.path, event, values.shape)
            if kept is not None:
                values[kept[0].column], stages[kept[0].column] = kept[1], kept[0]
        waiting = [column for column in range(len(layout.columns)) if column not in stages]
        progress.advance(len(stages))
        try:
            for fit in fitter.fit_all(waiting):
                progress.advance()
                if fit is None:
                    continue
                values[fit.column] = fit.weights
                stages[fit.column] = Stage.of(fit, layout.columns[fit.column])
                keep_column(run.path, fit.column, fit.weights)
                run.event("column", **asdict(stages[fit.column]))
        except KeyboardInterrupt:
            count = len(layout.columns)
            raise Interrupted(
                f"kept {len(stages)} of {count} columns in {run.path}; the same command goes on from there"
            ) from None
        repeated = fill_gaps(values, sorted(stages), len(layout.columns))
        return values, [stages[column] for column in sorted(stages)], repeated


class _Together:
    """All columns in one problem, because positions blend two of them."""

    def __init__(self, task: Task, run: RunFolder, concurrency: int) -> None:
        if task.config.smooth == "stages":
            raise InputError(f"{task.game.name} fits all columns together, so they cannot be smoothed over stages")
        self.task, self.run = task, run
        self.before = task.start.values.astype(np.float64).reshape(-1)
        free = free_unknowns(task.start.layout, task.config.terms)
        self.free = None if free is None else np.tile(free, len(task.start.layout.columns))

    def choose(self, watch: Watch) -> tuple[Settings, list[Choice]]:
        config = self.task.config
        if not config.automatic:
            return usual(config), []
        problem = _Sides(self.task.inner())

        def measure(settings: Settings, progress: Progress) -> Errors:
            found = self._try(problem, settings)
            progress.advance()
            return found

        return choose(config, self.run, measure, windows=False, watch=watch)

    def _solve(self, problem: _Sides, settings: Settings) -> Solution:
        config, game, layout = self.task.config, self.task.game, self.task.start.layout
        towards = self.before if config.towards == "start" else np.zeros(len(self.before))
        given = curves(game, layout, settings.dense, config.terms)
        return solve_dense(
            problem.training, problem.target, settings.penalty, towards, settings.dense, given,
            free=self.free, tolerance=config.tolerance,
        )  # fmt: skip

    def _try(self, problem: _Sides, settings: Settings) -> Errors:
        return errors(problem.check.times(np.rint(self._solve(problem, settings).x)), problem.truth)

    def fit(self, settings: Settings, progress: Progress) -> Fitted:
        problem, layout = _Sides(self.task), self.task.start.layout
        found = self._solve(problem, settings)
        rounded = np.rint(found.x)
        plain = self._try(problem, Settings(settings.penalty, settings.window)) if settings.dense != "none" else None
        stage = Stage(
            0,
            "all columns",
            len(problem.training),
            found.iterations,
            found.objective,
            found.converged,
            errors(problem.training.times(rounded), problem.target),
            errors(problem.check.times(rounded), problem.truth),
            errors(problem.check.times(self.before), problem.truth),
            errors(np.zeros(len(problem.truth)), problem.truth),
            plain,
            seen_table(layout, problem.training.counts(), rounded, self.before),
        )
        progress.advance(len(layout.columns))
        fields: dict[str, Any] = asdict(stage)
        self.run.event("column", **fields)
        return found.x.reshape(self.task.start.values.shape), [stage], {}


class _Sides:
    """The rows that are fitted, the rows that are held out, and their targets."""

    def __init__(self, task: Task) -> None:
        matrix = build_matrix(task.game, task.start.layout, task.samples.words, task.samples.phase)
        seen, unseen = np.flatnonzero(~task.validation), np.flatnonzero(task.validation)
        self.training: Matrix = matrix.rows(seen)
        self.check: Matrix = matrix.rows(unseen)
        self.target, self.truth = task.target[seen], task.target[unseen]
