"""``evalsmith tournament``: events of many players, their table, and the games that a player lost."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.arena.settings import TournamentSettings
from evalsmith.cli.common import arena_options as options
from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, On, print_json, print_result, say
from evalsmith.run import Bar
from evalsmith.run.errors import InputError
from evalsmith.run.tables import TextTable
from evalsmith.run.toml import refuse_other_settings

LOOK = "Inspect a run folder"


@takes(TournamentSettings)
def tournament(
    *,
    what: Annotated[
        str,
        typer.Argument(metavar="EVENT.toml|GAME|RUN", help="An event file, an installed game, or a run folder."),
    ],
    player: options.Players = None,
    players_file: options.PlayersFile = None,
    given: dict[str, Any],
    draw: options.Draw = None,
    resign: options.Resign = None,
    output: options.Output = None,
    save: options.Save = None,
    pin: options.Pin = True,
    anchor: options.Anchor = None,
    lost: Annotated[
        str | None,
        typer.Option("--lost", metavar="PLAYER", rich_help_panel=LOOK, help="List the games that this player lost."),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="OPPONENT", rich_help_panel=LOOK, help="With --lost: only games lost to this player."
        ),
    ] = None,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Play a tournament defined by a file or by flags (which override it), or show the table of a run folder."""
    path = Path(what)
    if path.is_dir():
        _look(path, lost, opponent, options.anchors(anchor), json_output)
        options.save_log(path, save)
        return
    if lost is not None or opponent is not None:
        raise InputError(f"--lost and --to need a run folder, and {what} is not one")
    given |= options.adjudication(draw, resign)
    refuse_other_settings(path)
    how: dict[str, Any] = {"output": output, "concurrency": concurrency, "pin": pin, "progress": Watcher, "say": say}
    how["anchors"] = options.anchors(anchor)
    if path.suffix == ".toml":
        with options.saving(save):
            result = _from_file(path, given, bool(player), save, how)
    else:
        game = load_game(what)
        options.check_save(game, save)
        players = options.find_players(player or (), players_file, game)
        options.warn_of_threads(players, given)
        options.say_pairs(TournamentSettings.from_options(given))
        with options.saving(save):
            result = es.tournament(game, players, **how, **given)
    options.save_log(result.run, save)
    print_result(result, json_output)


def _from_file(
    path: Path, given: dict[str, Any], has_players: bool, save: Path | None, how: dict[str, Any]
) -> es.TournamentResult:
    """The event of a file; flags override it."""
    if has_players:
        raise InputError("the file of an event names its players; --player is only for events without a file")
    event = calls.read_event_file(path)
    game = load_game(event.game)
    options.check_save(game, save)
    settings = event.settings.override(given)
    players = [calls.parse_player(name, game, event.players) for name in event.players]
    options.warn_of_threads(players, settings.changed())
    options.say_pairs(settings)
    how["anchors"] = how["anchors"] or event.anchors
    return es.tournament(game, players, **how, **settings.changed())


class Watcher:
    """Shows an event while it runs: the table on a terminal, otherwise a line every ten seconds."""

    def __init__(self, title: str, total: int | None, unit: str) -> None:

        self.title, self.total, self.done, self._first = title, total or 0, 0, 0
        self._began = time.monotonic()
        self._live: Any = None
        self._bar = None if sys.stderr.isatty() else Bar(title, self.total, unit)

    def __enter__(self) -> Watcher:
        if self._bar is None:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def resume(self, count: int) -> None:
        """Say that ``count`` games were played before."""
        self.done += count
        self._first += count
        self._began = time.monotonic()
        if self._bar is not None:
            self._bar.resume(count)

    def advance(self, count: int = 1) -> None:
        """Say that ``count`` more games are done."""
        self.done += count
        if self._bar is not None:
            self._bar.advance(count)

    def show(self, standings: calls.Standings) -> None:
        """The table so far."""
        if self._live is None:
            return
        from rich.text import Text

        rate = (self.done - self._first) / max(time.monotonic() - self._began, 1e-9)
        title = f"{self.title}: {self.done} of {self.total} games, {rate:.2g}/s"
        self._live.update(Text(str(calls.standings_table(standings, title))))


def _look(
    path: Path, lost: str | None, opponent: str | None, anchors: dict[str, float] | None, json_output: bool
) -> None:

    result = calls.read_tournament(path, anchors)
    if lost is None:
        if opponent is not None:
            raise InputError("--to needs --lost")
        print_result(result, json_output)
        return
    found = result.lost_by(lost, opponent)
    if json_output:
        print_json({"player": lost, "to": opponent, "games": [entry.to_json() for entry in found]})
    else:
        _show_lost(result, lost, found)


def _show_lost(result: es.TournamentResult, player: str, entries: list[calls.GameEntry]) -> None:

    game, rows = result.game, []
    for entry in entries:
        side, key = entry.sides.index(player), entry.key
        value = f"{entry.value_for(player) / 100:+g}" if game.win == 0 else "lost"
        name = game.sides[side] if side < len(game.sides) else str(side)
        failures = [f"{one.reason}: {one.detail}".rstrip(": ") for one in entry.failed if one.side == side]
        rows.append(
            (entry.sides[1 - side], key.round, key.pair, key.half, name, len(entry.moves), value,
             failures[0] if failures else entry.termination)
        )  # fmt: skip
    columns = ("lost to", "round", "pair", "half", "side", "plies", "result", "termination")
    typer.echo(str(TextTable(columns, tuple(rows), (f"{len(entries)} games",), f"{player} lost")))
