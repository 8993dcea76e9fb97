"""A match: two players, pairs of games from the same openings with the sides swapped.

    RUN/
      config.toml   who played, under which limit, from which openings
      games.jsonl   one line a finished game, appended and flushed
      result.json   the summary

A game is named by its pair and its half, so a match that was killed goes on with the games that are missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evalsmith.arena.events.formats import Format
from evalsmith.arena.events.runner import check_openings, play_event
from evalsmith.arena.play.openings import OpeningConfig, make_openings
from evalsmith.arena.play.referee import Rules
from evalsmith.arena.play.workers import Setting
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.log import GAMES, RESULT
from evalsmith.arena.results.summary import MatchResult, summarise
from evalsmith.arena.statistics.sequential import SequentialTest, SprtConfig
from evalsmith.games import Game
from evalsmith.players import Player
from evalsmith.run import DEFAULT_SEED, InputError, Progress, RunFolder, write_json
from evalsmith.search import Limit

__all__ = ["GAMES", "RESULT", "MatchConfig", "MatchResult", "play_match"]


@dataclass(frozen=True)
class MatchConfig:
    """How a match is played. ``games`` is rounded up to whole pairs, and the most where an SPRT may end it.

    ``openings`` replaces the random plies where it is given.
    """

    games: int = 200
    limit: Limit = field(default_factory=lambda: Limit(nodes=1000))
    random_plies: int = 8
    seed: int = DEFAULT_SEED
    sprt: SprtConfig | None = None
    rules: Rules = field(default_factory=Rules)
    openings: OpeningConfig | None = None
    pin: bool = True

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InputError(f"the number of games must be above 0, not {self.games}")
        if self.random_plies < 0:
            raise InputError(f"the number of random plies must not be negative, but it is {self.random_plies}")

    @property
    def pairs(self) -> int:
        """How many openings are played."""
        return (self.games + 1) // 2


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
    if players[0].name == players[1].name:
        raise InputError(f"both players are called {players[0].name!r}; give one a name with ;name=…")
    names = (players[0].name, players[1].name)
    setting = Setting(game, players, config.limit, config.rules, config.seed, run.path / "logs")
    each = 1 if game.players == 2 else 2
    wanted = config.openings or OpeningConfig(config.random_plies)
    openings = make_openings(game, each * config.pairs, wanted, config.seed)
    check_openings(setting, openings)
    test = SequentialTest(config.sprt)

    values: dict[tuple[int, int], int] = {}

    def decided(key: GameKey, entry: GameEntry) -> bool:
        values[key.pair, key.half] = entry.value_for(key.first)
        return test.decided_by(values)

    play_event(
        setting,
        Format("match", config.pairs),
        openings,
        run,
        concurrency=concurrency,
        progress=progress,
        decided=decided,
        pin=config.pin,
    )
    result = summarise(game, run.path, names, config.sprt, concurrency, setting.timed)
    write_json(
        run.path / RESULT, {**result.to_json(), "game": game.name, "unit": game.unit, "verdict": result.verdict()}
    )
    return result
