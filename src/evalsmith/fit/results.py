"""What a fit gives: errors by stage and in all, the weights, and the columns that a killed run has saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.arena.results.match_result import MatchResult
from evalsmith.fit.candidates import value_text
from evalsmith.fit.joint.choosing import FIGURES, Chosen
from evalsmith.fit.joint.outcome import JointFit
from evalsmith.fit.squares.choosing import Choice
from evalsmith.fit.squares.columns import ColumnFit
from evalsmith.fit.squares.seen import Table, add_tables
from evalsmith.fit.validation import Errors, total
from evalsmith.games import Game
from evalsmith.run import InputError, write_with
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable
from evalsmith.weights import OutsideWeights, Weights


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
        shared = {each.name: getattr(fit, each.name) for each in fields(fit) if each.name != "weights"}
        return cls(name=name, **shared)

    def to_json(self) -> dict[str, Any]:
        """The stage as it stands in ``result.json``, without its own table of what was seen."""
        return {key: value for key, value in asdict(self).items() if key != "seen"}


@dataclass(frozen=True, repr=False)
class FitResult(RunResult):
    """The result of a fit. Losses are mean squared errors on held-out games, in squared units.

    ``targets`` says for each column how many targets are of which kind: exact, search, result … ``output`` is the
    weights file that was written, ``run`` the run folder.
    """

    weights: Weights | OutsideWeights
    stages: tuple[Stage, ...]
    repeated: dict[int, int]
    choices: tuple[Choice | Chosen, ...]
    settings: dict[str, Any]
    loss_before: float
    loss_after: float
    validation: Errors
    validation_before: Errors
    passes: int
    positions: int
    games: int
    seconds: float
    targets: dict[int, dict[str, int]] = field(default_factory=dict)
    run: Path | None = None
    output: Path | None = None
    temporary: TemporaryDirectory[str] | None = field(default=None, compare=False)
    joint: JointFit | None = None
    proof: MatchResult | None = None

    @property
    def game(self) -> Game:
        """The game whose weights were fitted; those of a trace belong to none."""
        if isinstance(self.weights, OutsideWeights):
            raise InputError("the weights of a trace belong to an outside engine, not to a game")
        return self.weights.game

    @property
    def worse(self) -> bool:
        """Whether the fit must not be used: its held-out error is larger than the start's, or it lost a match."""
        lost = self.joint is not None and (self.joint.lost or self.joint.worse)
        return self._larger_error or self.refuted or lost

    @property
    def _larger_error(self) -> bool:
        return self.validation.square > self.validation_before.square

    @property
    def refuted(self) -> bool:
        """Whether a match was played and did not find the fit stronger."""
        if self.proof is None:
            return False
        accepted = self.proof.sprt is not None and self.proof.sprt.state == "accepted H0"
        return accepted or self.proof.elo < 0

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith tune --json``."""
        plain = self.validation_plain
        return {
            "loss": self.settings["loss"],
            "method": self.settings["method"],
            "k": None,
            "test": None,
            "folds": None,
            **(self.joint.to_json() if self.joint else {}),
            "worse": self.worse,
            "proof": self.proof.to_json() if self.proof else None,
            "loss_before": self.loss_before,
            "loss_after": self.loss_after,
            "validation": asdict(self.validation),
            "validation_before": asdict(self.validation_before),
            "validation_plain": asdict(plain) if plain else None,
            "passes": self.passes,
            "seconds": round(self.seconds, 3),
            "positions": self.positions,
            "games": self.games,
            "settings": self.settings,
            "choices": [choice.to_json() for choice in self.choices],
            "targets": {str(column): kinds for column, kinds in self.targets.items()},
            "repeated_columns": {str(column): source for column, source in self.repeated.items()},
            "stages": [stage.to_json() for stage in self.stages],
            "seen": [asdict(seen) for seen in add_tables(stage.seen for stage in self.stages)],
        }

    @property
    def validation_plain(self) -> Errors | None:
        """The errors on held-out games without curves, where the fit has some."""
        plain = [stage.validation_plain for stage in self.stages if stage.validation_plain is not None]
        return total(plain) if plain else None

    def tables(self) -> tuple[TextTable, ...]:
        """The errors by stage, or the losses by split, and what the fit did in sentences."""
        choices = self.choice_table()
        return (self.stage_table(),) if choices is None else (choices, self.stage_table())

    def choice_table(self) -> TextTable | None:
        """What a joint fit tried for the settings that it chose; None where there are none."""
        rows = []
        chosen = [one for one in self.choices if isinstance(one, Chosen)]
        for choice in chosen:
            for one in choice.tried:
                figures = one.text(choice.by), one.error_text(choice.by)
                mark = "chosen" if one.value == choice.value else ""
                rows.append((choice.setting, value_text(one.value), *figures, mark))
        return TextTable(("setting", "candidate", FIGURES[chosen[0].by], "±", ""), tuple(rows)) if rows else None

    def stage_table(self, *, slices: bool = False) -> TextTable:
        """Mean absolute errors on the fitted games (own) and on held-out ones, by groups of stages or by slice."""
        if self.joint is not None:
            table = self.joint.table()
            return replace(table, sentences=(*table.sentences, *self._last_sentences()))
        together = 1 if slices else 8
        columns = ("stage", "positions", "steps", *(("objective",) if slices else ()), "own", "zero", "start", "fitted")
        rows = []
        for i in range(0, len(self.stages), together):
            group = self.stages[i : i + together]
            steps = sorted(stage.iterations for stage in group)
            sides = ("training", "validation_zero", "validation_before", "validation")
            rows.append(
                (
                    _joined_names(group[0].name, group[-1].name),
                    max(stage.positions for stage in group),
                    str(steps[0]) if steps[0] == steps[-1] else f"{steps[0]}–{steps[-1]}",
                    *((group[0].objective,) if slices else ()),
                    *(round(total([getattr(stage, side) for stage in group]).absolute) for side in sides),
                )
            )
        return TextTable(columns, tuple(rows), tuple(self._sentences()))

    def _sentences(self) -> Iterator[str]:
        yield (
            "mean absolute error, on the fitted games (own) and on held-out ones: predicting 0, starting weights, "
            "fitted weights"
        )
        yield (
            f"{self.positions:,} positions of {self.games:,} games, {self.passes} passes, {self.seconds:.1f} s; "
            f"errors in {self.game.units}"
        )
        unfinished = [str(stage.column) for stage in self.stages if not stage.converged]
        if unfinished:
            yield f"the solver reached its maximum of steps before the tolerance in columns {', '.join(unfinished)}"
        for choice in [one for one in self.choices if isinstance(one, Choice)]:
            tried = ", ".join(f"{one.value}: {one.errors.square**0.5:.1f}" for one in choice.tried)
            yield f"{choice.setting} {choice.value}, chosen by validation (root mean squared error of {tried})"
        if plain := self.validation_plain:
            kind = self.settings["dense"]
            yield f"with {kind} curves {self.validation.absolute:.1f}, without {plain.absolute:.1f}"
        if self.repeated:
            pairs = ", ".join(f"{column} like {source}" for column, source in self.repeated.items())
            yield f"columns without positions: {pairs}"
        yield from self._last_sentences()

    def _last_sentences(self) -> Iterator[str]:
        """Where the weights are, and what is proven of them."""
        if self.output is not None:
            yield f"weights in {self.output}, run in {self.run}"
        if self.proof is not None:
            yield f"proof: {self.proof.verdict()}"
        if self.joint is None and self._larger_error:
            # The figure that decides: a mean absolute error may be smaller at the same time.
            fitted, start = self.validation.square**0.5, self.validation_before.square**0.5
            yield (
                f"WARNING: the fit is worse than its start on held-out games (root mean squared error {fitted:.1f} "
                f"against {start:.1f})"
            )
        if self.refuted:
            yield "WARNING: the match did not find the fitted weights stronger than the start"
        elif self.proof is None and self.joint is not None:
            how = "--prove plays the fitted weights against the start"
            if isinstance(self.weights, OutsideWeights):
                how = "patch them into the engine and let 'evalsmith match' play both builds"
            yield f"a smaller loss does not prove strength: {how}"
        if self.joint is not None and self.joint.worse:
            yield self.joint.refusal()


def _joined_names(first: str, last: str) -> str:
    """Two names as one, with what both end in once: 24–31 empties."""
    one, other = first.split(" "), last.split(" ")
    if first == last or one[1:] != other[1:]:
        return first if first == last else f"{first} – {last}"
    return " ".join([f"{one[0]}–{other[0]}", *one[1:]])


# ── Saved columns ──


def save_column(folder: Path, column: int, weights: npt.NDArray[np.float64]) -> None:
    """Write the weights of a finished column."""

    def save(path: Path) -> None:
        with open(path, "wb") as file:
            np.save(file, weights)

    write_with(_column_path(folder, column), save)


def load_column(
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
    sides: dict[str, Any] = {
        key: Errors(**event[key]) for key in ("training", "validation", "validation_before", "validation_zero")
    }
    plain = event["validation_plain"]
    return Stage(**parts, **sides, validation_plain=None if plain is None else Errors(**plain))


def _column_path(folder: Path, column: int) -> Path:
    return folder / "columns" / f"{column:03d}.npy"
