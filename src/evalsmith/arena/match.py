"""A match: two players, pairs of games from the same openings with the sides swapped.

    RUN/
      config.toml   who played, under which limit, from which openings
      games.jsonl   one line a finished game, appended and flushed
      result.json   the summary

A game is named by its pair and its half, so a match that was killed goes on with the games that are missing.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evalsmith.arena.openings import random_openings
from evalsmith.arena.sprt import Sprt, sprt
from evalsmith.arena.statistics import Summary, pentanomial
from evalsmith.games import Game
from evalsmith.players import Player
from evalsmith.run import (
    DEFAULT_SEED,
    InputError,
    Interrupted,
    Progress,
    RunFolder,
    Silent,
    append_json,
    derive,
    read_json_lines,
    write_json,
)
from evalsmith.scale import cores, on_threads
from evalsmith.search import Limit, PlayedGame, Searcher, play_game

GAMES = "games.jsonl"
RESULT = "result.json"


@dataclass(frozen=True)
class SprtConfig:
    """A sequential test between two hypotheses, in normalized Elo of the first player."""

    elo0: float
    elo1: float


def parse_sprt(text: str) -> SprtConfig:
    """``0,5``: the test of 0 against 5 Elo."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--sprt takes two numbers such as 0,5, not {text!r}") from None
    if low >= high:
        raise InputError(f"--sprt: the first Elo must be below the second, not {text!r}")
    return SprtConfig(low, high)


@dataclass(frozen=True)
class MatchConfig:
    """How a match is played. ``games`` is rounded up to whole pairs, and the most where an SPRT may end it."""

    games: int = 200
    limit: Limit = field(default_factory=lambda: Limit(nodes=1000))
    random_plies: int = 8
    seed: int = DEFAULT_SEED
    sprt: SprtConfig | None = None

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InputError(f"the number of games must be above 0, not {self.games}")
        if self.random_plies < 0:
            raise InputError(f"the number of random plies must not be negative, but it is {self.random_plies}")

    @property
    def pairs(self) -> int:
        """How many openings are played."""
        return (self.games + 1) // 2


@dataclass(frozen=True)
class Score:
    """How one player fared. Times are seconds a game."""

    name: str
    points: float
    won: int
    tied: int
    lost: int
    fail: int
    time_avg: float
    time_max: float


@dataclass(frozen=True)
class MatchResult:
    """A finished match, for the first player: the counts, and what may be concluded from them."""

    players: tuple[Score, Score]
    counts: tuple[int, int, int, int, int]
    margin: float
    margin_error: float
    summary: Summary
    reasons: dict[str, int]
    games: int
    sprt: Sprt | None = None

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith match --json``."""
        return {
            "players": [asdict(score) for score in self.players],
            "pentanomial": list(self.counts),
            "elo": self.summary.elo,
            "elo_error": self.summary.elo_error,
            "nelo": self.summary.nelo,
            "nelo_error": self.summary.nelo_error,
            "los": self.summary.los,
            "p_value": self.summary.p_value,
            "sprt": asdict(self.sprt) if self.sprt else None,
            "margin": self.margin,
            "margin_error": self.margin_error,
            "reasons": self.reasons,
            "games": self.games,
        }

    def verdict(self) -> str:
        """One sentence that never calls noise an improvement."""
        first, second = (score.name for score in self.players)
        elo, error = self.summary.elo, self.summary.elo_error
        if abs(elo) <= error:
            return f"{first} and {second} cannot be told apart ({elo:+.0f} ± {error:.0f} Elo over {self.games} games)."
        better, worse = (first, second) if elo > 0 else (second, first)
        return f"{better} is stronger than {worse} by {abs(elo):.0f} ± {error:.0f} Elo over {self.games} games."


def play_match(
    game: Game,
    players: tuple[Player, Player],
    config: MatchConfig,
    run: RunFolder,
    *,
    concurrency: int | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play the games of a match that are not yet played, and sum it up."""
    progress = progress or Silent()
    if game.players != 2:
        raise InputError(f"{game.name} is played alone; a match needs a game for two")
    if players[0].name == players[1].name:
        raise InputError(f"both players are called {players[0].name!r}; give one a name with ;name=…")
    path = run.path / GAMES
    done = {(entry["pair"], entry["half"]) for entry in read_json_lines(path)}
    openings = random_openings(game, config.pairs, config.random_plies, config.seed)
    waiting = [(pair, half) for pair in range(config.pairs) for half in (0, 1) if (pair, half) not in done]
    progress.advance(2 * config.pairs - len(waiting))
    local = threading.local()
    active: list[Searcher] = []
    gate = threading.Lock()

    def work(task: tuple[int, int]) -> None:
        pair, half = task
        if not hasattr(local, "searchers"):
            local.searchers = [player.searcher(config.limit, 0) for player in players]
            active.extend(local.searchers)
        for number, player in enumerate(players):
            prepare_again(
                local.searchers[number], player, config.limit, derive(config.seed, "player", pair, half, number)
            )
        start, moves = openings[pair]
        first, second = local.searchers[half], local.searchers[1 - half]
        played = play_game(game, first, second, start)
        if played.stopped:
            raise KeyboardInterrupt
        with gate:
            append_json(path, _entry(game, pair, half, players, moves, played))
        progress.advance()

    def stop() -> None:
        for searcher in active:
            searcher.stop()

    names = (players[0].name, players[1].name)
    try:
        if _undecided(game, run.path, names, config):
            for task, _ in on_threads(work, waiting, concurrency or cores(), stop):
                if task[1] == 1 and not _undecided(game, run.path, names, config):
                    break
    except KeyboardInterrupt:
        kept = len({(entry["pair"], entry["half"]) for entry in read_json_lines(path)})
        raise Interrupted(
            f"kept {kept} of {2 * config.pairs} games in {run.path}; the same command goes on from there"
        ) from None
    result = summarise(game, run.path, names, config.sprt)
    write_json(
        run.path / RESULT, {**result.to_json(), "game": game.name, "unit": game.unit, "verdict": result.verdict()}
    )
    return result


