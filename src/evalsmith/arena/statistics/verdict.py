"""The verdict on two players: who is stronger, unless failures rather than moves decided that.

Every table, sentence and page takes its verdict from `judge`. A program that is late, crashes or plays an illegal move
loses its game, and so a match can be decided without a word about strength. Therefore the pairs without a failure are
judged too, and where they do not say the same, the verdict begins with the failures and names nobody stronger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evalsmith.arena.statistics.elo import Summary

Outcome = Literal["stronger", "not proven", "weaker"]


@dataclass(frozen=True)
class Failures:
    """The failures of one player: in how many of its games, how often for each reason, and how late in seconds.

    ``late_avg`` and ``late_max`` are None if it was never late, or if the log does not say by how much.
    """

    name: str
    games: int
    failed: int
    reasons: dict[str, int]
    late_avg: float | None = None
    late_max: float | None = None

    @property
    def always(self) -> bool:
        """Whether it failed in every game."""
        return self.games > 0 and self.failed == self.games

    def sentence(self) -> str:
        """How often and why it failed; without a full stop."""
        alone = len(self.reasons) == 1
        kinds = [self._kind(reason, count, alone) for reason, count in sorted(self.reasons.items())]
        return f"{self.name} failed in {self.failed} of {self.games} games: {', '.join(kinds)}"

    def _kind(self, reason: str, count: int, alone: bool) -> str:
        text = reason if alone else f"{count} {reason}"
        if reason != "time" or self.late_avg is None:
            return text
        late = f"{self.late_avg:.2f} s late on average"
        return f"{text}, {late}" if alone else f"{text} ({late})"

    def late_text(self) -> str:
        """The mean lateness; empty where there is none."""
        return "" if self.late_avg is None else f"{self.late_avg:.2f} s"

    def to_json(self) -> dict[str, Any]:
        """As it appears in a result."""
        return {"failures": self.reasons, "late_avg": self.late_avg, "late_max": self.late_max}


@dataclass(frozen=True)
class Verdict:
    """Whether the first player is stronger, and the sentences that say so.

    ``by_moves`` is False where no pair of games is without a failure: then no Elo means anything.
    """

    outcome: Outcome
    text: str
    by_moves: bool = True

    @property
    def proven(self) -> bool:
        """Whether one of the two is stronger."""
        return self.outcome != "not proven"


def outcome_of(summary: Summary) -> Outcome:
    """Whether the first player is stronger, by the counts alone."""
    if not summary.proven:
        return "not proven"
    return "stronger" if summary.score > 0.5 else "weaker"


def judge(
    names: tuple[str, str], summary: Summary, clean: Summary | None = None, failures: Sequence[Failures] = ()
) -> Verdict:
    """The verdict on a summary of all games; ``clean`` is that of the pairs in which nobody failed."""
    outcome, sentence = outcome_of(summary), summary.sentence(*names)
    happened = " ".join(f"{one.sentence()}." for one in failures if one.failed)
    if not happened:
        return Verdict(outcome, sentence)
    if clean is None or clean.games == 0:
        nothing = "No pair of games is without a failure: nothing is known of strength."
        return Verdict("not proven", f"{happened} {nothing}", by_moves=False)
    if outcome_of(clean) != outcome:
        return Verdict("not proven", f"{happened} Without the pairs of these games: {clean.sentence(*names)}")
    return Verdict(outcome, f"{sentence} {happened}" if outcome != "not proven" else f"{happened} {sentence}")
