"""What a player may spend on a game: the limits of one move, a clock, or a budget, and the clock as it runs down.

tc=10+0.1        ten seconds, and a tenth more after each move
tc=40/60+0.5     sixty seconds for each forty moves, and half a second more after each
byoyomi=1        a second for each move once the main time is gone
budget=5         five seconds for all moves of a game
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from evalsmith.engine import Limit
from evalsmith.run import InputError

DEFAULT_MARGIN = 0.1  # seconds that a move may come late, for the way through pipe and scheduler
LONGEST_SECONDS = 1_000_000


@dataclass(frozen=True)
class PlayLimit(Limit):
    """The limit of a game. Whoever runs the game keeps a ``GameClock`` for each side where ``timed``.

    ``base`` seconds, ``increment`` after each move, ``base`` again after every ``control_moves``; ``byoyomi`` for each
    move once ``base`` is gone; or a ``budget`` for all moves of a game. ``margin`` is how late a move may be without
    losing the game.
    """

    base: float | None = None
    increment: float = 0.0
    control_moves: int | None = None
    byoyomi: float = 0.0
    budget: float | None = None
    margin: float = DEFAULT_MARGIN

    def __post_init__(self) -> None:
        super().__post_init__()
        times = (("base time", self.base), ("increment", self.increment), ("byoyomi", self.byoyomi))
        for name, value in (*times, ("budget", self.budget), ("margin", self.margin)):
            if value is not None and not 0 <= value <= LONGEST_SECONDS:
                raise InputError(f"the {name} must be from 0 to {LONGEST_SECONDS:,} s, not {value}")
        if self.budget is not None and (self.base is not None or self.increment or self.byoyomi):
            raise InputError("a budget and a clock exclude each other")
        if self.budget == 0 or (self.timed and not self.start + self.increment + self.byoyomi):
            raise InputError("a clock must start with more than 0 s")
        if self.increment and self.base is None:
            raise InputError("an increment needs a base time")
        if self.control_moves is not None and (self.control_moves < 1 or self.base is None):
            raise InputError(f"the moves of a time control must be above 0, not {self.control_moves}")

    @property
    def timed(self) -> bool:
        """Whether a clock runs through the game."""
        return self.base is not None or self.budget is not None or self.byoyomi > 0

    @property
    def start(self) -> float:
        """The seconds on the clock at the start."""
        return self.budget if self.budget is not None else self.base or 0.0

    def __str__(self) -> str:
        parts = [] if Limit(self.depth, self.nodes, self.seconds) == Limit() else [Limit.__str__(self)]
        if self.base is not None:
            moves = f"{self.control_moves}/" if self.control_moves else ""
            parts.append(f"tc {moves}{self.base:g}+{self.increment:g}")
        parts += [f"byoyomi {self.byoyomi:g} s"] if self.byoyomi else []
        parts += [f"budget {self.budget:g} s"] if self.budget is not None else []
        return ", ".join(parts) or "no limit"


def play_limit(limit: Limit) -> PlayLimit:
    """Any limit as the limit of a game."""
    if isinstance(limit, PlayLimit):
        return limit
    return PlayLimit(**{one.name: getattr(limit, one.name) for one in fields(Limit)})


def parse_tc(text: str) -> tuple[float, float, int | None]:
    """Base, increment and moves of ``10+0.1``, ``40/60+0.5`` or ``60``."""
    moves, slash, rest = text.rpartition("/")
    base, plus, increment = rest.partition("+")
    try:
        parsed = float(base), float(increment) if plus else 0.0, int(moves) if slash else None
    except ValueError:
        raise InputError(f"a time control is BASE+INCREMENT or MOVES/BASE+INCREMENT in seconds, not {text!r}") from None
    if not all(math.isfinite(part) and part >= 0 for part in parsed[:2]):
        raise InputError(f"a time control needs times from 0 s on, not {text!r}")
    return parsed


class GameClock:
    """One side's clock in one game; ``left`` is None where the limit has no clock."""

    def __init__(self, limit: Limit) -> None:
        self.limit = play_limit(limit)
        self.left: float | None = self.limit.start if self.limit.timed else None
        self.moves = 0

    def spend(self, seconds: float) -> None:
        """Take the seconds of a move off the clock; a seat has already refused one that was too late."""
        self.moves += 1
        if self.left is None:
            return
        limit = self.limit
        self.left = max(0.0, self.left - seconds) + limit.increment
        if limit.control_moves and limit.base is not None and self.moves % limit.control_moves == 0:
            self.left += limit.base


def moves_to_go(limit: PlayLimit, moves: int) -> int | None:
    """The number of moves to the next time control, after a number of own moves."""
    return limit.control_moves - moves % limit.control_moves if limit.control_moves else None
