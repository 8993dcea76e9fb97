"""A joint fit before its first solve: the target, the rows, their split by game, K and the penalty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.candidates import QUIET
from evalsmith.fit.joint.cases import Cases
from evalsmith.fit.joint.fitter import Problem
from evalsmith.fit.joint.splits import Splits, split_games
from evalsmith.fit.joint.targets import by_score, fitted_k, known_targets, resolve_target, row_targets
from evalsmith.fit.settings import AUTO, SQUARED, TuneSettings

Flags = npt.NDArray[np.bool_]

OF_SCORES, OF_RESULTS, OF_VALUES = 10.0, 1000.0, 1000.0  # default penalties: results say far less than scores


@dataclass(frozen=True)
class Prepared:
    """A fit before its first solve: the problem, its splits, what was left out, and what there is to say of K."""

    problem: Problem
    splits: Splits
    dropped: dict[str, int]
    note: str

    @property
    def penalty(self) -> float:
        """The penalty that is given, or the default for the kind of target."""
        settings, training = self.problem.settings, self.splits.training
        if settings.regularization is not None:
            return settings.regularization * float(training.sum())
        if settings.penalty is not None and settings.penalty != AUTO:
            return float(settings.penalty)
        if self.problem.loss == SQUARED:
            return OF_VALUES
        scored = by_score(self.problem.cases, settings) & training
        return OF_SCORES if scored.sum() * 2 > training.sum() else OF_RESULTS


def prepare(cases: Cases, settings: TuneSettings, loss: str, *, threads: int) -> Prepared:
    """Resolve the target, choose the rows, split them by game and fit K."""
    settings = resolve_target(cases, settings, loss)
    known = known_targets(cases, settings, loss)
    used, dropped = known, {"without a value": int((~known).sum())}
    for name, flags in cases.filters.items():
        dropped["not quiet" if name == QUIET else f"by {name}"] = int((used & ~flags).sum())
        used = used & flags
    splits = split_games(cases.game, used, settings.validation, settings.test_split, settings.seed)
    k = fitted_k(cases, settings, loss, splits.training)
    target = row_targets(cases, settings, loss, k.k)
    return Prepared(Problem(cases, settings, loss, k.k, target, threads=threads), splits, dropped, k.note)
