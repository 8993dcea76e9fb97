"""The verdict on the logged games of two players, with their failures counted apart."""

from __future__ import annotations

from evalsmith.arena.results.tally import Meeting, Outcomes
from evalsmith.arena.statistics.elo import Summary, pentanomial, trinomial
from evalsmith.arena.statistics.verdict import Verdict, judge


def judge_meeting(meeting: Meeting, single: bool = False) -> tuple[Summary, Verdict]:
    """The summary and the verdict of the games between two players: by pairs, unless none is complete or ``single``."""
    summary, clean = (_summary(some, single) for some in (meeting.all, meeting.clean))
    names = meeting.first, meeting.second
    return summary, judge(names, summary, clean, [meeting.failures[name].result() for name in names])


def _summary(outcomes: Outcomes, single: bool) -> Summary:
    if any(outcomes.pairs) and not single:
        return pentanomial(outcomes.pairs)
    lost, drawn, won = outcomes.games
    return trinomial(won, drawn, lost)
