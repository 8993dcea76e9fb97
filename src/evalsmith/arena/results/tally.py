"""What the games of an event come to, summed up as they come: no game stays in memory, however many there are.

A game counts where it ends; a pair counts when its second game does. Games are logged in the order of the plan, so few
of them ever wait for the other one of their pair.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evalsmith.arena.play.adjudication import SOLVED
from evalsmith.arena.play.load import Machines
from evalsmith.arena.results.boards import Boards
from evalsmith.arena.results.entry import GameEntry, GameKey, sign
from evalsmith.arena.results.failures import FailureSums
from evalsmith.arena.results.played import Played
from evalsmith.arena.results.times import TimeSums
from evalsmith.arena.statistics.elo import Summary, pentanomial, student_quantile
from evalsmith.arena.statistics.sequential import half_points
from evalsmith.arena.statistics.sprt import Sprt
from evalsmith.games import Game
from evalsmith.games.termination import BY_MATE, BY_REPETITION, BY_RULE, BY_STALEMATE

PairCounts = tuple[int, int, int, int, int]

WIN_BONUS, TIE_BONUS = 90, 45
COURSE_POINTS = 100  # of the score as a match went: at least so many, once there are as many pairs, and below twice

# Ends whose result is the value of the game itself, so that it is a margin where the game has one.
_MEASURED = frozenset({BY_RULE, BY_MATE, BY_STALEMATE, BY_REPETITION, SOLVED})


def has_margin(entry: GameEntry) -> bool:
    """Whether the result of a game is a margin: it was played to an end that has one, and nobody failed."""
    measured = entry.margin is not None or entry.termination in _MEASURED
    return measured and not entry.failed


@dataclass
class Outcomes:
    """How many games were lost, drawn and won, and how many pairs came to 0, 1, 2, 3 and 4 half points."""

    games: list[int] = field(default_factory=lambda: [0, 0, 0])
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])

    @property
    def game_counts(self) -> tuple[int, int, int]:
        """Games lost, drawn and won."""
        lost, drawn, won = self.games
        return lost, drawn, won

    @property
    def pair_counts(self) -> PairCounts:
        """Pairs of 0, 1, 2, 3 and 4 half points."""
        none, one, two, three, four = self.pairs
        return none, one, two, three, four


@dataclass
class Margins:
    """The mean margins of pairs in the game's unit, as counts of the values that occur: a game has few of them."""

    _sums: Counter[int] = field(default_factory=Counter)  # of both margins of a pair

    def add(self, first: int, second: int) -> None:
        """Count a pair."""
        self._sums[first + second] += 1

    def __len__(self) -> int:
        return self._sums.total()

    def counts(self) -> list[tuple[float, int]]:
        """The values with the numbers of their pairs, the least first."""
        return [(total / 2, count) for total, count in sorted(self._sums.items())]

    @property
    def mean(self) -> float:
        """The mean; 0 where there are none."""
        return sum(value * count for value, count in self.counts()) / len(self) if self._sums else 0.0

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval of the mean; 0 for fewer than two pairs."""
        pairs, mean = len(self), self.mean
        if pairs < 2:
            return 0.0
        spread = sum(count * (value - mean) ** 2 for value, count in self.counts()) / (pairs - 1)
        return student_quantile(pairs - 1) * math.sqrt(spread / pairs)


@dataclass
class Course:
    """The score of a match as it went: the counts of pairs after some of them, at even steps that grow with it."""

    _counts: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])
    _pairs: int = 0
    _step: int = 1
    _points: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, half_points: int) -> None:
        """Count a pair."""
        self._counts[half_points] += 1
        self._pairs += 1
        if self._pairs % self._step == 0:
            self._points.append(tuple(self._counts))
        if len(self._points) == 2 * COURSE_POINTS:
            self._points, self._step = self._points[1::2], 2 * self._step

    def summaries(self) -> list[Summary]:
        """The summaries, that of all pairs last."""
        last = () if self._pairs % self._step == 0 else (tuple(self._counts),)
        return [pentanomial(counts) for counts in (*self._points, *last)]


class _Half(NamedTuple):
    """A game that waits for the other one of its pair, from the view of the first player of the meeting."""

    value: int
    clean: bool
    margin: bool


class Meeting:
    """The games of two players, from the view of the first. ``clean`` are the pairs in which nobody failed."""

    def __init__(self, first: str, second: str) -> None:
        self.first, self.second = first, second
        self.all, self._clean = Outcomes(), Outcomes()
        self.margins = Margins()
        self.failures = {name: FailureSums(name) for name in (first, second)}
        self._margin_sum = self._margin_games = 0
        self._waiting: dict[GameKey, _Half] = {}

    def add(self, entry: GameEntry) -> int | None:
        """Count a game; the half points of its pair, once that is complete."""
        half = _Half(entry.value_for(self.first), not entry.failed, has_margin(entry))
        for failures in self.failures.values():
            failures.add(entry)
        self.all.games[1 + sign(half.value)] += 1
        if half.margin:
            self._margin_sum += half.value
            self._margin_games += 1
        pair = entry.key._replace(half=0)
        other = self._waiting.pop(pair, None)
        if other is None:
            self._waiting[pair] = half
            return None
        points = half_points(half.value, other.value)
        self.all.pairs[points] += 1
        if half.clean and other.clean:
            self._clean.pairs[points] += 1
            for one in (half, other):
                self._clean.games[1 + sign(one.value)] += 1
        if half.margin and other.margin:
            self.margins.add(half.value, other.value)
        return points

    @property
    def clean(self) -> Outcomes:
        """The games of pairs in which nobody failed; also of those of which only one game is played."""
        games = self._clean.games.copy()
        for half in self._waiting.values():
            games[1 + sign(half.value)] += half.clean
        return Outcomes(games, self._clean.pairs.copy())

    @property
    def difference(self) -> float | None:
        """The first player's mean margin over the games that have one."""
        return self._margin_sum / self._margin_games if self._margin_games else None


