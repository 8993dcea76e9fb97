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
from evalsmith.arena.statistics import Summary, binomial_p_value, pentanomial
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
    if not low < high:  # also where one is not a number at all
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
            "p_value": self.p_value,
            "sprt": asdict(self.sprt) if self.sprt else None,
            "margin": self.margin,
            "margin_error": self.margin_error,
            "reasons": self.reasons,
            "games": self.games,
        }

    @property
    def p_value(self) -> float:
        """How often equal players would differ so much: the larger of the normal value and an exact sign test on pairs.

        A few pairs that all ended alike have no variance, and the normal value alone would call that a proof.
        """
        lost, won = sum(self.counts[:2]), sum(self.counts[3:])
        return max(self.summary.p_value, binomial_p_value(won, lost))

    @property
    def proven(self) -> bool:
        """Whether the difference is more than chance: beyond its 95 % interval, and p below 0.05."""
        return abs(self.summary.elo) > self.summary.elo_error and self.p_value < 0.05

    def verdict(self) -> str:
        """One sentence that never calls noise an improvement."""
        first, second = (score.name for score in self.players)
        elo, error = self.summary.elo, self.summary.elo_error
        if not self.proven:
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
    values = _values(read_games(path))
    openings = random_openings(game, config.pairs, config.random_plies, config.seed)
    waiting = [(pair, half) for pair in range(config.pairs) for half in (0, 1) if (pair, half) not in values]
    progress.advance(2 * config.pairs - len(waiting))
    local = threading.local()
    active: list[Searcher] = []
    gate = threading.Lock()
    stopping = threading.Event()

    def work(task: tuple[int, int]) -> int:
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
        # To prepare a searcher also takes back a stop that came between two games.
        played = None if stopping.is_set() else play_game(game, first, second, start)
        if played is None or played.stopped:
            raise KeyboardInterrupt
        with gate:
            append_json(path, _entry(game, pair, half, players, moves, played))
        progress.advance()
        return played.result if half == 0 else -played.result

    def stop() -> None:
        stopping.set()
        for searcher in active:
            searcher.stop()

    test = SequentialTest(config.sprt)
    try:
        if not test.decided_by(values):
            for task, value in on_threads(work, waiting, concurrency or cores(), stop):
                values[task] = value
                if test.decided_by(values):
                    break
    except KeyboardInterrupt:
        raise Interrupted(
            f"kept {len(read_games(path))} of {2 * config.pairs} games in {run.path}; "
            "the same command goes on from there"
        ) from None
    result = summarise(game, run.path, (players[0].name, players[1].name), config.sprt)
    write_json(
        run.path / RESULT, {**result.to_json(), "game": game.name, "unit": game.unit, "verdict": result.verdict()}
    )
    return result


class SequentialTest:
    """Takes the pairs of a match in their order until they decide.

    So the answer, and the games that it rests on, do not depend on which games happen to end first.
    """

    def __init__(self, config: SprtConfig | None) -> None:
        self.config = config
        self.pairs = 0
        self.counts = [0, 0, 0, 0, 0]
        self.state = sprt(self.counts, config.elo0, config.elo1) if config else None

    def decided_by(self, values: dict[tuple[int, int], int]) -> bool:
        """Take the pairs that can be taken; whether the match may end. Never, where there is no test."""
        if self.config is None:
            return False
        while not self.decided and (self.pairs, 0) in values and (self.pairs, 1) in values:
            self.counts[_points(values[self.pairs, 0], values[self.pairs, 1])] += 1
            self.pairs += 1
            self.state = sprt(self.counts, self.config.elo0, self.config.elo1)
        return self.decided

    @property
    def decided(self) -> bool:
        """Whether one of the hypotheses was accepted."""
        return self.state is not None and self.state.state != "running"


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


def read_games(path: Path) -> dict[tuple[int, int], dict[str, Any]]:
    """The finished games by pair and half."""
    games = {(entry["pair"], entry["half"]): entry for entry in read_json_lines(path) if _is_game(entry)}
    return dict(sorted(games.items()))


def _is_game(entry: dict[str, Any]) -> bool:
    """Whether a line of the log is a game; what else may stand there is passed over, and the game is played again."""
    numbers = (entry.get("pair"), entry.get("half"), entry.get("result"))
    lists = (entry.get("seconds"), entry.get("sides"))
    return (
        all(isinstance(number, int) for number in numbers)
        and entry["pair"] >= 0
        and entry["half"] in (0, 1)
        and all(isinstance(part, list) for part in lists)
        and len(entry["seconds"]) == len(entry["sides"]) == 2
        and isinstance(entry.get("reason"), str)
    )


def _values(games: dict[tuple[int, int], dict[str, Any]]) -> dict[tuple[int, int], int]:
    """The results for the first player, who has side 1 in the second half of a pair."""
    return {key: entry["result"] if key[1] == 0 else -entry["result"] for key, entry in games.items()}


def _points(first: int, second: int) -> int:
    """The half points of a pair, 0 to 4."""
    return 2 + sign(first) + sign(second)


def summarise(game: Game, path: Path, names: tuple[str, str], test: SprtConfig | None = None) -> MatchResult:
    """The result of the games of a run folder, half pairs left out of the pair counts.

    Games that were played after a sequential test had its answer do not count.
    """
    games = read_games(path / GAMES)
    sequential = SequentialTest(test)
    if sequential.decided_by(_values(games)):
        games = {key: entry for key, entry in games.items() if key[0] < sequential.pairs}
    values = _values(games)
    times: tuple[list[float], list[float]] = ([], [])
    for (_, side), entry in games.items():  # player 0 has side 0 in the first half
        times[0].append(entry["seconds"][side])
        times[1].append(entry["seconds"][1 - side])
    counts = [0, 0, 0, 0, 0]
    margins = []
    for pair in sorted({key[0] for key in values}):
        if (pair, 0) in values and (pair, 1) in values:
            both = (values[pair, 0], values[pair, 1])
            counts[_points(*both)] += 1
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
        sequential.state,
    )


def sign(value: int) -> int:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)


def _score(name: str, points: float, won: int, tied: int, lost: int, times: list[float]) -> Score:
    average = sum(times) / len(times) if times else 0.0
    return Score(name, points, won, tied, lost, 0, round(average, 6), round(max(times, default=0.0), 6))
