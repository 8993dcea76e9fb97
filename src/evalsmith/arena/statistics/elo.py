"""What a match between two players says: Elo with both ends of its interval, likelihood of superiority, p-value.

Everything here is from the view of the first player, A: a positive Elo means that A is the stronger one.
Games counted one by one are trinomial: lost, drawn, won. Games counted by pairs (one opening, colours
swapped) are pentanomial, and that is the better way: the two games of a pair are not independent, and only the
pentanomial variance knows it.

The p-value decides, and everything else agrees with it. Two equal players would score each decided game or pair
the other way round just as often, so it is the share of all such reversals that are at least as lopsided: exact for
games, and for fewer than MANY_TRIALS decided pairs; from there on it is the normal one. The interval is Wilson's with
the variance of the results and Student's quantile, so it stays inside (0, 1) however lopsided the score is; where it
and the p-value disagree about equality, it ends there.

No number that comes out is ever NaN or infinite. Scores are clamped to 0.001 … 0.999, and where all
games ended alike, or none was played, the variance is that of counts with every zero replaced by 0.001; but not for the
interval, which would then be next to nothing: there it is as if half a game more had been won and half a one lost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evalsmith.run.errors import InputError

Z95 = 1.959964
"""Half the width of a 95 % interval, in standard deviations."""

SIGNIFICANT = 0.05
"""A p-value below this names a stronger player."""

_TINY = 1e-20  # smaller p-values are not written out

LOWEST_SCORE, HIGHEST_SCORE = 0.001, 0.999
STAND_IN = 0.001
"""What a count of zero becomes where a zero would end in a logarithm or a division."""

NELO_UNIT = 800.0 / math.log(10.0)
"""Normalized Elo for each standard deviation (of one game) that the mean score is above one half."""

MANY_TRIALS = 100
"""Decided games, or pairs, from which on the normal distribution describes their mean."""

LARGEST_COUNT = 10**9
"""Up to this, 0.001 games beside the counts are far above the rounding of a double; `sprt` depends on that."""


@dataclass(frozen=True)
class Summary:
    """What the games of a match come to, from the first player's view.

    ``elo_low`` and ``elo_high`` are the ends of the 95 % interval, ``score_low`` and ``score_high`` those of the mean
    score of a game, ``score``, 0 to 1. ``elo_error`` is half of the interval that other programs print where there are
    many games, and half of ours elsewhere; no text shows it, because an interval need not be even. ``los`` is the
    likelihood of superiority, 0 to 1. ``p_value`` is two-sided: how often two equal players would get a score at least
    this lopsided. ``pairs`` is 0 where games were not counted by pairs.
    """

    elo: float
    elo_low: float
    elo_high: float
    elo_error: float
    nelo: float
    nelo_error: float
    los: float
    p_value: float
    score: float
    score_low: float
    score_high: float
    games: int
    pairs: int

    @property
    def p_text(self) -> str:
        """``p 0.032``; far below what any match is planned for, numbers only say how many games were played."""
        return f"p {self.p_value:.2g}" if self.p_value >= _TINY else f"p < {_TINY:.0e}"

    @property
    def proven(self) -> bool:
        """Whether chance alone does not explain the score."""
        return self.p_value < SIGNIFICANT

    @property
    def sweep(self) -> bool:
        """Whether one player took everything, so that only a lower bound of the difference is known."""
        return self.games > 0 and not LOWEST_SCORE < self.score < HIGHEST_SCORE

    def interval_text(self, digits: int = 0) -> str:
        """Both ends of the 95 % interval of the Elo."""
        return f"95 %: {_signed(self.elo_low, digits)} … {_signed(self.elo_high, digits)}"

    def elo_text(self, digits: int = 1) -> str:
        """The Elo with both ends of its interval; of a clean sweep, the end that the games determine."""
        if self.games == 0:
            return "unknown"
        if self.sweep and self.score > 0.5:
            return f"above {_signed(self.elo_low, digits)} (95 %)"
        if self.sweep:
            return f"below {_signed(self.elo_high, digits)} (95 %)"
        return f"{_signed(self.elo, digits)} ({self.interval_text(digits)})"

    def sentence(self, player: str, opponent: str) -> str:
        """Who is stronger and by how much, or that the two cannot be told apart."""
        if self.games == 0:
            return f"{player} and {opponent} have not finished a game."
        over = f"over {self.games} game{'s' * (self.games > 1)}, {self.p_text}"
        if not self.proven:
            return f"{player} and {opponent} cannot be told apart: {self.elo_text(0)} Elo {over}."
        better, worse, low, high = player, opponent, self.elo_low, self.elo_high
        if self.score < 0.5:
            better, worse, low, high = opponent, player, -high, -low
        if self.sweep:
            return f"{better} is stronger than {worse} by more than {low:.0f} Elo (95 %): it won everything, {over}."
        return f"{better} is stronger than {worse} by {abs(self.elo):.0f} Elo (95 %: {low:.0f} … {high:.0f}) {over}."


def _signed(elo: float, digits: int) -> str:
    """With its sign, and no minus before a zero."""
    return f"{round(elo, digits) + 0.0:+.{digits}f}"


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
    """The summary of games counted one by one."""
    return _summary(checked_counts((lost, drawn, won), TRINOMIAL), games_per_trial=1)


def pentanomial(counts: Sequence[int]) -> Summary:
    """The summary of game pairs, counted as (LL, LD, WL+DD, WD, WW)."""
    return _summary(checked_counts(counts, PENTANOMIAL), games_per_trial=2)


def _summary(counts: tuple[int, ...], games_per_trial: int) -> Summary:
    """The one place where a score becomes an interval, a p-value and a likelihood of superiority."""
    played = sum(counts)
    trials, score, variance = moments(counts if played else regularised(counts))
    z = 0.0 if score == 0.5 else math.copysign(math.inf, score - 0.5)
    if variance > 0.0:
        z = (score - 0.5) / math.sqrt(variance / trials)
    p_value = _p_value(counts, z)
    low, high = _interval(counts, p_value)
    nelo_variance = variance or moments(regularised(counts))[2]
    elo_low, elo_high = elo_from_score(low), elo_from_score(high)
    return Summary(
        elo=elo_from_score(score),
        elo_low=elo_low,
        elo_high=elo_high,
        elo_error=_peers_error(counts) or (elo_high - elo_low) / 2.0,
        nelo=(score - 0.5) / math.sqrt(games_per_trial * nelo_variance) * NELO_UNIT,
        nelo_error=Z95 * NELO_UNIT / math.sqrt(games_per_trial * trials),
        los=_los(counts, score, z, p_value),
        p_value=p_value,
        score=score,
        score_low=low,
        score_high=high,
        games=games_per_trial * played,
        pairs=played if games_per_trial == 2 else 0,
    )


def _decided(counts: Sequence[int]) -> int:
    """The number of games, or pairs, that one player won."""
    return sum(counts) - counts[len(counts) // 2]


def _p_value(counts: Sequence[int], z: float) -> float:
    """How often equal players are at least this far apart; ``z`` is the mean in standard deviations."""
    if len(counts) == 3:
        return binomial_p_value(counts[2], counts[0])
    if _decided(counts) >= MANY_TRIALS and math.isfinite(z):
        return 2.0 * _normal(-abs(z))
    if counts[1] + counts[3] == 0:
        return binomial_p_value(counts[4], counts[0])
    return reversal_p_value(counts)


def reversal_p_value(counts: Sequence[int]) -> float:
    """The share of all reversals of decided pairs in which the points are at least as far from even, exactly."""
    halves, wholes = counts[1] + counts[3], counts[0] + counts[4]
    lead = abs(2 * (counts[4] - counts[0]) + counts[3] - counts[1])
    ways = sum(
        math.comb(wholes, i) * math.comb(halves, j)
        for i in range(wholes + 1)
        for j in range(halves + 1)
        if abs(2 * (2 * i - wholes) + 2 * j - halves) >= lead
    )
    return ways / (1 << (halves + wholes))


def _los(counts: Sequence[int], score: float, z: float, p_value: float) -> float:
    """The likelihood of superiority; it is beyond 97.5 % exactly where the p-value is significant."""
    if score == 0.5:
        return 0.5
    behind = p_value / 2.0
    if _decided(counts) >= MANY_TRIALS and math.isfinite(z):
        behind = _normal(-abs(z))
        if (behind < SIGNIFICANT / 2.0) != (p_value < SIGNIFICANT):
            behind = p_value / 2.0
    return 1.0 - behind if score > 0.5 else behind


def _interval(counts: Sequence[int], p_value: float) -> tuple[float, float]:
    """The ends of the 95 % interval of the mean score: Wilson's, with the spread of the results.

    The variance at another mean m is taken to be the same part of the largest possible one, m(1 − m).
    """
    played = max(sum(counts), 1)
    if counts[0] == played or counts[-1] == played:
        # Of a clean sweep the exact bound is known: a lower score would sweep in less than 2.5 % of all cases.
        bound = math.pow(SIGNIFICANT / 2.0, 1.0 / played)
        return (bound, 1.0) if counts[-1] else (0.0, 1.0 - bound)
    score, variance = (0.5, 0.0) if not sum(counts) else moments(counts)[1:]
    if variance == 0.0:
        _, mean, variance = moments((counts[0] + 0.5, *counts[1:-1], counts[-1] + 0.5))
    else:
        mean, variance = score, variance * played / (played - 1)
    spread = min(1.0, variance / (mean * (1.0 - mean)))
    quantile = student_quantile(played - 1)
    lead = abs(score - 0.5) / math.sqrt(spread / 4.0 / played)
    quantile = min(quantile, lead) if p_value < SIGNIFICANT else max(quantile, lead)
    width = quantile * quantile * spread / played
    centre = (score + width / 2.0) / (1.0 + width)
    half = math.sqrt(width * (score * (1.0 - score) + width / 4.0)) / (1.0 + width)
    return max(0.0, centre - half), min(1.0, centre + half)


def _peers_error(counts: Sequence[int]) -> float | None:
    """Half of the normal interval in Elo; None where there are too few games for it, or where it is cut off."""
    trials, score, variance = moments(counts) if _decided(counts) >= MANY_TRIALS else (0.0, 0.5, 0.0)
    deviation = math.sqrt(variance / max(trials, 1.0))
    low, high = score - Z95 * deviation, score + Z95 * deviation
    if deviation == 0.0 or low < LOWEST_SCORE or high > HIGHEST_SCORE:
        return None
    return (elo_from_score(high) - elo_from_score(low)) / 2.0


def student_quantile(freedom: int) -> float:
    """Half the width of a 95 % interval in standard deviations that were estimated with so many degrees of freedom."""
    if freedom < len(_STUDENT):
        return _STUDENT[max(freedom, 1)]
    x, n = Z95, float(freedom)
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
    )
    return x + terms[0] / n + terms[1] / n**2 + terms[2] / n**3


_STUDENT = (math.inf, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706)  # the series below needs more degrees of freedom


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
