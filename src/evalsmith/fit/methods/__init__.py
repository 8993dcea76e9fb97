"""Methods of minimising an objective, one a file, all behind one shape.

A method makes a state from a start and a state from a state. Nothing else decides what comes next, so a run that goes
on from a stored state equals one that was never interrupted, to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.objective import Objective
from evalsmith.fit.methods.adam import Adam
from evalsmith.fit.methods.genetic import Genetic
from evalsmith.fit.methods.gradient_descent import GradientDescent
from evalsmith.fit.methods.lbfgs import LBFGS
from evalsmith.fit.methods.newton import Newton
from evalsmith.fit.methods.problem import Problem
from evalsmith.fit.methods.settings import METHODS, MethodResult, MethodSettings, State, Step, Vector
from evalsmith.run import InputError

__all__ = ["METHODS", "Method", "MethodResult", "MethodSettings", "Step", "minimise"]


class Method(Protocol):
    """What every method has; ``window`` is the number of steps over which the value must change."""

    window: int

    def __init__(self, problem: Problem, settings: MethodSettings) -> None: ...

    def begin(self, y: Vector) -> State:
        """The state before the first step; it holds at least ``y`` and ``value``."""

    def restore(self, state: State) -> None:
        """Get ready to go on from a state of another run."""

    def advance(self, state: State) -> tuple[State, bool]:
        """The state after one more step, and whether the method sees that there is nothing more to gain."""


_CLASSES: dict[str, type[Method]] = {
    "gradient_descent": GradientDescent,
    "adam": Adam,
    "lbfgs": LBFGS,
    "genetic": Genetic,
    "newton": Newton,
}


def _go_on(step: Step) -> bool:
    return True


def minimise(
    objective: Objective,
    start: Vector,
    settings: MethodSettings | None = None,
    *,
    on_step: Callable[[Step], bool] = _go_on,
    resume: Mapping[str, npt.NDArray[Any]] | None = None,
) -> MethodResult:
    """The weights with the least value, from ``start`` on, or from the state of a step of an earlier run.

    ``on_step`` is called after every step; if it returns False, the run ends there.
    """
    settings = settings or MethodSettings()
    name = "newton" if settings.method == "auto" else settings.method
    if name not in _CLASSES:
        known = ", ".join(_CLASSES)
        raise InputError(f"{settings.method!r} is no method for this objective; choose auto, {known}")
    if not np.isfinite(start).all():
        raise InputError(f"starting weight {int(np.flatnonzero(~np.isfinite(start))[0])} is not a number")
    problem = Problem(objective, start)
    method = _CLASSES[name](problem, settings)
    track = _Track.begin(problem, method, name) if resume is None else _Track.resume(problem, method, name, resume)
    stopped = "converged" if problem.size == 0 else ""
    while not stopped:
        if track.iteration >= settings.iterations:
            stopped = "iterations"
            break
        done = track.advance()
        step = Step(
            track.iteration, problem.passes, track.value, problem.space.expand(track.state["y"]), track.stored(name)
        )
        if not on_step(step):
            stopped = "interrupted"
        elif done or track.change() <= settings.tolerance * abs(track.best):
            stopped = "converged"
        elif settings.patience and track.since >= settings.patience:
            stopped = "patience"
    x = problem.space.expand(track.best_y)
    return MethodResult(x, track.best, track.iteration, problem.passes, stopped == "converged", stopped)


class _Track:
    """A run so far: the method's state, the best of all states, and the last values."""

    def __init__(self, problem: Problem, method: Method, state: State) -> None:
        self.problem, self.method, self.state = problem, method, state
        self.iteration, self.since = 0, 0
        self.best, self.best_y = self.value, state["y"]
        self.recent = [self.best]

    @classmethod
    def begin(cls, problem: Problem, method: Method, name: str) -> _Track:
        return cls(problem, method, method.begin(problem.space.shrink(problem.space.base)))

    @classmethod
    def resume(cls, problem: Problem, method: Method, name: str, given: Mapping[str, npt.NDArray[Any]]) -> _Track:
        made = str(given.get("method", np.array("?")))
        if made != name or len(given["y"]) != problem.size:
            raise InputError(
                f"the state to resume from is of {len(given.get('y', ()))} unknowns by {made}, "
                f"not of {problem.size} by {name}"
            )
        state = {key: np.asarray(value) for key, value in given.items() if not key.startswith("run_")}
        del state["method"]
        track = cls(problem, method, state)
        method.restore(state)
        track.iteration, problem.passes, track.since = (int(number) for number in given["run_counts"])
        track.best, track.best_y = float(given["run_best"]), np.asarray(given["run_best_y"])
        track.recent = [float(value) for value in given["run_recent"]]
        return track

    @property
    def value(self) -> float:
        return float(self.state["value"])

    def advance(self) -> bool:
        """One step; whether the method sees the end."""
        self.state, done = self.method.advance(self.state)
        self.iteration += 1
        self.since += 1
        if self.value < self.best:
            self.best, self.best_y, self.since = self.value, self.state["y"], 0
        self.recent = [*self.recent, self.value][-self.method.window - 1 :]
        return done

    def change(self) -> float:
        """How far the value went, up or down, over the method's window; infinite before there were so many steps."""
        return max(self.recent) - min(self.recent) if len(self.recent) > self.method.window else float("inf")

    def stored(self, name: str) -> State:
        """All that resuming needs."""
        return {
            **self.state,
            "method": np.array(name),
            "run_counts": np.array([self.iteration, self.problem.passes, self.since]),
            "run_best": np.array(self.best),
            "run_best_y": self.best_y,
            "run_recent": np.array(self.recent),
        }
