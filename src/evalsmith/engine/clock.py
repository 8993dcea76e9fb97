"""How long to think about a move, given what is left of the time for the game."""

from __future__ import annotations

from dataclasses import dataclass

OVERHEAD = 0.03  # seconds held back for each move for the way to and from whoever holds the clock
DEFAULT_MOVES = 25  # moves that a game is expected to last where nothing is known
_MOVES_AFTER = 20.0  # moves that a budget may still have to cover near its end, whatever is expected


@dataclass(frozen=True)
class Clock:
    """The mover's time in seconds: left, increment a move, moves to the next control, byoyomi a move."""

    left: float
    increment: float = 0.0
    moves_to_go: int | None = None
    byoyomi: float = 0.0


class Lateness:
    """How late searches come after their time is up, as measured: the next ones get that much less.

    A search looks at the clock often enough, but its thread may have to wait for a core, and whoever asked for the move
    waits too. The largest delay of late is kept, and fades.
    """

    _FADES = 0.9
    _TIMES = 2.0  # a delay may be longer than any so far
    _MOST = 0.25  # one that is longer has another cause, and would leave no time to think

    def __init__(self, least: float = OVERHEAD) -> None:
        self.least, self._seen = least, 0.0

    def note(self, given: float | None, taken: float) -> None:
        """A search that had some seconds took others; one that had none, or that ended before, tells nothing."""
        if given is not None:
            self._seen = max(self._FADES * self._seen, min(taken - given, self._MOST))

    def expect(self, delay: float) -> None:
        """Begin with a delay that others saw on this machine."""
        self._seen = max(self._seen, min(delay, self._MOST))

    @property
    def seen(self) -> float:
        """The largest delay of late, in seconds."""
        return self._seen

    @property
    def overhead(self) -> float:
        """Seconds to hold back of every move."""
        return self.least + self._TIMES * self._seen


@dataclass(frozen=True)
class TimeBudget:
    """Seconds for one move: no new iteration is begun after ``soft``, and ``hard`` is never passed.

    Those that are ``free`` are lost if they are not used: the byoyomi, or all the time of a fixed time per move.
    """

    soft: float
    hard: float
    free: float = 0.0

    @classmethod
    def fixed(cls, seconds: float) -> TimeBudget:
        """A time per move, all of which is free."""
        return cls(seconds, seconds, seconds)


def allot(clock: Clock, overhead: float = OVERHEAD) -> TimeBudget:
    """An even share of what is left, with the increment; byoyomi is used up once the main time is gone."""
    moves = clock.moves_to_go or DEFAULT_MOVES
    share = clock.left / max(1, moves) + 0.8 * clock.increment + clock.byoyomi
    whole = clock.left + clock.increment + clock.byoyomi
    available = max(whole - overhead, 0.3 * whole if overhead > OVERHEAD else 0.0)
    # One move may take several shares, but never so much that those to come starve.
    ceiling = min(available, 0.4 * clock.left + 0.8 * clock.increment + clock.byoyomi if moves > 1 else available)
    hard = max(0.001, min(4 * share, ceiling, available))
    free = min(max(0.0, clock.byoyomi - overhead), hard)
    return TimeBudget(soft=max(0.001, min(0.8 * share, hard)), hard=hard, free=free)


@dataclass(frozen=True)
class Budget:
    """A fixed number of seconds per game (contest rules)."""

    left: float


def allot_budget(budget: Budget, moves_left: float, overhead: float = OVERHEAD, delay: float = 0.0) -> TimeBudget:
    """An even share of the budget; at least two moves are always expected, so that it is never spent at once.

    What moves take beyond their time (``delay``) comes out of the same budget, and is held back for all that may come.
    """
    free = max(0.0, budget.left - overhead - delay * max(_MOVES_AFTER, moves_left))
    share = free / max(2.0, moves_left)
    hard = max(0.001, min(2 * share, 0.5 * budget.left, free))
    return TimeBudget(soft=max(0.001, min(0.7 * share, hard)), hard=hard)
