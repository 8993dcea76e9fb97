"""One fit: samples in, weights out, with everything needed to resume, judge and report it."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from evalsmith.fit.filters import select_samples
from evalsmith.fit.jointly import fit_jointly
from evalsmith.fit.request import check_terms
from evalsmith.fit.results import FitResult, Stage, load_column, save_column
from evalsmith.fit.settings import ALTERNATIVES, CG, SQUARED, TuneSettings
from evalsmith.fit.squares.centred import Centred, centred
from evalsmith.fit.squares.cg import Solution
from evalsmith.fit.squares.choosing import Choice, Trial, choose, trial_columns
from evalsmith.fit.squares.columns import ColumnFitter, fill_gaps
from evalsmith.fit.squares.dense import Ridge, curves, solve_dense
from evalsmith.fit.squares.matrix import Matrix, build_matrix
from evalsmith.fit.squares.seen import seen_table
from evalsmith.fit.targets import resolve_squares, target_kinds, targets
from evalsmith.fit.task import Hyperparameters, Task, free_unknowns, hold_out
from evalsmith.fit.validation import Errors, errors, total
from evalsmith.games import Game
from evalsmith.positions.samples import Samples
from evalsmith.positions.selfplay.alternatives import decisions
from evalsmith.run import InputError, Interrupted, Progress, RunFolder, resume, write_json
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import cores
from evalsmith.weights import Weights, starting_weights
from evalsmith.weights.file import linear_only
from evalsmith.weights.named import load_weights

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
    check_terms(game, settings)
    start = start_of(game, settings)
    samples = select_samples(samples, settings)
    if settings.joint(game):
        result = fit_jointly(game, samples, start, run, settings, threads=concurrency or cores(), progress=progress)
        return _saved(result, run)
    if settings.choose:
        raise InputError(
            "choose is for logistic fits; in a fit to squares window, penalty, dense and smooth can be auto"
        )
    task = _task(game, samples, start, settings)
    by_column = task.start.layout.sliced and task.group is None  # a decision may reach over two columns
    way: _Columns | _Together = (_Columns if by_column else _Together)(task, run, concurrency or cores())
    try:
        parameters, choices = way.choose(progress)
    except KeyboardInterrupt:
        raise Interrupted(f"completed trials are saved in {run.path}; run the same command to resume") from None
    with progress("fitting", len(task.start.layout.columns), "columns") as bar:
        fitted = way.fit(parameters, bar)
    return _saved(_result(task, run, parameters, choices, fitted, time.perf_counter() - began), run)


def start_of(game: Game, settings: TuneSettings) -> Weights:
    """The weights that a fit starts from; without ProbCut, since fitted ones have none and matches compare the two."""
    given = settings.initial_weights
    if given is None:
        return starting_weights(game)
    return replace(linear_only(load_weights(given, game), "a fit starts from"), probcut=None)


def _saved(result: FitResult, run: RunFolder) -> FitResult:
    """A result, written into its run folder."""
    game = result.game
    write_json(run.path / RESULT, {**result.to_json(), "game": game.name, "unit": game.unit})
    run.event("tuned", loss_before=result.loss_before, loss_after=result.loss_after)
    return result


def _task(game: Game, samples: Samples, start: Weights, settings: TuneSettings) -> Task:
    """The samples that have a value to fit to, split into fitted and held-out games."""
    kind = resolve_squares(game, samples, settings)
    value = targets(game, samples, kind, settings.result_share)
    known = samples.take(~np.isnan(value))
    if len(known) == 0:
        by = "" if kind == "label" else f", by target {kind}"
        raise InputError(f"none of the {len(samples):,} positions has a known value to fit{by}")
    return Task(
        game=game,
        kind=kind,
        group=decisions(known) if kind == ALTERNATIVES else None,
        samples=known,
        target=value[~np.isnan(value)],
        validation=hold_out(known, settings.validation, settings.seed),
        start=start,
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
    resolved = {**task.settings.to_table(), **asdict(parameters), "loss": SQUARED, "method": CG}
    if task.kind == ALTERNATIVES:
        resolved["target"] = task.kind
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
        targets=_targets_by_stage(task, stages),
        run=run.path,
    )


def _targets_by_stage(task: Task, stages: list[Stage]) -> dict[int, dict[str, int]]:
    """How many targets of each kind the positions of a stage have, most frequent first; fitted and held out."""
    kinds = target_kinds(task.samples, task.kind)
    column = np.array([entry[0] for entry in task.start.layout.blend])[task.samples.phase]
    found = {}
    for stage in stages:
        names, counts = np.unique(kinds[column == stage.column] if len(stages) > 1 else kinds, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        found[stage.column] = {str(names[i]): int(counts[i]) for i in order}
    return found


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
        resume(progress, len(stages))
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
        free = free_unknowns(task.start.layout, task.settings)
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
            problem.training,
            problem.target,
            parameters.penalty,
            towards,
            free=self.free,
            tolerance=settings.squares_tolerance,
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
    """The rows that are fitted, the rows that are held out, and their targets; less the mean of each decision."""

    def __init__(self, task: Task) -> None:
        matrix = build_matrix(task.game, task.start.layout, task.samples.words, task.samples.phase)
        seen, unseen = np.flatnonzero(~task.validation), np.flatnonzero(task.validation)
        self.training: Matrix | Centred = matrix.rows(seen)
        self.check: Matrix | Centred = matrix.rows(unseen)
        self.target, self.truth = task.target[seen], task.target[unseen]
        if task.group is not None:
            self.training = Centred(matrix.rows(seen), task.group[seen])
            self.check = Centred(matrix.rows(unseen), task.group[unseen])
            self.target, self.truth = (centred(task.target[rows], task.group[rows]) for rows in (seen, unseen))
