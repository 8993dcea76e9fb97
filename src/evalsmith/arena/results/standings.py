"""The table of a tournament: points, results, failures and times of each player, and all pairs of them.

Points are those of wins (1, ½, 0), or of a contest: what a player has on the board at the end (its stones), with a
bonus for a win or a tie, and nothing for a program that failed. The games of a free round (a bye) count as won, but
only in points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from evalsmith.arena.events.formats import Format, free_games
from evalsmith.arena.results.counting import has_margin
from evalsmith.arena.results.entry import GameEntry, GameKey, sign
from evalsmith.arena.results.times import Times, times_of
from evalsmith.arena.statistics.elo import Summary, binomial_p_value, trinomial
from evalsmith.arena.statistics.ratings import Pairing, Rating, bradley_terry
from evalsmith.run import InputError

WIN_BONUS, TIE_BONUS = 90, 45

T = TypeVar("T")


@dataclass
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


@dataclass(frozen=True)
class Comparison:
    """Two players who met, from the view of the first. ``p_value`` is the exact binomial one, ties left out.

    ``difference`` is the first's mean margin in the game's unit, over the games that have one.
    """

    first: str
    second: str
    won: int
    tied: int
    lost: int
    difference: float | None
    summary: Summary

    def reversed(self) -> Comparison:
        """The same games from the view of the second player, whose Elo is not asked for."""
        difference = None if self.difference is None else -self.difference
        return replace(self, first=self.second, second=self.first, won=self.lost, lost=self.won, difference=difference)

    @property
    def distinct(self) -> bool:
        """Whether the two differ by more than chance."""
        return self.p_value < 0.05

    @property
    def p_value(self) -> float:
        """How often equal players would be at least as far apart."""
        return binomial_p_value(self.won, self.lost)

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
            "elo_error": self.summary.elo_error,
            "los": self.summary.los,
            "p_value": self.p_value,
        }


@dataclass(frozen=True)
class Standings:
    """The complete table, the best player first; matrices are in that order.

    ``wins[i][j]`` is how often i beat j, ``played[i][j]`` how often they met, ``points[i][j]`` what i took of it (1, ½,
    0), ``difference[i][j]`` i's mean margin. ``unrated`` says why there are no ratings, where there are none.
    """

    rows: tuple[Row, ...]
    times: tuple[Times, ...]
    comparisons: tuple[Comparison, ...]
    ratings: tuple[Rating, ...]
    unrated: str
    terminations: dict[str, int]
    games: int

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
        for row, times in zip(self.rows, self.times, strict=True):
            players.append({**asdict(row), **times.to_json()})
        return {
            "players": players,
            "wins": self.wins,
            "played": self.played,
            "difference": self.difference,
            "comparisons": [one.to_json() for one in self.comparisons],
            "ratings": [asdict(one) for one in self.ratings],
            "unrated": self.unrated,
            "reasons": self.terminations,
            "games": self.games,
        }


def standings(
    names: Sequence[str], games: Mapping[GameKey, GameEntry], contest: bool = False, form: Format | None = None
) -> Standings:
    """The table of the games that are finished; free rounds count where the format is known."""
    rows = {name: Row(name) for name in names}
    for name, spared in (free_games(form, names, games) if form is not None else {}).items():
        rows[name].free = spared
        rows[name].points += spared * (WIN_BONUS if contest else 1)
    entries = [entry for key, entry in games.items() if key.first in rows and key.second in rows]
    for entry in entries:
        for side, name in enumerate(entry.sides):
            _count(rows[name], entry, side, contest)
    comparisons = tuple(
        one
        for i, first in enumerate(names)
        for second in names[i + 1 :]
        if (one := _comparison(first, second, entries)) is not None
    )
    ratings, unrated = _ratings(comparisons)
    order = {one.name: -one.elo for one in ratings}
    ranked = sorted(rows.values(), key=lambda row: (-row.points, order.get(row.name, 0.0), names.index(row.name)))
    return Standings(
        tuple(ranked),
        tuple(times_of(row.name, entries) for row in ranked),
        comparisons,
        ratings,
        unrated,
        dict(Counter(entry.termination for entry in entries)),
        len(entries),
    )


def _count(row: Row, entry: GameEntry, side: int, contest: bool) -> None:
    outcome = sign(entry.value_for(row.name))
    if outcome > 0:
        row.won += 1
    elif outcome == 0:
        row.tied += 1
    else:
        row.lost += 1
    row.by_side[side][1 - outcome] += 1
    failed = [one for one in entry.failed if one.side == side]
    row.fail += bool(failed)
    for one in failed:
        row.failures[one.reason] = row.failures.get(one.reason, 0) + 1
    row.points += _contest_points(entry, side, outcome) if contest else (1 + outcome) / 2


def _contest_points(entry: GameEntry, side: int, outcome: int) -> float:
    """Own stones and the bonus; a failed program has nothing, whatever random moves made of its game."""
    if side in entry.failed_sides:
        return 0.0
    own = 0 if entry.counts is None else entry.counts[side]
    return float(own) + (WIN_BONUS if outcome > 0 else TIE_BONUS if outcome == 0 else 0)


def _comparison(first: str, second: str, entries: Sequence[GameEntry]) -> Comparison | None:
    counts, margins = [0, 0, 0], []
    for entry in entries:
        if set(entry.sides) != {first, second}:
            continue
        value = entry.value_for(first)
        counts[1 - sign(value)] += 1
        if has_margin(entry):
            margins.append(value)
    if not sum(counts):
        return None
    mean = sum(margins) / len(margins) if margins else None
    won, tied, lost = counts
    return Comparison(first, second, won, tied, lost, mean, trinomial(won, tied, lost))


def _ratings(comparisons: Sequence[Comparison]) -> tuple[tuple[Rating, ...], str]:
    if not comparisons:
        return (), "no games were played"
    pairings = [Pairing(one.first, one.second, one.won, one.tied, one.lost) for one in comparisons]
    try:
        return tuple(bradley_terry(pairings).table()), ""
    except InputError as error:
        return (), str(error)