class PlayerSums:
    """One player's games: results with each side (won, tied, lost), contest points, failures and times."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.by_side = [[0, 0, 0], [0, 0, 0]]
        self.contest_points = 0.0
        self.failures, self.times = FailureSums(name), TimeSums(name)

    def add(self, entry: GameEntry, side: int) -> None:
        """Count a game in which the player had a side."""
        outcome = sign(entry.value_for(self.name))
        self.by_side[side][1 - outcome] += 1
        self.contest_points += _contest_points(entry, side, outcome)
        self.failures.add(entry)
        self.times.add(entry.usage[side])


class Tally:
    """Everything that tables, verdicts and pages say about the games between some players."""

    def __init__(self, names: Sequence[str], game: Game | None = None) -> None:
        """``game`` is needed to group the boards of games for one player."""
        self.names = tuple(names)
        self.games = 0
        self.terminations: Counter[str] = Counter()
        self.players = {name: PlayerSums(name) for name in names}
        self.meetings: dict[frozenset[str], Meeting] = {}
        self.course = Course()
        self.machines = Machines()
        self.boards = None if game is None else Boards(game)
        self.played = Played()
        self.sprt: Sprt | None = None

    def add(self, entry: GameEntry) -> None:
        """Count a game between two of the players that was not counted before."""
        self.games += 1
        self.terminations[entry.termination] += 1
        self.played.add(entry)
        self.machines.add(entry)
        for side, name in enumerate(entry.sides):
            self.players[name].add(entry, side)
        points = self._meeting(entry.key).add(entry)
        if points is not None and len(self.names) == 2:
            self.course.add(points)
        if self.boards is not None:
            self.boards.add(entry)

    def meeting(self, first: str, second: str) -> Meeting | None:
        """The games of two players, from the view of the one that the event names first; None if there are none."""
        return self.meetings.get(frozenset((first, second)))

    def _meeting(self, key: GameKey) -> Meeting:
        both = frozenset((key.first, key.second))
        if both not in self.meetings:
            self.meetings[both] = Meeting(*sorted((key.first, key.second), key=self.names.index))
        return self.meetings[both]


def _contest_points(entry: GameEntry, side: int, outcome: int) -> float:
    """Own stones and the bonus; a failed program has nothing, whatever random moves made of its game."""
    if side in entry.failed_sides:
        return 0.0
    own = 0 if entry.counts is None else entry.counts[side]
    return float(own) + (WIN_BONUS if outcome > 0 else TIE_BONUS if outcome == 0 else 0)
