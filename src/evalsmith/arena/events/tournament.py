"""An event of any format: play what is missing, and sum it up.

RUN/
  config.toml   who played, how, from which openings
  games.jsonl   one line a finished game, appended and flushed
  logs/         what programs wrote to standard error
  result.json   the table
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.arena.events.config import EventConfig
from evalsmith.arena.events.formats import Format, knockout_winner
from evalsmith.arena.events.runner import check_openings, play_event
from evalsmith.arena.play.load import overload
from evalsmith.arena.play.openings import make_openings
from evalsmith.arena.play.workers import Setting
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.log import GAMES, RESULT, read_log
from evalsmith.arena.results.standings import Standings, standings
from evalsmith.games import Game
from evalsmith.players import Player
from evalsmith.run import InputError, Progress, RunFolder, read_config, write_json

_LOOK_EVERY = 0.5  # seconds between tables that are shown on the way


@dataclass(frozen=True)
class TournamentResult:
    """A finished event: its table, the winner of a knockout, and what speaks against its times."""

    standings: Standings
    winner: str | None
    overload: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith tournament --json``."""
        return {**self.standings.to_json(), "winner": self.winner, "overload": list(self.overload)}


def play_tournament(
    game: Game,
    players: tuple[Player, ...],
    config: EventConfig,
    run: RunFolder,
    *,
    concurrency: int | None = None,
    progress: Progress | None = None,
    watch: Callable[[Standings], None] | None = None,
    pin: bool = True,
) -> TournamentResult:
    """Play the games that are not yet played; ``watch`` sees the table after each."""
    names = [player.name for player in players]
    form, contest = config.form, config.by_contest(game)
    form.check(names)
    setting = Setting(game, players, config.limit, config.rules(game), config.seed, run.path / "logs")
    count = form.openings(len(names)) * (1 if game.players == 2 else 2)
    openings = make_openings(game, count, config.openings, config.seed)
    check_openings(setting, openings)

    shown = 0.0

    def look(games: dict[GameKey, GameEntry]) -> None:
        nonlocal shown
        if watch is not None and time.monotonic() - shown > _LOOK_EVERY:
            watch(standings(names, games, contest, form))
            shown = time.monotonic()

    games = play_event(setting, form, openings, run, concurrency=concurrency, progress=progress, watch=look, pin=pin)
    result = _result(names, form, games, contest, concurrency if setting.timed else None, setting.timed)
    write_json(run.path / RESULT, {**result.to_json(), "game": game.name, "unit": game.unit, "format": config.format})
    return result


def _result(
    names: list[str],
    form: Format,
    games: dict[GameKey, GameEntry],
    contest: bool,
    concurrency: int | None,
    timed: bool,
) -> TournamentResult:
    winner = knockout_winner(form, names, games) if form.kind == "knockout" else None
    busy = tuple(overload(games.values(), concurrency)) if timed else ()
    return TournamentResult(standings(names, games, contest, form), winner, busy)


def read_tournament(path: Path) -> tuple[Standings, dict[GameKey, GameEntry]]:
    """The table and the games of a run folder, finished or not."""
    config = read_config(path)
    names = config.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{path} is not the run of a match or a tournament: it names no players")
    games = read_log(path / GAMES)
    return standings(names, games, config.get("points") == "contest", _form(config)), games


def _form(config: dict[str, Any]) -> Format:
    """The format of a run folder's event."""
    numbers = (config.get("games", 1), config.get("rounds", 0), config.get("challengers", 1))
    if not all(isinstance(number, int) for number in numbers):
        raise InputError(f"games, rounds and challengers of an event are whole numbers, not {numbers}")
    return Format(str(config.get("format", "match")), (numbers[0] + 1) // 2, numbers[1], numbers[2])


def read_winner(path: Path, games: dict[GameKey, GameEntry]) -> str | None:
    """Who has won the knockout of a run folder; None of other events, and while that is open."""
    config = read_config(path)
    if config.get("format") != "knockout":
        return None
    return knockout_winner(_form(config), list(config["names"]), games)


def lost_games(games: dict[GameKey, GameEntry], player: str, opponent: str | None = None) -> list[GameEntry]:
    """The games that a player lost, to one opponent or to any, by opponent."""
    known = {name for key in games for name in (key.first, key.second)}
    for name in (player, opponent):
        if name is not None and name not in known:
            raise InputError(f"no player is called {name!r}; there are {', '.join(sorted(known)) or 'none'}")
    found = []
    for key, entry in sorted(games.items()):
        if player not in key.sides or (opponent is not None and opponent not in key.sides):
            continue
        if entry.value_for(player) < 0 or entry.sides.index(player) in entry.failed_sides:
            found.append(entry)
    return sorted(found, key=lambda entry: entry.sides[1 - entry.sides.index(player)])