def _undecided(game: Game, path: Path, names: tuple[str, str], config: MatchConfig) -> bool:
    """Whether the match has to go on: always, unless a sequential test has its answer."""
    if config.sprt is None:
        return True
    state = summarise(game, path, names, config.sprt).sprt
    return state is None or state.state == "running"


def prepare_again(searcher: Searcher, player: Player, limit: Limit, seed: int) -> None:
    """Set a searcher for the next game, so that a game does not depend on those before it."""
    from evalsmith.search import prepare

    prepare(searcher, player.limit or limit, seed, random=player.random)


def _entry(
    game: Game, pair: int, half: int, players: tuple[Player, Player], moves: list[int], played: PlayedGame
) -> dict[str, Any]:
    """A finished game as it is kept; player 0 has side 0 in the first half."""
    return {
        "pair": pair,
        "half": half,
        "sides": [players[half].name, players[1 - half].name],
        "opening": moves,
        "moves": list(played.moves),
        "result": played.result,
        "reason": played.reason,
        "seconds": [round(side.seconds, 6) for side in played.sides],
        "longest": [round(side.longest, 6) for side in played.sides],
        "nodes": [side.nodes for side in played.sides],
    }


def summarise(game: Game, path: Path, names: tuple[str, str], test: SprtConfig | None = None) -> MatchResult:
    """The result of the games of a run folder, half pairs left out of the pair counts."""
    games = {(entry["pair"], entry["half"]): entry for entry in read_json_lines(path / GAMES)}
    values: dict[tuple[int, int], int] = {}
    times: tuple[list[float], list[float]] = ([], [])
    for key, entry in sorted(games.items()):
        side = key[1]  # the side that player 0 had
        values[key] = entry["result"] if side == 0 else -entry["result"]
        times[0].append(entry["seconds"][side])
        times[1].append(entry["seconds"][1 - side])
    counts = [0, 0, 0, 0, 0]
    margins = []
    for pair in sorted({key[0] for key in values}):
        if (pair, 0) in values and (pair, 1) in values:
            both = (values[pair, 0], values[pair, 1])
            counts[sum(1 + (value > 0) - (value < 0) for value in both)] += 1
            margins.append(sum(both) / 2)
    won, tied, lost = (sum(sign(v) == s for v in values.values()) for s in (1, 0, -1))
    mean = sum(margins) / len(margins) if margins else 0.0
    spread = sum((margin - mean) ** 2 for margin in margins) / max(1, len(margins) - 1)
    points = won + tied / 2
    return MatchResult(
        (
            _score(names[0], points, won, tied, lost, times[0]),
            _score(names[1], len(values) - points, lost, tied, won, times[1]),
        ),
        (counts[0], counts[1], counts[2], counts[3], counts[4]),
        mean,
        1.959964 * (spread / len(margins)) ** 0.5 if margins else 0.0,
        pentanomial(counts),
        dict(Counter(entry["reason"] for entry in games.values())),
        len(values),
        sprt(counts, test.elo0, test.elo1) if test else None,
    )


def sign(value: int) -> int:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)


def _score(name: str, points: float, won: int, tied: int, lost: int, times: list[float]) -> Score:
    average = sum(times) / len(times) if times else 0.0
    return Score(name, points, won, tied, lost, 0, round(average, 6), round(max(times, default=0.0), 6))
