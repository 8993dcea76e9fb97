"""Which games of a log count: asked by every summary, table and page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.played import Played
from evalsmith.arena.results.tally import Meeting, Tally
from evalsmith.arena.statistics.sequential import SequentialTest, SprtConfig
from evalsmith.games import Game


@dataclass(frozen=True)
class CountedGames:
    """The games between some players that count: each of them once, and none after a sequential test was decided.

    ``entries`` are read again whenever they are asked for, so that nobody holds them.
    """

    entries: Iterable[GameEntry]
    names: tuple[str, ...]
    test: SprtConfig | None = None

    def __iter__(self) -> Iterator[GameEntry]:
        return _Counting(self.names, self.test).of(self.entries)

    def tally(self, game: Game | None = None) -> Tally:
        """What they come to; ``game`` is needed to group the boards of games for one player."""
        counting, tally = _Counting(self.names, self.test), Tally(self.names, game)
        for entry in counting.of(self.entries):
            tally.add(entry)
        tally.sprt = counting.test.state
        return tally

    def meeting(self, first: str, second: str) -> Meeting:
        """What those of two players come to, from the view of the first."""
        meeting = Meeting(first, second)
        for entry in self:
            if {entry.key.first, entry.key.second} == {first, second}:
                meeting.add(entry)
        return meeting


class _Counting:
    """Picks the games that count as they are read.

    A sequential test takes pairs in their order, so under one a game waits until its pair is taken; those that were
    played beyond the deciding pair never are.
    """

    def __init__(self, names: Sequence[str], test: SprtConfig | None) -> None:
        self.test = SequentialTest(test)
        self._names = names
        self._played = Played()
        self._waiting: dict[tuple[int, int], GameEntry] = {}

    def of(self, entries: Iterable[GameEntry]) -> Iterator[GameEntry]:
        for entry in entries:
            if not self._between(entry.key) or not self._played.add(entry):
                continue
            if self.test.config is None:
                yield entry
            elif not self.test.decided:
                self._waiting[entry.key.pair, entry.key.half] = entry
                yield from self._taken()
        if not self.test.decided:
            yield from (self._waiting[number] for number in sorted(self._waiting))

    def _between(self, key: GameKey) -> bool:
        return key.first in self._names and key.second in self._names

    def _taken(self) -> Iterator[GameEntry]:
        """The games of the pairs that the test takes now."""
        before = self.test.pairs
        values = {number: entry.value_for(self._names[0]) for number, entry in self._waiting.items()}
        self.test.decided_by(values)
        for pair in range(before, self.test.pairs):
            yield self._waiting.pop((pair, 0))
            yield self._waiting.pop((pair, 1))
