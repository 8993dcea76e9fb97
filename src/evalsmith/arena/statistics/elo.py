"""What a match between two players says: Elo, normalized Elo, likelihood of superiority, p-value.

Everything here is from the view of the first player, A: a positive Elo means that A is the stronger one.
Games counted one by one are trinomial: lost, drawn, won. Games counted by pairs (one opening, colours
swapped) are pentanomial, and that is the better way: the two games of a pair are not independent, and only the
pentanomial variance knows it.

No number that comes out is ever NaN or infinite. Scores are clamped to 0.001 … 0.999, and where all
games ended alike, or none was played, the variance is that of counts with every zero replaced by 0.001; but not for the
errors, which would then be next to nothing: there it is as if half a game more had been won and half a one lost.
With fewer than FEW_TRIALS games or pairs no error is meaningful, and texts say so instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evalsmith.run.errors import InputError

Z95 = 1.959964
"""Half the width of a 95 % interval, in standard deviations."""

LOWEST_SCORE, HIGHEST_SCORE = 0.001, 0.999
STAND_IN = 0.001
"""What a count of zero becomes where a zero would end in a logarithm or a division."""

NELO_UNIT = 800.0 / math.log(10.0)
"""Normalized Elo for each standard deviation (of one game) that the mean score is above one half."""

FEW_TRIALS = 10
"""Games, or pairs, below which the spread of the results says too little about their mean."""

TOO_FEW = "too few games for an error"

LARGEST_COUNT = 10**9
"""Up to this, 0.001 games beside the counts are far above the rounding of a double; `sprt` depends on that."""


@dataclass(frozen=True)
class Summary:
    """The verdict on a match, from the first player's view.

    ``elo_error``, ``nelo_error`` and ``score_error`` are half the width of a 95 % interval. ``los`` is the likelihood
    of superiority, 0 to 1. ``p_value`` is two-sided: how often two equal players would get a score at least this
    lopsided. ``score`` is the mean of a game, 0 to 1. ``pairs`` is 0 where games were not counted by pairs.
    """

    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    los: float
    p_value: float
    score: float
    score_error: float
    games: int
    pairs: int

    @property
    def few(self) -> bool:
        """Whether there are too few games for meaningful errors."""
        return (self.pairs or self.games) < FEW_TRIALS

    def elo_text(self, digits: int = 1) -> str:
        """The Elo with its error, if that is meaningful."""
        error = f"± {self.elo_error:.{digits}f}" if not self.few else f"({TOO_FEW})"
        return f"{self.elo:+.{digits}f} {error}"

    def sentence(self, player: str, opponent: str) -> str:
        """Whose Elo it is, in words; says so when chance alone may explain the score."""
        error, how = ("", TOO_FEW) if self.few else (f" ± {self.elo_error:.1f}", "95 %")
        if abs(self.elo) < 0.05:
            return f"{player} and {opponent} are level: {0.0:.1f}{error} Elo ({how})"
        side = "stronger" if self.elo > 0.0 else "weaker"
        text = f"{player} is {abs(self.elo):.1f}{error} Elo {side} than {opponent} ({how})"
        return text if self.p_value < 0.05 else f"{text}; chance alone may explain it (p = {self.p_value:.2f})"


def elo_from_score(score: float) -> float:
    """The Elo difference that makes ``score`` the expected one; finite, as the score is clamped."""
    score = min(max(score, LOWEST_SCORE), HIGHEST_SCORE)
    return 400.0 * math.log10(score / (1.0 - score))


def score_from_elo(elo: float) -> float:
    """The expected score of a player who is ``elo`` stronger than the opponent."""
    # The same as 1/(1 + 10^(−elo/400)), without its overflow.
    return 0.5 + 0.5 * math.tanh(elo / NELO_UNIT)


def checked_counts(counts: Sequence[int], names: Sequence[str]) -> tuple[int, ...]:
    """The counts as integers, or an error that says which of ``names`` is wrong."""
    if len(counts) != len(names):
        raise InputError(f"expected {len(names)} counts ({', '.join(names)}), got {len(counts)}")
    for name, count in zip(names, counts, strict=True):
        if not 0 <= count <= LARGEST_COUNT or int(count) != count:
            raise InputError(f"expected a whole number from 0 to {LARGEST_COUNT:,} for {name}, got {count}")
    return tuple(int(count) for count in counts)


def regularised(counts: Sequence[int]) -> tuple[float, ...]:
    """The counts with every zero replaced by 0.001."""
    return tuple(float(count) if count else STAND_IN for count in counts)


def points(outcomes: int) -> tuple[float, ...]:
    """The scores of equally spaced outcomes from all lost to all won: 0, ½, 1 or 0, ¼, ½, ¾, 1."""
    return tuple(i / (outcomes - 1) for i in range(outcomes))


def moments(counts: Sequence[float]) -> tuple[float, float, float]:
    """The number of trials, their mean score and the population variance of it."""
    total = math.fsum(counts)
    shares = [(count / total, score) for count, score in zip(counts, points(len(counts)), strict=True)]
    mean = math.fsum(share * score for share, score in shares)
    return total, mean, math.fsum(share * (score - mean) ** 2 for share, score in shares)


TRINOMIAL = ("lost", "drawn", "won")
PENTANOMIAL = ("LL", "LD", "WL+DD", "WD", "WW")


def trinomial(won: int, drawn: int, lost: int) -> Summary:
    """The verdict on games counted one by one.

    The p-value is the exact binomial one on wins against losses; drawn games are left out of it.
    """
    counts = checked_counts((lost, drawn, won), TRINOMIAL)
    return _summary(counts, games_per_trial=1, p_value=binomial_p_value(counts[2], counts[0]))


def pentanomial(counts: Sequence[int]) -> Summary:
    """The verdict on game pairs, counted as (LL, LD, WL+DD, WD, WW).

    The p-value is the normal one on the mean of a pair, with the variance regularised if it is zero; of a few pairs, or
    of equal ones, it is no smaller than that of an exact sign test.
    """
    return _summary(checked_counts(counts, PENTANOMIAL), games_per_trial=2, p_value=None)


def _summary(counts: tuple[int, ...], games_per_trial: int, p_value: float | None) -> Summary:
    """The verdict on counts of either kind; a ``p_value`` of None asks for the normal one."""
    played = sum(counts)
    trials, score, variance = moments(counts if played else regularised(counts))
    lopsided_for_certain = variance == 0.0 and score != 0.5
    for_errors = variance or moments((counts[0] + 0.5, *counts[1:-1], counts[-1] + 0.5))[2]
    if variance == 0.0:
        variance = moments(regularised(counts))[2]
    deviation, wide = math.sqrt(variance / trials), math.sqrt(for_errors / max(played, 1))
    z = (score - 0.5) / deviation
    los = _normal(z)
    if lopsided_for_certain:
        los = 1.0 if score > 0.5 else 0.0
    if p_value is None:
        p_value = 2.0 * _normal(-abs(z))
        if played < FEW_TRIALS or for_errors != variance:
            half = len(counts) // 2
            p_value = max(p_value, binomial_p_value(sum(counts[half + 1 :]), sum(counts[:half])))
    above, below = elo_from_score(score + Z95 * wide), elo_from_score(score - Z95 * wide)
    return Summary(
        elo=elo_from_score(score),
        elo_error=(above - below) / 2.0,
        nelo=(score - 0.5) / math.sqrt(games_per_trial * variance) * NELO_UNIT,
        nelo_error=Z95 * NELO_UNIT / math.sqrt(games_per_trial * trials),
        los=los,
        p_value=p_value,
        score=score,
        score_error=Z95 * wide,
        games=games_per_trial * played,
        pairs=played if games_per_trial == 2 else 0,
    )


def _normal(z: float) -> float:
    """The share of a standard normal distribution below ``z``."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def binomial_p_value(won: int, lost: int) -> float:
    """How often a fair coin is at least as lopsided as ``won`` to ``lost``, on either side."""
    if won == lost:
        return 1.0
    more, fewer = max(won, lost), min(won, lost)
    # The tail of the binomial distribution from ``more`` on: each term is that before it times a falling ratio.
    term = tail = 1.0
    for count in range(more, more + fewer):
        term *= (more + fewer - count) / (count + 1)
        tail += term
        if term < 1e-17 * tail:
            break
    return min(1.0, 2.0 * tail * _even_chance(more, fewer))


def _even_chance(more: int, fewer: int) -> float:
    """The probability of exactly ``more`` to ``fewer`` with a fair coin, by Stirling's formula with its error terms.

    Powers and factorials of large counts would overflow, and differences of their logarithms would lose digits.
    """
    total = more + fewer
    if fewer == 0:
        return 0.5**total
    lean = (more - fewer) / total
    exponent = total / 2 * ((1 + lean) * math.log1p(lean) + (1 - lean) * math.log1p(-lean))
    error = _stirling_error(total) - _stirling_error(more) - _stirling_error(fewer)
    return math.sqrt(total / (2 * math.pi * more * fewer)) * math.exp(error - exponent)


def _stirling_error(count: int) -> float:
    """By how much ln(count!) exceeds Stirling's formula."""
    if count <= _EXACT_BELOW:
        return math.lgamma(count + 1) - (count + 0.5) * math.log(count) + count - 0.5 * math.log(2 * math.pi)
    square = count * count
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / count


_EXACT_BELOW = 15  # above, four terms of the series are exact to the last digits of a double
