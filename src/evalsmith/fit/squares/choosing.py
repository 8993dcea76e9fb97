"""Settings chosen by validation: some of the games that are fitted are held out again, and the smallest error wins.

The games that judge the finished fit take no part in it. One setting is chosen after another: the window with the
default penalty, the penalty with that window, then the curves with both, then smoothing over stages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from evalsmith.fit.settings import AUTO, DENSE, SMOOTH, TuneSettings
from evalsmith.fit.task import Hyperparameters
from evalsmith.fit.validation import Errors
from evalsmith.run import Progress, RunFolder
from evalsmith.run.watching import Watch, unwatched

WINDOWS = (0, 2, 4, 6, 8)
PENALTIES = (0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0)
FURTHER = 3  # decades more that are tried where the best penalty is the first or last of the row
COLUMNS = 8  # columns of a sliced layout that settings are tried on

Value = float | int | str


@dataclass(frozen=True)
class Tried:
    """A value of a setting, and the errors that it gave."""

    value: Value
    errors: Errors


@dataclass(frozen=True)
class Choice:
    """A setting that validation chose, and what was tried for it."""

    setting: str
    value: Value
    tried: tuple[Tried, ...]

    def to_json(self) -> dict[str, Any]:
        """The choice as it stands in ``result.json``."""
        tried = [{"value": one.value, **asdict(one.errors)} for one in self.tried]
        return {"setting": self.setting, "value": self.value, "tried": tried}


@dataclass(frozen=True)
class Trial:
    """How settings are tried: ``measure`` gives their errors, in ``steps`` steps that it reports."""

    measure: Callable[[Hyperparameters, Progress], Errors]
    steps: int = 1
    windows: bool = True  # whether columns are fitted one by one, so that there is a window


def choose(
    settings: TuneSettings, run: RunFolder, trial: Trial, *, progress: Watch = unwatched
) -> tuple[Hyperparameters, list[Choice]]:
    """Choose what the settings leave open; what a killed run had tried is not tried again."""
    parameters, choices = Hyperparameters.of(settings), []
    saved = {(event.get("setting"), event.get("value")): event for event in run.events("tried")}

    def attempt(setting: str, value: Value, progress: Progress) -> Tried:
        before = _errors_of(saved.get((setting, value)))
        if before is not None:
            progress.advance(trial.steps)
            return Tried(value, before)
        found = trial.measure(_changed(parameters, setting, value), progress)
        run.event("tried", setting=setting, value=value, **asdict(found))
        return Tried(value, found)

    for setting in settings.automatic:
        if setting in ("window", "smooth") and not trial.windows:
            continue
        grid = _grid(setting)
        with progress(f"choosing the {setting}", len(grid) * trial.steps, "fits") as bar:
            tried = [attempt(setting, value, bar) for value in grid]
        for _ in range(FURTHER if setting == "penalty" else 0):
            best = min(tried, key=lambda one: one.errors.square)
            if best not in (tried[0], tried[-1]):
                break
            value = float(best.value) / 10 if best is tried[0] else float(best.value) * 10
            with progress(f"trying the penalty {value:g}", trial.steps, "fits") as bar:
                beyond = attempt(setting, value, bar)
            tried = [beyond, *tried] if best is tried[0] else [*tried, beyond]
        best = min(tried, key=lambda one: one.errors.square)
        parameters = _changed(parameters, setting, best.value)
        choices.append(Choice(setting, best.value, tuple(tried)))
    return parameters, choices


def _changed(parameters: Hyperparameters, setting: str, value: Value) -> Hyperparameters:
    change: dict[str, Any] = {setting: value}
    return replace(parameters, **change)


def _grid(setting: str) -> Sequence[Value]:
    kinds, ways = ([each for each in names if each != AUTO] for names in (DENSE, SMOOTH))
    grids: dict[str, Sequence[Value]] = {"window": WINDOWS, "penalty": PENALTIES, "dense": kinds, "smooth": ways}
    return grids[setting]


def _errors_of(event: dict[str, Any] | None) -> Errors | None:
    """The errors in an event; None where it is damaged."""
    if event is None:
        return None
    try:
        return Errors(int(event["count"]), float(event["square"]), float(event["absolute"]))
    except (KeyError, TypeError, ValueError):
        return None


def trial_columns(held: Sequence[int]) -> list[int]:
    """The columns that settings are tried on, spread over those that have held-out positions."""
    known = [column for column, count in enumerate(held) if count]
    if len(known) <= COLUMNS:
        return known
    # Odd and even columns may differ, so both are taken.
    step = (len(known) - 1) / (COLUMNS - 1)
    return sorted({known[round(i * step)] for i in range(COLUMNS)})
