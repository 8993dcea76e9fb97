"""The table of a tournament: points, results, failures and times of each player, and all pairs of them.

Points are those of wins (1, ½, 0), or of a contest: what a player has on the board at the end (its stones), with a
bonus for a win or a tie, and nothing for a program that failed. The games of a free round (a bye) count as won, but
only in points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from evalsmith.arena.events.formats import Format, free_games
from evalsmith.arena.results.judging import judge_meeting
from evalsmith.arena.results.tally import WIN_BONUS, Meeting, PlayerSums, Tally
from evalsmith.arena.results.times import Times
from evalsmith.arena.statistics.elo import Summary
from evalsmith.arena.statistics.ratings import Pairing, Rating, bradley_terry
from evalsmith.arena.statistics.verdict import Failures, Verdict
from evalsmith.run import InputError

T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One player's row. ``by_side`` has won, tied and lost with each side; ``failures`` are counted by reason.

    ``free`` is the number of games that it was given in free rounds and did not play.
    """

    name: str
    points: float = 0.0
    won: int = 0
    tied: int = 0
    lost: int = 0
    fail: int = 0
    by_side: list[list[int]] = field(default_factory=lambda: [[0, 0, 0], [0, 0, 0]])
    failures: dict[str, int] = field(default_factory=dict)
    free: int = 0

    @property
    def games(self) -> int:
        """The number of games that it played."""
        return self.won + self.tied + self.lost

    @property
    def share(self) -> float:
        """The share of its games that it won, ties as halves, 0 to 1."""
        return (self.won + self.tied / 2) / max(1, self.games)


@dataclass(frozen=True)
class Comparison:
    """Two players who met, from the view of the first; ``summary`` and ``verdict`` are those of a match of these games.

    ``difference`` is the first's mean margin in the game's unit, over the games that have one.
    """

    first: str
    second: str
    won: int
    tied: int
    lost: int
    difference: float | None
    summary: Summary
    verdict: Verdict

    def reversed(self) -> Comparison:
        """The same games from the view of the second player, whose Elo is not asked for."""
        difference = None if self.difference is None else -self.difference
        return replace(self, first=self.second, second=self.first, won=self.lost, lost=self.won, difference=difference)

    @property
    def distinct(self) -> bool:
        """Whether the two differ by more than chance, and not by failures."""
        return self.verdict.proven

    @property
    def p_value(self) -> float:
        """How often equal players would be at least as far apart."""
        return self.summary.p_value

    @property
    def games(self) -> int:
        """The number of games that they played."""
        return self.won + self.tied + self.lost

    def to_json(self) -> dict[str, Any]:
        """As it appears in the document of an event."""
        return {
            "first": self.first,
            "second": self.second,
            "won": self.won,
            "tied": self.tied,
            "lost": self.lost,
            "difference": self.difference,
            "elo": self.summary.elo,
            "elo_low": self.summary.elo_low,
            "elo_high": self.summary.elo_high,
            "elo_error": self.summary.elo_error,
            "los": self.summary.los,
            "p_value": self.p_value,
            "outcome": self.verdict.outcome,
            "verdict": self.verdict.text,
        }


