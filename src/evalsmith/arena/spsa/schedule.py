"""Which games of an SPSA run come next, with which values, and which results are counted.

Everything follows from the log of finished games, so a run that was killed goes on where it was. A pair in which an
engine crashed, stalled or broke its rules is played again; after TRIES attempts it counts as failed and moves nothing.
A loss on time is a loss: parameters may be about time.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field

from evalsmith.arena.play.workers import PairOptions
from evalsmith.arena.results.entry import GameEntry, GameKey, sign
from evalsmith.arena.spsa.course import Course
from evalsmith.processes.failure import TIME
from evalsmith.run import EvalsmithError

PLUS, MINUS = "plus", "minus"
TRIES = 3
GIVE_UP = 10
"""Pairs that fail one after another before the run ends: then it is not chance."""


@dataclass(frozen=True)
class FailedPair:
    """A pair in which an engine failed: which side, why, and its values; ``settled`` if it is not played again."""

    pair: int
    side: str
    reason: str
    detail: str
    values: tuple[str, ...]
    settled: bool

    def __str__(self) -> str:
        what = f"{self.reason}: {self.detail}" if self.detail else self.reason
        return f"pair {self.pair}: {self.side} failed ({what}) with {', '.join(self.values)}"


@dataclass
class _Pair:
    """A pair that is being played."""

    attempt: int = 0
    games: dict[int, GameEntry] = field(default_factory=dict)
    score: int | None = None


class Schedule:
    """Gives out games and takes results; ``logged`` are the games that were played before."""

    def __init__(self, course: Course, logged: Mapping[GameKey, GameEntry]) -> None:
        self.course = course
        self.failures: list[FailedPair] = []
        self._logged = dict(logged)
        self._pairs: dict[int, _Pair] = {}
        self._waiting: list[tuple[int, int, int]] = []  # pair, attempt, half
        self._in_a_row = 0
        self._opened = 0
        self._advance()
        self._logged.clear()
        self._in_a_row = 0

    @property
    def complete(self) -> bool:
        """Whether all iterations are counted."""
        return self.course.counted == self.course.iterations

    def next(self) -> GameKey | None:
        """The next game, or None where none can begin now."""
        if not self._waiting:
            return None
        pair, attempt, half = heapq.heappop(self._waiting)
        return GameKey(attempt, PLUS, MINUS, pair, half)

    def finish(self, key: GameKey, entry: GameEntry) -> int:
        """Take the result of a game; how many iterations can be counted now."""
        before = self.course.counted
        self._take(key, entry)
        self._advance()
        if self._in_a_row >= GIVE_UP:
            raise EvalsmithError(
                f"{GIVE_UP} pairs failed one after another, each of them {TRIES} times; {self.failures[-1]}"
            )
        return self.course.counted - before

    def options_of(self, key: GameKey) -> PairOptions:
        """What each side of a game plays with."""
        return self._options(key.pair)

    def _options(self, pair: int) -> PairOptions:
        parameters, probe = self.course.parameters, self.course.probes[pair // self.course.pairs]
        plus, minus = (
            tuple((parameter.name, parameter.text(value)) for parameter, value in zip(parameters, values, strict=True))
            for values in (probe.plus, probe.minus)
        )
        return plus, minus

    def _advance(self) -> None:
        """Begin the iterations that may begin, and count those that are done, in their order."""
        course = self.course
        while True:
            while self._opened < min(course.counted + course.ahead + 1, course.iterations):
                for pair in self._pairs_of(self._opened):
                    self._pairs[pair] = _Pair()
                    self._want(pair)
                self._opened += 1
            if self.complete:
                return
            pairs = self._pairs_of(course.counted)
            scores = [self._pairs[pair].score for pair in pairs]
            if None in scores:
                return
            course.count(sum(score for score in scores if score is not None))
            for pair in pairs:
                del self._pairs[pair]

    def _pairs_of(self, iteration: int) -> range:
        return range(iteration * self.course.pairs, (iteration + 1) * self.course.pairs)

    def _want(self, pair: int) -> None:
        """Ask for both games of a pair, unless they are in the log."""
        attempt = self._pairs[pair].attempt
        for half in (0, 1):
            key = GameKey(attempt, PLUS, MINUS, pair, half)
            if key in self._logged:
                self._take(key, self._logged[key])
            else:
                heapq.heappush(self._waiting, (pair, attempt, half))

    def _take(self, key: GameKey, entry: GameEntry) -> None:
        pair = self._pairs[key.pair]
        pair.games[key.half] = entry
        if len(pair.games) < 2:
            return
        broken = [(one, game) for game in pair.games.values() for one in game.failed if one.reason != TIME]
        if not broken:
            pair.score = sum(sign(game.value_for(PLUS)) for game in pair.games.values())
            self._in_a_row = 0
            return
        settled = pair.attempt + 1 == TRIES
        for one, game in broken:
            name = game.sides[one.side]
            values = self._options(key.pair)[(PLUS, MINUS).index(name)]
            shown = tuple(f"{option}={value}" for option, value in values)
            self.failures.append(FailedPair(key.pair, name, one.reason, one.detail, shown, settled))
        if settled:
            pair.score = 0
            self._in_a_row += 1
            return
        pair.attempt, pair.games = pair.attempt + 1, {}
        self._want(key.pair)
