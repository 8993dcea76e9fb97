"""The verdict on the logged games of two players, with their failures counted apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evalsmith.arena.results.counting import Games, clean_games, game_counts, pair_counts, pair_points
from evalsmith.arena.results.entry import GameEntry
from evalsmith.arena.statistics.elo import Summary, pentanomial, trinomial
from evalsmith.arena.statistics.verdict import Failures, Verdict, judge


def failures_of(name: str, entries: Iterable[GameEntry]) -> Failures:
    """The failures of a player in the games that it took part in."""
    own = [(entry, entry.sides.index(name)) for entry in entries if name in entry.sides]
    failed = [one for entry, side in own for one in entry.failed if one.side == side]
    late = [one.late for one in failed if one.late is not None]
    return Failures(
        name=name,
        games=len(own),
        failed=sum(side in entry.failed_sides for entry, side in own),
        reasons=dict(Counter(one.reason for one in failed)),
        late_avg=round(sum(late) / len(late), 4) if late else None,
        late_max=max(late, default=None),
    )


def judge_games(names: tuple[str, str], games: Games, single: bool = False) -> tuple[Summary, Verdict]:
    """The summary and the verdict of the games between two players: by pairs, unless none is complete or ``single``."""
    own = {key: entry for key, entry in games.items() if {key.first, key.second} == set(names)}
    summary, clean = (_summary(some, names[0], single) for some in (own, clean_games(own)))
    return summary, judge(names, summary, clean, [failures_of(name, own.values()) for name in names])


def _summary(games: Games, first: str, single: bool) -> Summary:
    pairs = [] if single else pair_points(games, first)
    if pairs:
        return pentanomial(pair_counts(pairs))
    lost, drawn, won = game_counts(games, first)
    return trinomial(won, drawn, lost)
