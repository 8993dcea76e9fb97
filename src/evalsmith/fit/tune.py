"""One tuning run: samples in, weights out, with everything needed to resume, judge and report it."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.cg import solve
from evalsmith.fit.columns import ColumnFit, ColumnFitter, fill_gaps
from evalsmith.fit.matrix import build_matrix
from evalsmith.fit.validation import Errors, errors, held_out, total
from evalsmith.games import Game
from evalsmith.positions import UNKNOWN, Samples
from evalsmith.run import DEFAULT_SEED, InputError, Interrupted, Progress, RunFolder, Silent, write_json, write_with
from evalsmith.scale import cores
from evalsmith.weights import Weights, starting_weights

RESULT = "result.json"
# A won game of a game without a margin counts as this part of its `win`, so that no evaluation looks like a proven win.
WIN_SHARE = 10


@dataclass(frozen=True)
class TuneConfig:
    """How weights are fitted. ``window``: how far a column may borrow from others of its parity.

    The defaults are those that won most in matches after 6,000 and 24,000 games of Othello. A smaller penalty has a
    smaller error on held-out games there, but plays worse: a search goes where the evaluation errs upwards.
    """

    penalty: float = 1000.0
    window: int = 6
    towards: str = "start"
    validation: float = 0.1
    tolerance: float = 1e-3
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        if not 0 <= self.penalty < float("inf"):
            raise InputError(f"the penalty must be finite and not negative, but it is {self.penalty}")
        if self.window < 0:
            raise InputError(f"the window must not be negative, but it is {self.window}")
        if self.towards not in ("zero", "start"):
            raise InputError(f"the penalty pulls towards zero or start, not {self.towards!r}")
        if not 0 < self.validation < 1:
            raise InputError(f"the validation share must be between 0 and 1, not {self.validation}")
        if not 0 < self.tolerance < 1:
            raise InputError(f"the tolerance must be between 0 and 1, not {self.tolerance}")


@dataclass(frozen=True)
class Stage:
    """The errors of one column, in the game's unit: what predicting 0, the starting and the fitted weights give."""

    column: int
    name: str
    positions: int
    iterations: int
    training: Errors
    validation: Errors
    validation_before: Errors
    validation_zero: Errors


@dataclass(frozen=True)
class Tuned:
    """What a run gave. Losses are mean squared errors on held-out games, in squared units."""

    weights: Weights
    stages: tuple[Stage, ...]
    repeated: dict[int, int]
    loss_before: float
    loss_after: float
    validation: Errors
    validation_before: Errors
    passes: int
    positions: int
    games: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith tune --json``."""
        return {
            "k": None,
            "loss_before": self.loss_before,
            "loss_after": self.loss_after,
            "validation": asdict(self.validation),
            "validation_before": asdict(self.validation_before),
            "folds": None,
            "passes": self.passes,
            "seconds": round(self.seconds, 3),
            "positions": self.positions,
            "games": self.games,
            "repeated_columns": {str(column): source for column, source in self.repeated.items()},
            "stages": [asdict(stage) for stage in self.stages],
        }


def tune(
    game: Game,
    samples: Samples,
    run: RunFolder,
    config: TuneConfig,
    *,
    concurrency: int | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Fit a game's weights to the targets of the samples; goes on where a killed run stopped."""
    began = time.perf_counter()
    progress = progress or Silent()
    known = samples.take(samples.target != UNKNOWN)
    if len(known) == 0:
        raise InputError("there is no position with a known value to fit to")
    target = known.target.astype(np.float64) / (WIN_SHARE if game.win else 1)
    validation = held_out(known.game, config.validation, config.seed)
    if validation.all() or not validation.any():
        raise InputError(
            f"{len(np.unique(known.game))} games are too few to hold some out for validation; bring more games"
        )
    start = starting_weights(game)
    fit = _fit_columns if start.layout.sliced else _fit_together
    values, stages, repeated, passes = fit(game, known, target, validation, start, run, config, concurrency, progress)
    rounded = np.rint(values)
    if np.abs(rounded).max(initial=0) > 2**31 - 1:
        raise InputError("a fitted weight does not fit 32 bits; a larger penalty keeps weights small")
    after, before = total([s.validation for s in stages]), total([s.validation_before for s in stages])
    weights = Weights(
        game,
        rounded.astype(np.int32),
        "fitted",
        {"made": "fitted", "loss": "squared", "method": "cg", "positions": len(known), **asdict(config)},
    )
    tuned = Tuned(
        weights,
        tuple(stages),
        repeated,
        before.square,
        after.square,
        after,
        before,
        passes,
        len(known),
        len(np.unique(known.game)),
        time.perf_counter() - began,
    )
    write_json(run.path / RESULT, {**tuned.to_json(), "game": game.name, "unit": game.unit})
    run.event("tuned", loss_before=before.square, loss_after=after.square)
    return tuned


