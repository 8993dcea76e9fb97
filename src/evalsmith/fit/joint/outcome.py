"""Everything that is known of a finished joint fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.checkpoint import Checked
from evalsmith.fit.joint.choosing import Chosen
from evalsmith.fit.joint.judging import Bin, Comparison, Scale
from evalsmith.fit.settings import SQUARED
from evalsmith.run.tables import TextTable

Vector = npt.NDArray[np.float64]

ODD_SCALE = 1.5  # evaluations that grew, or shrank, by more than this are pointed out
SHOWN = 6
HELD_OUT = ("validation", "test")  # splits of games that take no part in the fit


@dataclass(frozen=True)
class Fold:
    """One fit of the k-fold validation, or of the learning curve: the share of the games, and both losses."""

    name: str
    games: int
    comparison: Comparison


@dataclass(frozen=True)
class Undetermined:
    """What the data does not determine: weights that never occur, and groups that always occur together."""

    unseen: tuple[str, ...] = ()
    collinear: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Rounding:
    """What whole numbers cost: the training loss of the exact, the rounded and the repaired weights."""

    exact: float
    rounded: float
    repaired: float


@dataclass(frozen=True)
class JointFit:
    """The weights of a joint fit and how they were judged. ``splits`` compares start and fit on each split."""

    x: Vector
    errors: Vector
    loss: str
    method: str
    k: float
    target: str
    penalty: float
    splits: dict[str, Comparison]
    iterations: int
    passes: int
    converged: bool
    stopped: str
    positions: int
    games: int
    history: tuple[Checked, ...]
    rounding: Rounding
    scale: Scale
    calibration: tuple[Bin, ...]
    phases: tuple[Bin, ...]
    material: tuple[Bin, ...]
    undetermined: Undetermined
    chosen: tuple[Chosen, ...] = ()
    folds: tuple[Fold, ...] = ()
    curve: tuple[Fold, ...] = ()
    dropped: dict[str, int] = field(default_factory=dict)
    k_note: str = ""

    def with_details(self, **details: Any) -> JointFit:
        """The same with what was found out besides."""
        return replace(self, **details)

    @property
    def validation(self) -> Comparison:
        """Both losses on the games that were held out."""
        return self.splits["validation"]

    @property
    def worse(self) -> bool:
        """Whether the fit has a larger loss than its start on the validation games, or on the test games."""
        return bool(self.refusal())

    @property
    def lost(self) -> bool:
        """Whether the candidate that these are the weights of lost its match against the start."""
        return bool(self.chosen) and self.chosen[-1].lost

    def to_json(self) -> dict[str, Any]:
        """What ``result.json`` has of the fit, besides what every fit has."""
        fold_losses = [fold.comparison.difference for fold in self.folds]
        return {
            "k": self.k if self.loss != SQUARED else None,
            "test": asdict(self.splits["test"]) if "test" in self.splits else None,
            "folds": [asdict(fold) for fold in self.folds] or None,
            "fold_mean": float(np.mean(fold_losses)) if fold_losses else None,
            "fold_error": _mean_error(fold_losses),
            "splits": {name: asdict(one) for name, one in self.splits.items()},
            "target": self.target,
            "penalty": self.penalty,
            "dropped": self.dropped,
            "stopped": self.stopped,
            "history": [asdict(one) for one in self.history],
            "rounding": asdict(self.rounding),
            "scale": asdict(self.scale),
            "calibration": [asdict(one) for one in self.calibration],
            "by_phase": [asdict(one) for one in self.phases],
            "by_material": [asdict(one) for one in self.material],
            "undetermined": asdict(self.undetermined),
            "learning_curve": [asdict(one) for one in self.curve] or None,
        }

    def table(self) -> TextTable:
        """The losses of start and fit on each split."""
        rows: list[tuple[Any, ...]] = [_row(name, one) for name, one in self.splits.items()]
        rows += [_row(f"fold {fold.name}", fold.comparison) for fold in self.folds]
        rows += [_row(f"{fold.name} of the games", fold.comparison) for fold in self.curve]
        columns = ("games", "number", "positions", "start", "fitted", "change", "±")
        return TextTable(columns, tuple(rows), tuple(self.sentences()))

    def sentences(self) -> Iterator[str]:
        """What the fit did, and what to be careful about."""
        kind = {"logistic": "squared error of the winning probability", SQUARED: "squared error of the value"}
        yield f"mean {kind.get(self.loss, self.loss)} with the starting and the fitted weights; ± is one standard error"
        left_out = ", ".join(f"{count:,} {why}" for why, count in self.dropped.items() if count)
        yield (
            f"{self.positions:,} positions of {self.games:,} games{f' (left out: {left_out})' if left_out else ''}, "
            f"target {self.target}, penalty {self.penalty:g}" + (f", K {self.k:.3f}" if self.loss != SQUARED else "")
        )
        yield f"{self.method}: {self.iterations} steps, {self.passes} passes, ended by {self.stopped}"
        yield from (one.sentence() for one in self.chosen)
        if len(self.folds) > 1:
            changes = [fold.comparison.difference for fold in self.folds]
            yield f"{len(self.folds)} folds: change {np.mean(changes):+.6f} ± {_mean_error(changes):.6f}"
        if self.undetermined.unseen:
            yield f"{len(self.undetermined.unseen)} weights never occur: {_some(self.undetermined.unseen)}"
        if self.undetermined.collinear:
            groups = [" + ".join(group[:3]) for group in self.undetermined.collinear]
            yield f"{len(groups)} groups of weights cannot be told apart by the data: {_some(tuple(groups))}"
        yield from self.warnings()

    def warnings(self) -> Iterator[str]:
        """Signs of trouble."""
        if self.k_note:
            yield f"WARNING: {self.k_note}"
        factor = self.scale.factor
        if np.isfinite(factor) and not 1 / ODD_SCALE <= factor <= ODD_SCALE:
            yield (
                f"WARNING: the scale changed: fitted evaluations are {factor:.2f} times the starting ones; a larger "
                "penalty keeps them nearer"
            )
        if self.lost:
            yield "WARNING: no candidate was as strong as the start in its match"

    def refusal(self) -> str:
        """Where the fit is worse than its start on games that it was not fitted to; nothing where it is not."""
        found = [
            f"{one.fitted:.6f} against {one.start:.6f} on {name} games"
            for name, one in self.splits.items()
            if name in HELD_OUT and one.worse
        ]
        if not found:
            return ""
        return (
            f"WARNING: the fit is worse than its start on held-out games ({', '.join(found)}): use more games, a "
            "larger penalty or fewer features"
        )


def _row(name: str, one: Comparison) -> tuple[Any, ...]:
    figures = (f"{one.start:.6f}", f"{one.fitted:.6f}", f"{one.difference:+.6f}", f"{one.error:.6f}")
    return (name, one.games, one.rows, *figures)


def _some(names: tuple[str, ...]) -> str:
    return "; ".join(names[:SHOWN]) + ("; …" if len(names) > SHOWN else "")


def _mean_error(values: list[float]) -> float | None:
    """The standard error of a mean; None for fewer than two values."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None
