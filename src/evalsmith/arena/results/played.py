"""Which games of an event are finished, and who leads in each meeting: what a runner knows while it plays.

Games are logged in the order of the plan, so a meeting is a number of games from its first on, and a few beyond a gap
where an event was interrupted. That takes the same memory after ten games and after a million; all else about the games
is in the log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from evalsmith.arena.results.entry import GameEntry, GameKey, sign

# Pairs by which a level meeting of a knockout is extended, one after another, before the better seed advances.
EXTRA_PAIRS = 5


class Lead(NamedTuple):
    """By how much the first player of a meeting leads: games won less games lost, and the sum of the results."""

    points: int = 0
    margin: int = 0


_LEVEL = Lead()


@dataclass
class _Meeting:
    """The games of two players in one round. ``finished`` of them, from the first on, are summed up in ``lead``.

    ``ahead`` has the results of those beyond a gap, by number; ``leads`` those after the last complete pairs.
    """

    finished: int = 0
    lead: Lead = _LEVEL
    ahead: dict[int, int] = field(default_factory=dict)
    leads: deque[Lead] = field(default_factory=lambda: deque([_LEVEL], maxlen=EXTRA_PAIRS + 1))

    def __contains__(self, number: int) -> bool:
        return number < self.finished or number in self.ahead

    def add(self, number: int, value: int) -> None:
        self.ahead[number] = value
        while self.finished in self.ahead:
            value = self.ahead.pop(self.finished)
            self.finished += 1
            self.lead = Lead(self.lead.points + sign(value), self.lead.margin + value)
            if self.finished % 2 == 0:
                self.leads.append(self.lead)


class Played:
    """The finished games of an event; a game that comes twice counts once, as it came first."""

    def __init__(self, entries: Iterable[GameEntry] = ()) -> None:
        self._meetings: dict[tuple[int, str, str], _Meeting] = {}
        self._games = 0
        for entry in entries:
            self.add(entry)

    def add(self, entry: GameEntry) -> bool:
        """Count a game; whether it is new."""
        key = entry.key
        if key in self:
            return False
        meeting = self._meetings.setdefault((key.round, key.first, key.second), _Meeting())
        meeting.add(2 * key.pair + key.half, entry.value_for(key.first))
        self._games += 1
        return True

    def __contains__(self, key: GameKey) -> bool:
        meeting = self._meetings.get((key.round, key.first, key.second))
        return meeting is not None and 2 * key.pair + key.half in meeting

    def __len__(self) -> int:
        return self._games

    def lead_after(self, number: int, first: str, second: str, pairs: int) -> Lead | None:
        """How far the first leads after ``pairs`` pairs of a round; None while games of them are missing.

        Known for the last pairs of a meeting only, as many as extend a level one.
        """
        meeting = self._meetings.get((number, first, second))
        if meeting is None:
            return _LEVEL if pairs == 0 else None
        behind = meeting.finished // 2 - pairs
        return None if behind < 0 else meeting.leads[max(0, len(meeting.leads) - 1 - behind)]
