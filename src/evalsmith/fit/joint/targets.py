"""What a position's winning probability should be, and the K that turns values into probabilities.

K is fitted before the weights: the one with which the starting weights predict results best. For scores it is 1: fitted
to them it would be 0, which makes every prediction right, and fitted to the results of fast self-play it is so small
(0.1 in shogi) that the sigmoid no longer bends and the penalty rules; and such a fit gained half as much in matches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.cases import Cases
from evalsmith.fit.joint.objective import fit_k
from evalsmith.fit.settings import AUTO, SQUARED, TuneSettings
from evalsmith.run import InputError

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

DEFAULT_K = 1.0
_LN10_BY_400 = np.log(10.0) / 400.0


def probability(value: Vector, k: float) -> Vector:
    """The winning probability of a value in hundredths: 1 / (1 + 10^(−K·value/400))."""
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-k * _LN10_BY_400 * value)))


def resolve_target(cases: Cases, settings: TuneSettings, loss: str) -> TuneSettings:
    """The settings with the target named: scores where most positions have one, because results say far less."""
    if settings.target != AUTO:
        return settings
    if loss == SQUARED:
        return replace(settings, target=settings.squares_target)
    scored = int((~np.isnan(cases.score)).sum())
    return replace(settings, target="score" if scored * 2 > len(cases) else "result")


def by_score(cases: Cases, settings: TuneSettings) -> Flags:
    """The rows whose target is a score, in whole or in part."""
    known = ~np.isnan(cases.score)
    if settings.target == "result":
        return np.zeros(len(cases), dtype=np.bool_)
    return known & cases.labelled if settings.target == "label" else known


def row_targets(cases: Cases, settings: TuneSettings, loss: str, k: float) -> Vector:
    """The target of each row, not a number where it is not known: a probability, or a value for squared errors."""
    if loss == SQUARED:
        return cases.value
    score, result = probability(cases.score, k), cases.result
    if settings.target == "result":
        return result
    if settings.target == "score":
        return score
    if settings.target == "mix":
        both = settings.result_share * result + (1 - settings.result_share) * score
        return np.where(np.isnan(result), score, np.where(np.isnan(score), result, both))
    return np.where(cases.labelled & ~np.isnan(score), score, result)


def known_targets(cases: Cases, settings: TuneSettings, loss: str) -> Flags:
    """The rows that have a target; when there are none, the error says what is missing."""
    known = ~np.isnan(row_targets(cases, settings, loss, DEFAULT_K))
    if not known.any():
        by = "" if settings.target == "label" else f", by target {settings.target}"
        raise InputError(
            f"none of the {len(cases):,} positions has a known value to fit{by}: the dataset has "
            f"{int((~np.isnan(cases.result)).sum()):,} results and {int((~np.isnan(cases.score)).sum()):,} scores"
        )
    return known


@dataclass(frozen=True)
class FittedK:
    """The K of a fit, and why it is not a fitted one where it is not."""

    k: float
    note: str = ""


def fitted_k(cases: Cases, settings: TuneSettings, loss: str, rows: Flags) -> FittedK:
    """The K of a fit, from the rows that are fitted."""
    if settings.k != AUTO:
        return FittedK(float(settings.k))
    if loss == SQUARED:
        return FittedK(DEFAULT_K)
    scored = by_score(cases, settings) & rows
    known = rows & ~np.isnan(cases.result)
    if scored.sum() * 2 > rows.sum():
        return FittedK(DEFAULT_K)
    result = cases.result[known]
    if len(np.unique(result)) < 2:
        value = "draws" if result[0] == 0.5 else "won" if result[0] else "lost"
        raise InputError(
            f"all {len(result):,} results are the same (all {value}), so there is nothing to learn from; add games "
            "that ended otherwise, or fit to scores with --target score"
        )
    return k_of(cases.rows.times(cases.start)[known], result, loss)


def k_of(value: Vector, result: Vector, loss: str) -> FittedK:
    """The K with which values predict results best; values that say nothing of them leave the default."""
    try:
        return FittedK(fit_k(value, result, np.ones(len(value), dtype=np.float32), loss))
    except InputError as error:
        return FittedK(DEFAULT_K, f"K is {DEFAULT_K:g}: {error}")
