"""Which games of a log count, and what they come to in pairs: asked by every summary, table and page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalsmith.arena.play.adjudication import SOLVED
from evalsmith.arena.results.entry import GameEntry, GameKey, sign
from evalsmith.arena.statistics.sequential import SequentialTest, SprtConfig, half_points
from evalsmith.arena.statistics.sprt import Sprt
from evalsmith.games.termination import BY_MATE, BY_REPETITION, BY_RULE, BY_STALEMATE

Games = Mapping[GameKey, GameEntry]
PairCounts = tuple[int, int, int, int, int]

# Ends whose result is the value of the game itself, so that it is a margin where the game has one.
_MEASURED = frozenset({BY_RULE, BY_MATE, BY_STALEMATE, BY_REPETITION, SOLVED})


@dataclass(frozen=True)
class Counted:
    """The games that count, in the order of their names, and the state of the sequential test if there is one."""

    games: dict[GameKey, GameEntry]
    sprt: Sprt | None = None


def counted_games(log: Games, names: tuple[str, ...], test: SprtConfig | None = None) -> Counted:
    """The games between these players; those played after a sequential test had its answer do not count."""
    games = {key: entry for key, entry in sorted(log.items()) if {key.first, key.second} <= set(names)}
    sequential = SequentialTest(test)
    if sequential.decided_by({(key.pair, key.half): entry.value_for(names[0]) for key, entry in games.items()}):
        games = {key: entry for key, entry in games.items() if key.pair < sequential.pairs}
    return Counted(games, sequential.state)


def pair_points(games: Games, first: str) -> list[int]:
    """The half points, 0 to 4, that a player took from each complete pair of its games, in the order of the pairs."""
    return [half_points(one.value_for(first), other.value_for(first)) for one, other in _pairs(games, first)]


def clean_games(games: Games) -> dict[GameKey, GameEntry]:
    """The games of pairs in which nobody failed."""
    failed = {key._replace(half=0) for key, entry in games.items() if entry.failed}
    return {key: entry for key, entry in games.items() if key._replace(half=0) not in failed}


def pair_counts(points: list[int]) -> PairCounts:
    """How many pairs came to 0, 1, 2, 3 and 4 half points."""
    return points.count(0), points.count(1), points.count(2), points.count(3), points.count(4)


def game_counts(games: Games, first: str) -> tuple[int, int, int]:
    """How many of its games a player lost, drew and won."""
    outcomes = [sign(entry.value_for(first)) for entry in games.values() if first in entry.sides]
    return outcomes.count(-1), outcomes.count(0), outcomes.count(1)


def pair_margins(games: Games, first: str) -> tuple[float, ...]:
    """A player's mean margin in each complete pair whose two games both have one."""
    return tuple(
        (one.value_for(first) + other.value_for(first)) / 2
        for one, other in _pairs(games, first)
        if has_margin(one) and has_margin(other)
    )


def has_margin(entry: GameEntry) -> bool:
    """Whether the result of a game is a margin: it was played to an end that has one, and nobody failed."""
    measured = entry.margin is not None or entry.termination in _MEASURED
    return measured and not entry.failed


def _pairs(games: Games, player: str) -> list[tuple[GameEntry, GameEntry]]:
    """The complete pairs that a player took part in."""
    return [
        (entry, games[other])
        for key, entry in sorted(games.items())
        if key.half == 0 and player in entry.sides and (other := key._replace(half=1)) in games
    ]
