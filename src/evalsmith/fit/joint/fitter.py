"""Solves of a joint fit: one objective for some games and one penalty, with early stopping and checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.cases import Cases
from evalsmith.fit.joint.checkpoint import Checked, Checkpoint
from evalsmith.fit.joint.names import free_weights, penalties, tied_weights, weight_bounds
from evalsmith.fit.joint.objective import Objective, Penalty, Space
from evalsmith.fit.joint.splits import mask
from evalsmith.fit.methods import MethodSettings, Step, minimise
from evalsmith.fit.settings import AUTO, SQUARED, TuneSettings
from evalsmith.run import InputError, Interrupted, Progress
from evalsmith.run import workers as show_workers

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

PAWN = 100.0  # penalties of a probability's loss count weights in whole units, not in hundredths
SECOND_ORDER = ("newton", AUTO)
PATIENCE = 20
CHECK_EVERY = 10  # steps of a first-order method between two looks at the held-out games


@dataclass(frozen=True)
class Problem:
    """What stays the same in all solves of one fit: the rows, their targets, the loss and its K."""

    cases: Cases
    settings: TuneSettings
    loss: str
    k: float
    target: Vector
    threads: int = 1

    @property
    def unit(self) -> float:
        """What a weight is divided by before it is penalised."""
        return 1.0 if self.loss == SQUARED else PAWN

    def objective(self, rows: Flags, penalty: float) -> Objective:
        """The objective of some rows with a penalty."""
        settings, names = self.settings, self.cases.names
        towards = self.cases.start if settings.towards == "start" else np.zeros_like(self.cases.start)
        ridge = penalties(names, penalty, settings.group_penalty) / self.unit**2
        l1 = np.full(len(ridge), settings.l1 / self.unit) if settings.l1 else None
        bounds = weight_bounds(names, settings)
        low, high = bounds if bounds is not None else (None, None)
        return Objective(
            self.cases.rows,
            np.nan_to_num(self.target),
            mask(rows),
            self.loss,
            self.k,
            Penalty(ridge, towards, l1),
            Space(self._free(), (*self.cases.ties, *tied_weights(names, settings)), low, high),
            threads=self.threads,
        )

    def _free(self) -> Flags:
        """The weights that move: those that the settings choose among those that may."""
        free = free_weights(self.cases.names, self.settings)
        if self.cases.free is not None:
            free &= self.cases.free
            if not free.any():
                raise InputError("no weight is left to fit: those that are chosen are fixed")
        return free

    def with_target(self, settings: TuneSettings, k: float, target: Vector) -> Problem:
        """The same rows with another target."""
        return replace(self, settings=settings, k=k, target=target)


@dataclass(frozen=True)
class Solve:
    """A solved objective: the weights, how the method fared, and the losses on the way."""

    x: Vector
    objective: Objective
    iterations: int
    passes: int
    converged: bool
    stopped: str
    history: tuple[Checked, ...]


class SolveInterrupted(Interrupted):
    """A solve that was interrupted, with the best weights so far."""

    def __init__(self, x: Vector | None) -> None:
        super().__init__("the fit is saved; run the same command to resume")
        self.x = x


class _Watcher:
    """Looks at every step: shows progress, checks held-out games, saves the state, and stops early."""

    def __init__(
        self, objective: Objective, checked: Flags | None, settings: TuneSettings, saved: Checkpoint, progress: Progress
    ) -> None:
        self.objective, self.saved, self.progress = objective, saved, progress
        self.checked = None if checked is None else mask(checked)
        second_order = settings.method in SECOND_ORDER
        self.patience = settings.patience or (None if second_order else PATIENCE)
        self.every = 1 if second_order else CHECK_EVERY
        self.best: tuple[float, Vector] | None = None
        self.last: Step | None = None
        self.waited = self.passes = 0

    def __call__(self, step: Step) -> bool:
        self.progress.advance(max(0, step.passes - self.passes))
        self.passes, self.last = step.passes, step
        going_on = True
        if self.checked is not None and step.iteration % self.every == 0:
            loss = self.objective.data_loss(step.x, self.checked)
            self.saved.history.append(Checked(step.passes, step.value, loss))
            if self.best is None or loss < self.best[0]:
                self.best, self.waited = (loss, step.x.copy()), 0
            else:
                self.waited += 1
                going_on = self.patience is None or self.waited < self.patience
        if self.saved.due():
            self.saved.save(self._state(step))
        return going_on

    def _state(self, step: Step) -> dict[str, Any]:
        """All that the method and this watcher need to go on."""
        state: dict[str, Any] = {f"method_{name}": value for name, value in step.state.items()}
        if self.best is not None:
            state |= {"best": self.best[1], "watch": np.array([self.best[0], self.waited, self.passes])}
        return state

    def resume(self, state: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """The method's part of a saved state; the rest is taken over."""
        if state is None:
            return None
        if "best" in state:
            loss, waited, passes = (float(each) for each in state["watch"])
            self.best, self.waited, self.passes = (loss, state["best"]), int(waited), int(passes)
        return {name.removeprefix("method_"): value for name, value in state.items() if name.startswith("method_")}

    def so_far(self) -> Vector | None:
        """The best weights before the minimum was found."""
        if self.best is not None:
            return self.best[1]
        return None if self.last is None else self.last.x

    def keep(self) -> None:
        """Save the last step, whatever the interval."""
        if self.last is not None:
            self.saved.save(self._state(self.last))


def solve(
    problem: Problem, rows: Flags, penalty: float, *, checked: Flags | None, place: Path, progress: Progress
) -> Solve:
    """Minimise over some rows; ``checked`` rows stop it early, and ``place`` is where it resumes from."""
    settings, objective = problem.settings, problem.objective(rows, penalty)
    saved = Checkpoint(place, settings.checkpoint_interval)
    watcher = _Watcher(objective, checked, settings, saved, progress)
    show_workers(progress, objective.rows.crew)
    resumed = watcher.resume(saved.load())
    try:
        found = minimise(objective, problem.cases.start, method_settings(settings), on_step=watcher, resume=resumed)
    except KeyboardInterrupt:
        watcher.keep()
        raise SolveInterrupted(watcher.so_far()) from None
    # Early stopping keeps the weights that were best on the held-out games; a second-order fit its minimum.
    early = watcher.patience is not None and watcher.best is not None
    x = watcher.best[1] if early and watcher.best is not None else found.x
    stopped = "patience" if early and found.stopped == "interrupted" else found.stopped
    return Solve(x, objective, found.iterations, found.passes, found.converged, stopped, tuple(saved.history))


def method_settings(settings: TuneSettings) -> MethodSettings:
    """The settings of the method; what is not given keeps the method's own default."""
    names = ("tolerance", "iterations", "learning_rate")
    given: dict[str, Any] = {name: getattr(settings, name) for name in names if getattr(settings, name) is not None}
    return MethodSettings(method=settings.method, seed=settings.seed, **given)
