"""What a fit gives: errors by stage and in all, the weights, and the columns that a killed run has kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.choosing import Choice
from evalsmith.fit.columns import ColumnFit
from evalsmith.fit.seen import Table, add_tables
from evalsmith.fit.validation import Errors, total
from evalsmith.run import write_with
from evalsmith.weights import Weights


@dataclass(frozen=True)
class Stage:
    """The errors of one column, in the game's unit: what predicting 0, the starting and the fitted weights give.

    ``objective`` is the sum of the squared errors of the fitted positions and of the penalties, in squared units.
    ``validation_plain`` is what the fit gives without curves, where it has some.
    """

    column: int
    name: str
    positions: int
    iterations: int
    objective: float
    converged: bool
    training: Errors
    validation: Errors
    validation_before: Errors
    validation_zero: Errors
    validation_plain: Errors | None = None
    seen: Table = field(default_factory=dict)

    @classmethod
    def of(cls, fit: ColumnFit, name: str) -> Stage:
        """The stage of a fitted column."""
        return cls(
            fit.column, name, fit.positions, fit.iterations, fit.objective, fit.converged, fit.training,
            fit.validation, fit.validation_before, fit.validation_zero, fit.validation_plain, fit.seen,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """The stage as it stands in ``result.json``, without its own table of what was seen."""
        return {key: value for key, value in asdict(self).items() if key != "seen"}


@dataclass(frozen=True)
class Tuned:
    """What a run gave. Losses are mean squared errors on held-out games, in squared units."""

    weights: Weights
    stages: tuple[Stage, ...]
    repeated: dict[int, int]
    choices: tuple[Choice, ...]
    settings: dict[str, Any]
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
        plain = [stage.validation_plain for stage in self.stages if stage.validation_plain is not None]
        return {
            "k": None,
            "loss_before": self.loss_before,
            "loss_after": self.loss_after,
            "validation": asdict(self.validation),
            "validation_before": asdict(self.validation_before),
            "validation_plain": asdict(total(plain)) if plain else None,
            "folds": None,
            "passes": self.passes,
            "seconds": round(self.seconds, 3),
            "positions": self.positions,
            "games": self.games,
            "settings": self.settings,
            "choices": [choice.to_json() for choice in self.choices],
            "repeated_columns": {str(column): source for column, source in self.repeated.items()},
            "stages": [stage.to_json() for stage in self.stages],
            "seen": [asdict(seen) for seen in add_tables(stage.seen for stage in self.stages)],
        }


# ── Columns that are kept ──


def keep_column(folder: Path, column: int, weights: npt.NDArray[np.float64]) -> None:
    """Write the weights of a finished column."""

    def save(path: Path) -> None:
        with open(path, "wb") as file:
            np.save(file, weights)

    write_with(_column_path(folder, column), save)


def kept_column(
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
    plain_keys = ("column", "name", "positions", "iterations", "objective", "converged", "seen")
    parts: dict[str, Any] = {key: event[key] for key in plain_keys}
    kept: dict[str, Any] = {
        key: Errors(**event[key]) for key in ("training", "validation", "validation_before", "validation_zero")
    }
    plain = event["validation_plain"]
    return Stage(**parts, **kept, validation_plain=None if plain is None else Errors(**plain))


def _column_path(folder: Path, column: int) -> Path:
    return folder / "columns" / f"{column:03d}.npy"