@dataclass(frozen=True)
class Standings:
    """The complete table, the best player first; matrices are in that order.

    ``wins[i][j]`` is how often i beat j, ``played[i][j]`` how often they met, ``points[i][j]`` what i took of it (1, ½,
    0), ``difference[i][j]`` i's mean margin. ``unrated`` says why there are no ratings, where there are none.
    ``anchors`` are the ratings that were given. ``by_points`` tells that points decide the order, and not ratings.
    """

    rows: tuple[Row, ...]
    times: tuple[Times, ...]
    failures: tuple[Failures, ...]
    comparisons: tuple[Comparison, ...]
    ratings: tuple[Rating, ...]
    unrated: str
    terminations: dict[str, int]
    games: int
    anchors: dict[str, float] = field(default_factory=dict)
    by_points: bool = False

    @property
    def order(self) -> str:
        """What decides the order, in words."""
        if not self.ratings:
            return "points" if self.by_points else "share of points"
        return "points, then by rating" if self.by_points else "rating"

    @property
    def names(self) -> list[str]:
        """The players in the order of the table."""
        return [row.name for row in self.rows]

    def _matrix(self, take: Callable[[Comparison], T], absent: T) -> list[list[T]]:
        known = {}
        for one in self.comparisons:
            known[one.first, one.second] = take(one)
            known[one.second, one.first] = take(one.reversed())
        return [[known.get((a, b), absent) for b in self.names] for a in self.names]

    @property
    def wins(self) -> list[list[int]]:
        """Row beat column."""
        return self._matrix(lambda one: one.won, 0)

    @property
    def played(self) -> list[list[int]]:
        """Games of row and column."""
        return self._matrix(lambda one: one.games, 0)

    @property
    def points(self) -> list[list[float]]:
        """What the row took from the column."""
        return self._matrix(lambda one: one.won + one.tied / 2, 0.0)

    @property
    def difference(self) -> list[list[float | None]]:
        """The row's mean margin against the column."""
        return self._matrix(lambda one: one.difference, None)

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith tournament --json``."""
        players = []
        for row, times, failures in zip(self.rows, self.times, self.failures, strict=True):
            own = {"games": row.games, "share": row.share, **failures.to_json()}
            players.append({**asdict(row), **own, **times.to_json()})
        return {
            "players": players,
            "wins": self.wins,
            "played": self.played,
            "difference": self.difference,
            "comparisons": [one.to_json() for one in self.comparisons],
            "ratings": [asdict(one) for one in self.ratings],
            "unrated": self.unrated,
            "anchors": self.anchors,
            "reasons": self.terminations,
            "games": self.games,
        }


def standings(
    tally: Tally,
    contest: bool = False,
    form: Format | None = None,
    anchors: Mapping[str, float] | None = None,
) -> Standings:
    """The table of the games that are finished; free rounds count where the format is known.

    It is ranked by ratings, or by the share of points if there are none: players may have met others, and other numbers
    of them. In a contest, and in a Swiss tournament, points decide.
    """
    names = tally.names
    anchors = check_anchors(names, anchors)
    spared = {} if form is None else free_games(form, names, tally.played)
    rows = [_row(player, spared.get(name, 0), contest) for name, player in tally.players.items()]
    comparisons = tuple(
        _comparison(meeting)
        for i, first in enumerate(names)
        for second in names[i + 1 :]
        if (meeting := tally.meeting(first, second)) is not None
    )
    ratings, unrated = _ratings(comparisons, anchors)
    elo = {one.name: one.elo for one in ratings}
    by_points = contest or (form is not None and form.kind == "swiss")

    def merit(row: Row) -> tuple[float, ...]:
        points = row.points if by_points else 0.0
        return (-points, -elo.get(row.name, 0.0), -row.share, names.index(row.name))

    ranked = sorted(rows, key=merit)
    return Standings(
        tuple(ranked),
        tuple(tally.players[row.name].times.result() for row in ranked),
        tuple(tally.players[row.name].failures.result() for row in ranked),
        comparisons,
        ratings,
        unrated,
        dict(tally.terminations),
        tally.games,
        anchors,
        by_points,
    )


def check_anchors(names: Sequence[str], anchors: Mapping[str, float] | None) -> dict[str, float]:
    """The anchors, or an error that says which of them is no player."""
    for name in anchors or {}:
        if name not in names:
            raise InputError(f"no player has the name {name!r} of an anchor; the players are {', '.join(names)}")
    return dict(anchors or {})


def _row(player: PlayerSums, spared: int, contest: bool) -> Row:
    won, tied, lost = (sum(counts) for counts in zip(*player.by_side, strict=True))
    failures = player.failures.result()
    points = player.contest_points if contest else won + tied / 2
    return Row(
        name=player.name,
        points=points + spared * (WIN_BONUS if contest else 1),
        won=won,
        tied=tied,
        lost=lost,
        fail=failures.failed,
        by_side=[side.copy() for side in player.by_side],
        failures=failures.reasons,
        free=spared,
    )


def _comparison(meeting: Meeting) -> Comparison:
    lost, tied, won = meeting.all.game_counts
    return Comparison(
        meeting.first, meeting.second, won, tied, lost, meeting.difference, *judge_meeting(meeting)
    )  # fmt: skip


def _ratings(comparisons: Sequence[Comparison], anchors: Mapping[str, float]) -> tuple[tuple[Rating, ...], str]:
    if not comparisons:
        return (), "no games were played"
    pairings = [Pairing(one.first, one.second, one.won, one.tied, one.lost) for one in comparisons]
    try:
        met = {name for one in comparisons for name in (one.first, one.second)}
        known = {name: elo for name, elo in anchors.items() if name in met}
        return tuple(bradley_terry(pairings, anchors=known).table()), ""
    except InputError as error:
        return (), str(error)
