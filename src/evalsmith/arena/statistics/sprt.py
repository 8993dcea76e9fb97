"""The sequential probability ratio test: play until the games decide between two Elo differences.

H0 says that the first player is ``elo0`` stronger than the second, H1 says ``elo1``. The log-likelihood ratio
(LLR) compares how well each explains the counts, where each hypothesis may choose the distribution of
outcomes that suits it best (the generalised test, GSPRT). At the upper Wald bound H1 is accepted, at the lower one H0.

Two models of what an Elo difference means:

- ``normalized`` (the default): the mean score above one half, in standard deviations of a game. The length of a
  test then does not depend on how drawish the games are.
- ``logistic``: the mean score itself, by the standard Elo formula.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evalsmith.arena.statistics.elo import (
    NELO_UNIT,
    PENTANOMIAL,
    TRINOMIAL,
    checked_counts,
    points,
    regularised,
    score_from_elo,
)
from evalsmith.run.errors import InputError

Model = Literal["normalized", "logistic"]
State = Literal["running", "accepted H0", "accepted H1"]

MINIMUM_PAIRS = 10
"""No decision before this many pairs: the test's error rates hold for many games, not for a lucky start."""

LARGEST_ELO: dict[str, float] = {"normalized": 200.0, "logistic": 1000.0}
"""Hypotheses beyond these leave no distribution to start from (normalized), or none but a sure win (logistic)."""

ROUNDS, SETTLED = 10, 1e-9

SMALLEST = 1e-300
"""Stands for a denominator that rounding made zero beside a pole; at the zero itself it is at least the share."""


@dataclass(frozen=True)
class Sprt:
    """Where a test stands: the LLR, the two bounds, and what follows.

    ``state`` is "running" (go on), "accepted H1" (at least as good as hoped) or "accepted H0" (it is not).
    """

    llr: float
    lower: float
    upper: float
    state: State


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The LLR at which H0 and H1 are accepted.

    ``alpha`` is how often H1 may be accepted though H0 is true, ``beta`` the other mistake.
    """
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0.0 < value < 0.5:
            raise InputError(f"expected {name} between 0 and 0.5, got {value:g}")
    return math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)


def sprt(
    counts: Sequence[int],
    elo0: float,
    elo1: float,
    *,
    model: Model = "normalized",
    alpha: float = 0.05,
    beta: float = 0.05,
    minimum_pairs: int = MINIMUM_PAIRS,
) -> Sprt:
    """The state of the test of ``elo1`` against ``elo0``, for the first player.

    ``counts`` is (lost, drawn, won) of games, or (LL, LD, WL+DD, WD, WW) of pairs. Ask between pairs only: a
    test that may stop inside a pair favours the player that has the better side first. While fewer than
    ``minimum_pairs`` were played (two games are a pair) the test runs on, whatever the LLR.
    """
    lower, upper = wald_bounds(alpha, beta)
    value = llr(counts, elo0, elo1, model=model)
    pairs = sum(counts) if len(counts) == 5 else sum(counts) / 2
    state: State = "running"
    if pairs >= minimum_pairs and value >= upper:
        state = "accepted H1"
    elif pairs >= minimum_pairs and value <= lower:
        state = "accepted H0"
    return Sprt(value, lower, upper, state)


def llr(counts: Sequence[int], elo0: float, elo1: float, *, model: Model = "normalized") -> float:
    """The generalised log-likelihood ratio of ``elo1`` against ``elo0``; positive speaks for ``elo1``."""
    if len(counts) not in (3, 5):
        raise InputError(
            f"expected 3 counts ({', '.join(TRINOMIAL)}) or 5 counts ({', '.join(PENTANOMIAL)}), got {len(counts)}"
        )
    if model not in LARGEST_ELO:
        raise InputError(f"expected the model normalized or logistic, got {model}")
    limit = LARGEST_ELO[model]
    if not -limit <= elo0 < elo1 <= limit:
        raise InputError(
            f"expected two {model} Elo differences, the lower one first, from {-limit:g} to {limit:g}; "
            f"got {elo0:g},{elo1:g}"
        )
    weighed = regularised(checked_counts(counts, TRINOMIAL if len(counts) == 3 else PENTANOMIAL))
    total = math.fsum(weighed)
    observed = [count / total for count in weighed]
    scores = points(len(counts))
    if model == "logistic":
        null, other = (_fit_to_mean(scores, observed, score_from_elo(elo)) for elo in (elo0, elo1))
    else:
        # The variance of a pair's mean is half that of a game, so the same strength is √2 more deviations.
        unit = NELO_UNIT / math.sqrt(2.0) if len(counts) == 5 else NELO_UNIT
        null, other = (_fit_to_effect(scores, observed, elo / unit) for elo in (elo0, elo1))
    return total * math.fsum(p * math.log(b / a) for p, a, b in zip(observed, null, other, strict=True))


def _fit_to_mean(scores: Sequence[float], observed: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution whose mean is ``mean``."""
    return _fit_to_zero([score - mean for score in scores], observed)


def _fit_to_effect(scores: Sequence[float], observed: Sequence[float], effect: float) -> list[float]:
    """The likeliest distribution whose mean is ``effect`` of its own deviations above one half.

    The condition is not linear in the probabilities; each round linearises it about the last answer. Within the
    limits of ``LARGEST_ELO`` the first lean has both signs, and then every later one has: its mean under the last
    answer is not against the effect (the arithmetic mean of two deviations is at least the geometric one).
    """
    fitted = [1.0 / len(scores)] * len(scores)
    for _ in range(ROUNDS):
        mean = math.fsum(p * score for p, score in zip(fitted, scores, strict=True))
        deviation = math.sqrt(math.fsum(p * (score - mean) ** 2 for p, score in zip(fitted, scores, strict=True)))
        lean = [score - 0.5 - 0.5 * effect * deviation * (1.0 + ((score - mean) / deviation) ** 2) for score in scores]
        last, fitted = fitted, _fit_to_zero(lean, observed)
        if max(abs(new - old) for new, old in zip(fitted, last, strict=True)) < SETTLED:
            break
    return fitted


def _fit_to_zero(lean: Sequence[float], observed: Sequence[float]) -> list[float]:
    """The likeliest distribution under which the mean of ``lean`` is zero, by bisection for the multiplier.

    The mean falls as the multiplier grows, from +∞ to −∞ between the two poles, so there is exactly one zero.
    """
    low, high = -1.0 / max(lean), -1.0 / min(lean)
    middle = 0.5 * (low + high)
    while low < middle < high:
        if math.fsum(p * x / max(1.0 + middle * x, SMALLEST) for p, x in zip(observed, lean, strict=True)) > 0.0:
            low = middle
        else:
            high = middle
        middle = 0.5 * (low + high)
    return [p / max(1.0 + middle * x, SMALLEST) for p, x in zip(observed, lean, strict=True)]
