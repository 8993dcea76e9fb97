"""Before a match: how many games it will take to find a difference, and how long they will last.

The numbers of games are those of a normal approximation, in normalized Elo, which does not depend on how drawish the
games are. The time of a game is measured on a few quick games of our own search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter

from evalsmith.arena.play.openings import random_openings
from evalsmith.arena.statistics.elo import NELO_UNIT, Z95
from evalsmith.arena.statistics.sprt import wald_bounds
from evalsmith.engine import Limit, play_game, prepare
from evalsmith.games import Game
from evalsmith.players import parse_player
from evalsmith.players.limit import play_limit
from evalsmith.run import InputError, derive
from evalsmith.run.tables import TextTable

SAMPLE_GAMES = 6
SAMPLE_NODES = 200
_POWER_80 = 0.841621  # of the normal distribution
# The part of a clock that programs use in a typical game.
_CLOCK_USED = 0.9


@dataclass(frozen=True)
class Plan:
    """Games for an SPRT of 0 against ``elo`` (normalized; α = β = 5 %), for fixed numbers of games, and hours.

    ``sprt_if_true`` and ``sprt_if_equal`` are the mean lengths where one of the hypotheses holds, ``sprt_worst``
    halfway between them. ``fixed_detect`` finds the difference four times of five at p < 0.05; ``fixed_error`` gives it
    an error of half its size.
    """

    elo: float
    sprt_if_true: int
    sprt_if_equal: int
    sprt_worst: int
    fixed_detect: int
    fixed_error: int
    plies: float
    seconds_per_game: float
    concurrency: int
    limit: str

    def hours(self, games: int) -> float:
        """How long that number of games takes."""
        return games * self.seconds_per_game / self.concurrency / 3600

    def table(self) -> TextTable:
        """What the plan asks for, and what it assumes."""
        elo = f"{self.elo:g}"
        rows = (
            (f"SPRT 0,{elo}: mean, if the difference is {elo}", self.sprt_if_true),
            (f"SPRT 0,{elo}: mean, if there is none", self.sprt_if_equal),
            (f"SPRT 0,{elo}: mean, at worst", self.sprt_worst),
            (f"fixed number: {elo} Elo found 4 times of 5 (p < 0.05)", self.fixed_detect),
            (f"fixed number: a figure of {elo} ± {self.elo / 2:g}", self.fixed_error),
        )
        return TextTable(
            ("to find", "games", "hours"),
            tuple((what, games, self.hours(games)) for what, games in rows),
            (
                f"A game has about {self.plies:.0f} plies and takes {self.seconds_per_game:.2g} s at {self.limit}; "
                f"{self.concurrency} at once.",
                "Elo is normalized (in standard deviations of a game); "
                "if half of the games are drawn, logistic Elo is about 0.7 of it.",
            ),
        )


def make_plan(game: Game, limit: Limit, elo: float, concurrency: int, seed: int) -> Plan:
    """The plan for finding ``elo`` normalized Elo."""
    if not 0.1 <= elo <= 200:
        raise InputError(f"elo must be from 0.1 to 200, not {elo:g}")
    effect = elo / NELO_UNIT
    low, high = wald_bounds(0.05, 0.05)
    # Each game moves the LLR by effect²/2 on average under H1, with variance effect².
    if_true = (0.95 * high + 0.05 * low) / (effect * effect / 2)
    if_equal = (0.05 * high + 0.95 * low) / (-effect * effect / 2)
    worst = -low * high / (effect * effect)
    plies, rate = _sample(game, seed)
    return Plan(
        elo,
        _even(if_true),
        _even(if_equal),
        _even(worst),
        _even(((Z95 + _POWER_80) / effect) ** 2),
        _even((Z95 / (effect / 2)) ** 2),
        plies,
        _seconds(limit, plies, rate, game.players),
        concurrency,
        str(limit),
    )


def _even(games: float) -> int:
    return 2 * math.ceil(games / 2)


def _sample(game: Game, seed: int) -> tuple[float, float]:
    """Mean plies of a game, and nodes a second of our search."""
    player = parse_player("self", game)
    limit = Limit(nodes=SAMPLE_NODES)
    searcher = player.searcher(limit, 0)
    prepare(searcher, limit, derive(seed, "plan"))
    openings = random_openings(game, SAMPLE_GAMES, 4, seed, all_found=False)
    play_game(game, searcher, searcher, openings[0][0])  # loads the kernels
    plies = nodes = 0
    began = perf_counter()
    for position, moves in openings:
        prepare(searcher, limit, derive(seed, "plan"))
        played = play_game(game, searcher, searcher, position)
        plies += len(moves) + len(played.moves)
        nodes += sum(side.nodes for side in played.sides)
    return plies / len(openings), nodes / max(perf_counter() - began, 1e-9)


def _seconds(limit: Limit, plies: float, rate: float, players: int) -> float:
    """The seconds of a game; the shortest of what each limit allows."""
    chosen = play_limit(limit)
    boards = 3 - players  # alone, each player has a board of its own
    found = []
    if chosen.nodes is not None:
        found.append(boards * plies * chosen.nodes / rate)
    if chosen.seconds is not None:
        found.append(boards * plies * chosen.seconds)
    if chosen.budget is not None:
        found.append(2 * chosen.budget * _CLOCK_USED)
    elif chosen.timed:
        controls = plies / 2 / chosen.control_moves if chosen.control_moves else 1.0
        base = (chosen.base or 0.0) * max(1.0, controls)
        found.append(2 * base * _CLOCK_USED + boards * plies * (chosen.increment + chosen.byoyomi))
    if not found:
        raise InputError("the duration of a game at a fixed depth is unknown; plan with a clock, a movetime or nodes")
    return min(found)
