"""Tags of a position by the scores of its moves: tactic, losing, few; quiet where none of them applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TACTIC, LOSING, FEW, QUIET = "tactic", "losing", "few", "quiet"
_COMPARED = 4  # a tactic is that far above the move of this rank


@dataclass(frozen=True)
class Thresholds:
    """When a tag applies, in the game's unit, and in moves for ``few``."""

    tactic: int = 300
    losing: int = 500
    few: int = 5


def tags_of(scores: Sequence[int], thresholds: Thresholds) -> tuple[str, ...]:
    """The tags of a position with these scores of its legal moves, in any order."""
    if not scores:
        return ()
    ranked = sorted(scores, reverse=True)
    compared = ranked[min(_COMPARED, len(ranked)) - 1]
    found = {
        TACTIC: ranked[0] - compared > thresholds.tactic,
        LOSING: ranked[0] <= -thresholds.losing,
        FEW: len(ranked) <= thresholds.few,
    }
    return tuple(tag for tag, applies in found.items() if applies) or (QUIET,)
