"""`match` and `tournament`: play what is missing of an event in its run folder, and give the result.

RUN/
  config.toml   who plays, under which limit, from which openings: other settings are refused here
  games.jsonl   one line per finished game, appended and flushed
  players/      weights that were handed over as objects
  logs/         what programs wrote to standard error
  result.json   the result

A game is named by its players, round, pair and half, so an event that was killed resumes with the games that are
missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from evalsmith.arena.events.entrants import Entrant, PlayerLike, digest, find_entrants
from evalsmith.arena.events.formats import Format
from evalsmith.arena.events.resolving import by_contest, make_format, make_limit, make_rules, make_test, resolve
from evalsmith.arena.events.runner import EventRunner, check_openings
from evalsmith.arena.play.openings import Say, make_openings, silent, stored_openings
from evalsmith.arena.play.workers import Setting
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.live import LiveScore
from evalsmith.arena.results.log import RESULT
from evalsmith.arena.results.match_result import MatchResult
from evalsmith.arena.results.played import Played
from evalsmith.arena.results.reading import StoredEvent
from evalsmith.arena.results.standings import Standings, check_anchors, standings
from evalsmith.arena.results.tally import Tally
from evalsmith.arena.results.tournament_result import TournamentResult
from evalsmith.arena.settings import EventSettings, MatchSettings, TournamentSettings
from evalsmith.arena.statistics.sequential import SequentialTest, SprtConfig
from evalsmith.games import Game, find_game
from evalsmith.run import MismatchError, RunFolder, note, read_config, to_toml, write_json
from evalsmith.run.folder import CONFIG
from evalsmith.run.watching import Watch, unwatched

_SECONDS_BETWEEN_TABLES = 0.5
_PAUSE = 20  # times as long as a table took to make, until the next one


def match(
    game: Game | str,
    player_a: PlayerLike,
    player_b: PlayerLike,
    *,
    output: Path | str | None = None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    say: Say = silent,
    pin: bool = True,
    **settings: Any,
) -> MatchResult:
    """Play a match of paired games, and report what it proves.

        match("othello", "weights:new.json", "hand-set", games=400, nodes=1000).elo

    Args:
        game: the name of an installed game, or the game.
        player_a: the player whose Elo is computed: a text such as ``self;nodes=500``, ``weights:FILE`` or
            ``uci:stockfish``, the path of a weights file, weights, or anything that has weights.
        player_b: its opponent.
        output: the run folder. Default: a name made from the configuration. A folder of another match is refused.
        concurrency: the number of games played at once. Default: one per core.
        progress: shows progress, for instance `evalsmith.run.watching.bars`.
        say: is told if openings had to be repeated, made longer, or taken although they are not balanced.
        pin: pin the programs of each game to one core.
        settings: those of `MatchSettings`, including nested ones: ``games``, ``nodes``, ``tc``, ``sprt``, ``book``, …
    """
    event = _prepare("match", game, (player_a, player_b), MatchSettings.from_options(settings))
    score = LiveScore(SequentialTest(event.test))
    run = event.folder(output)
    timed = event.play(run, progress, say, concurrency=concurrency, pin=pin, score=score)
    stored = event.stored(run)
    tally = stored.tally()
    result = stored.match_result(tally.machines.overload(concurrency) if timed else [], tally)
    write_json(run / RESULT, result.to_json())
    return result


def tournament(
    game: Game | str,
    players: Sequence[PlayerLike] | Mapping[str, str],
    *,
    output: Path | str | None = None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    say: Say = silent,
    pin: bool = True,
    anchors: Mapping[str, float] | None = None,
    **settings: Any,
) -> TournamentResult:
    """Play a tournament, and return its table.

        tournament("dvonn", ["self", "hand-set", "codecup:./champion"], games=10, budget=5)

    ``players`` are as in `match`, or a dictionary of texts by name; ``anchors`` fix ratings by name (default: their
    mean is 0); ``settings`` are those of `TournamentSettings`. If the object from ``progress`` has a method ``show``,
    it is called with the table from time to time.
    """
    event = _prepare("tournament", game, players, TournamentSettings.from_options(settings))
    check_anchors(event.names, anchors)
    run = event.folder(output)
    timed = event.play(run, progress, say, concurrency=concurrency, pin=pin)
    stored = event.stored(run)
    tally = stored.tally()
    result = stored.tournament_result(tally.machines.overload(concurrency) if timed else [], anchors, tally)
    write_json(run / RESULT, result.to_json())
    return result


def _prepare(
    kind: str, game: Game | str, players: Sequence[PlayerLike] | Mapping[str, str], settings: EventSettings
) -> _Event:
    chosen = find_game(game) if isinstance(game, str) else game
    known = players if isinstance(players, Mapping) else None
    entrants = find_entrants(chosen, list(players), known)
    event = _Event(kind, chosen, entrants, resolve(settings, chosen))
    event.form.check(event.names)
    event.settings.adjudication.check(chosen)
    return event


@dataclass(frozen=True)
class _Event:
    """An event with everything resolved."""

    kind: str
    game: Game
    entrants: tuple[Entrant, ...]
    settings: EventSettings

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entrant.player.name for entrant in self.entrants)

    @property
    def test(self) -> SprtConfig | None:
        return make_test(self.settings)

    @property
    def form(self) -> Format:
        return make_format(self.settings)

    @property
    def contest(self) -> bool:
        return by_contest(self.settings, self.game)

    def config(self) -> dict[str, Any]:
        """The configuration that a run folder stores; a change to it is another run."""
        return {
            "kind": self.kind,
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "names": list(self.names),
            "players": [entrant.stored for entrant in self.entrants],
            "files": [digest(entrant.player) for entrant in self.entrants],
            **self.settings.to_table(),
            "openings": stored_openings(self.settings.openings, self.game),
        }

    def folder(self, output: Path | str | None) -> Path:
        """The run folder: the one given, or one named by the configuration."""
        if output is not None:
            return Path(output)
        name = blake2b(to_toml(self.config()).encode(), digest_size=4).hexdigest()
        return Path("runs") / f"{self.form.kind}-{self.game.name}-{name}"

    def stored(self, run: Path) -> StoredEvent:
        """The event as it is read back from its folder."""
        return StoredEvent(run, self.game, self.kind, self.names, self.form, self.contest, self.test)

    def play(
        self,
        folder: Path,
        progress: Watch,
        say: Say,
        *,
        concurrency: int | None,
        pin: bool,
        score: LiveScore | None = None,
    ) -> bool:
        """Play the games that are not yet played; whether a clock ran. ``score`` is that of a match."""
        settings, form, limit = self.settings, self.form, make_limit(self.settings.limit)
        _refuse_older(folder, self.config())
        with RunFolder(folder, self.config()) as run:
            count = form.openings(len(self.names)) * (1 if self.game.players == 2 else 2)
            openings = make_openings(self.game, count, settings.openings, settings.seed, say)
            check_openings([entrant.player for entrant in self.entrants], openings)
            players = tuple(entrant.settle(run.path) for entrant in self.entrants)
            setting = Setting(self.game, players, limit, make_rules(settings), settings.seed, run.path / "logs")
            with progress(form.kind, sum(1 for _ in form.planned(self.names, Played())), "games") as shown:
                runner = EventRunner(setting, form, openings, concurrency, pin)
                if score is not None:
                    runner.play(run, shown, score.add, _seldom(lambda: note(shown, str(score))))
                elif (show := getattr(shown, "show", None)) is not None:
                    table = _LiveTable(self)
                    runner.play(run, shown, table.add, _seldom(lambda: show(table.standings())))
                else:
                    runner.play(run, shown)
        return setting.timed


class _LiveTable:
    """The table of a tournament while it is played."""

    def __init__(self, event: _Event) -> None:
        self._event, self._tally = event, Tally(event.names)

    def add(self, key: GameKey, entry: GameEntry) -> bool:
        """Count a game between its players; no table ends a tournament."""
        if {key.first, key.second} <= self._tally.players.keys():
            self._tally.add(entry)
        return False

    def standings(self) -> Standings:
        """The table of the games so far."""
        return standings(self._tally, self._event.contest, self._event.form)


def _seldom(show: Callable[[], None]) -> Callable[[], None]:
    """Shows something at most twice a second, and in at most a twentieth of the time, however long it takes."""
    due = 0.0

    def look() -> None:
        nonlocal due
        began = time.monotonic()
        if began > due:
            show()
            took = time.monotonic() - began
            due = began + max(_SECONDS_BETWEEN_TABLES, _PAUSE * took)

    return look


def _refuse_older(folder: Path, config: dict[str, Any]) -> None:
    """Say how to resume a run of a version whose default was random plies as they were drawn."""
    stored = read_config(folder).get("openings", {}) if (folder / CONFIG).exists() else {}
    plies, now = stored.get("random_plies"), config["openings"]
    if plies is None or {"book", "balance"} & stored.keys() or not {"book", "balance"} & now.keys():
        return
    raise MismatchError(
        f"{folder} was begun from {plies} random plies without --balance; --random-plies {plies} --no-balance resumes "
        "it, and for other openings choose another folder"
    )