Fitted = tuple[npt.NDArray[np.float64], list[Stage], dict[int, int], int]


def _fit_columns(
    game: Game, samples: Samples, target: npt.NDArray[np.float64], validation: npt.NDArray[np.bool_], start: Weights,
    run: RunFolder, config: TuneConfig, concurrency: int | None, progress: Progress,
) -> Fitted:  # fmt: skip
    """Every column by itself; each finished one is kept in the run folder."""
    layout = start.layout
    fitter = ColumnFitter(
        game, samples, target, validation, start,
        penalty=config.penalty, window=config.window, towards_start=config.towards == "start",
        tolerance=config.tolerance,
    )  # fmt: skip
    values = np.zeros(start.values.shape, dtype=np.float64)
    stages: dict[int, Stage] = {}
    for event in run.events("column"):
        kept = _kept_column(run.path, event, values.shape)
        if kept is not None:
            values[kept[0].column], stages[kept[0].column] = kept[1], kept[0]
    waiting = [column for column in range(len(layout.columns)) if column not in stages]
    progress.advance(len(stages))
    try:
        for fit in fitter.fit_all(waiting, concurrency or cores()):
            progress.advance()
            if fit is None:
                continue
            values[fit.column] = fit.weights
            stages[fit.column] = _stage(fit, layout.columns[fit.column])
            path = _column_path(run.path, fit.column)
            write_with(path, lambda temporary, fit=fit: _save(temporary, fit.weights))  # type: ignore[misc]
            run.event("column", **asdict(stages[fit.column]))
    except KeyboardInterrupt:
        raise Interrupted(
            f"kept {len(stages)} of {len(layout.columns)} columns in {run.path}; the same command goes on from there"
        ) from None
    repeated = fill_gaps(values, sorted(stages), len(layout.columns))
    ordered = [stages[column] for column in sorted(stages)]
    return values, ordered, repeated, sum(stage.iterations for stage in ordered)


def _fit_together(
    game: Game, samples: Samples, target: npt.NDArray[np.float64], validation: npt.NDArray[np.bool_], start: Weights,
    run: RunFolder, config: TuneConfig, concurrency: int | None, progress: Progress,
) -> Fitted:  # fmt: skip
    """All columns in one problem, because positions blend two of them."""
    matrix = build_matrix(game, start.layout, samples.words, samples.phase)
    seen, unseen = np.flatnonzero(~validation), np.flatnonzero(validation)
    training, check = matrix.rows(seen), matrix.rows(unseen)
    before = start.values.astype(np.float64).reshape(-1)
    solution = solve(
        training,
        target[seen],
        config.penalty,
        towards=before if config.towards == "start" else None,
        tolerance=config.tolerance,
    )
    rounded = np.rint(solution.x)
    stage = Stage(
        0,
        "all columns",
        len(training),
        solution.iterations,
        errors(training.times(rounded), target[seen]),
        errors(check.times(rounded), target[unseen]),
        errors(check.times(before), target[unseen]),
        errors(np.zeros(len(unseen)), target[unseen]),
    )
    progress.advance(len(start.layout.columns))
    run.event("column", **asdict(stage))
    return solution.x.reshape(start.values.shape), [stage], {}, solution.iterations


def _stage(fit: ColumnFit, name: str) -> Stage:
    return Stage(
        fit.column, name, fit.positions, fit.iterations,
        fit.training, fit.validation, fit.validation_before, fit.validation_zero,
    )  # fmt: skip


def _kept_column(
    folder: Path, event: dict[str, Any], shape: tuple[int, ...]
) -> tuple[Stage, npt.NDArray[np.float64]] | None:
    """A column that an earlier run finished; None where its files are damaged, so that it is fitted again."""
    try:
        stage = _stage_from(event)
        weights = np.load(_column_path(folder, stage.column), allow_pickle=False)
    except (KeyError, TypeError, ValueError, OSError, EOFError):
        return None
    return (stage, weights) if weights.shape == shape[1:] and 0 <= stage.column < shape[0] else None


def _stage_from(event: dict[str, Any]) -> Stage:
    """A stage as it was written into the events."""
    parts: dict[str, Any] = {key: event[key] for key in ("column", "name", "positions", "iterations")}
    kept: dict[str, Any] = {
        key: Errors(**event[key]) for key in ("training", "validation", "validation_before", "validation_zero")
    }
    return Stage(**parts, **kept)


def _column_path(folder: Path, column: int) -> Path:
    return folder / "columns" / f"{column:03d}.npy"


def _save(path: Path, values: npt.NDArray[np.float64]) -> None:
    with open(path, "wb") as file:
        np.save(file, values)
