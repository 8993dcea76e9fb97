"""``evalsmith tournament``: events of many players, their table, and the games that a player lost."""

from __future__ import annotations

import hashlib
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalsmith.cli import arena_options as options
from evalsmith.cli.output import Concurrency, JsonFlag, Seed, load_game, open_console, print_json, print_table

if TYPE_CHECKING:
    from evalsmith.arena.events.config import EventConfig
    from evalsmith.arena.results.entry import GameEntry
    from evalsmith.arena.results.standings import Standings
    from evalsmith.games import Game


def tournament(
    what: Annotated[
        str,
        typer.Argument(metavar="EVENT.toml|GAME|RUN", help="An event's file, an installed game, or a run to look at."),
    ],
    player: options.Players = None,
    players_file: options.Roster = None,
    form: Annotated[
        str, typer.Option("--format", help="match, round-robin, gauntlet, knockout or swiss.")
    ] = "round-robin",
    games: Annotated[int, typer.Option("--games", help="Games of two players (in each round, if there are any).")] = 2,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds of the Swiss system; 0 is enough for a winner.")] = 0,
    challengers: Annotated[int, typer.Option("--challengers", help="How many players run the gauntlet.")] = 1,
    points: Annotated[
        str | None, typer.Option("--points", help="wins, or contest (what is on the board, and a bonus).")
    ] = None,
    tc: options.Tc = None,
    nodes: options.Nodes = None,
    depth: options.Depth = None,
    movetime: options.Movetime = None,
    byoyomi: options.Byoyomi = None,
    budget: options.Budget = None,
    margin: options.Margin = None,
    random_plies: options.RandomPlies = 8,
    book: options.Book = None,
    book_plies: options.BookPlies = None,
    order: options.Order = "random",
    repeat: options.Repeat = False,
    balance: options.Balance = None,
    draw: options.Draw = None,
    resign: options.Resign = None,
    max_plies: options.MaxPlies = None,
    solve_from: options.SolveFrom = None,
    replace_failed: options.Replace = None,
    pin: options.Pin = True,
    lost: Annotated[
        str | None, typer.Option("--lost", metavar="PLAYER", help="With RUN: list the games that a player lost.")
    ] = None,
    opponent: Annotated[
        str | None, typer.Option("--to", metavar="OPPONENT", help="With --lost: only those lost to this player.")
    ] = None,
    output: options.Output = None,
    save: options.Save = None,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Play an event from a file or by flags; given its run folder, show its table or the games a player lost."""
    from evalsmith.arena.events.config import EventConfig, make_limit, read_event
    from evalsmith.arena.play.openings import OpeningConfig
    from evalsmith.players import load_players
    from evalsmith.run import InputError

    path = Path(what)
    if path.is_dir():
        _look(path, lost, opponent, json_output)
        _save(path, save)
        return
    if lost is not None or opponent is not None:
        raise InputError(f"--lost and --to look into a run folder, and {what} is none")
    if path.suffix == ".toml":
        if player:
            raise InputError("the players of an event stand in its file; --player is for events without one")
        event = read_event(path)
    else:
        event = EventConfig(
            what,
            tuple(player or ()),
            load_players(players_file) if players_file else {},
            form,
            games,
            rounds,
            challengers,
            make_limit(
                tc=tc, nodes=nodes, depth=depth, movetime=movetime, byoyomi=byoyomi, budget=budget, margin=margin
            ),
            OpeningConfig(random_plies, book, book_plies, order, repeat, balance),
            options.adjudication_of(draw, resign, max_plies, solve_from),
            points,
            replace_failed,
            seed,
        )
    if save is not None:
        from evalsmith.arena.results.saving import format_for

        format_for(load_game(event.game), save)
    _save(_play(event, output, concurrency, pin, json_output), save)


def _save(run: Path, path: Path | None) -> None:
    """The games in the game's own format."""
    if path is None:
        return
    from evalsmith.arena.events.tournament import read_tournament
    from evalsmith.arena.results.saving import save_games
    from evalsmith.games import find_game
    from evalsmith.run import read_config

    config = read_config(run)
    save_games(find_game(str(config["game"])), read_tournament(run)[1], path, str(config.get("format", "")))


def _play(event: EventConfig, output: Path | None, concurrency: int | None, pin: bool, json_output: bool) -> Path:
    """Play and show; the run folder."""
    from evalsmith.arena.events.tournament import play_tournament
    from evalsmith.cli.arena_tables import time_lines
    from evalsmith.run import RunFolder, to_toml

    game = load_game(event.game)
    players = event.resolved(game)
    options.warn_of_threads(players, event.limit)
    event.form.check([one.name for one in players])
    stored = event.stored(game, players)
    name = hashlib.blake2b(to_toml(stored).encode(), digest_size=4).hexdigest()
    folder = output or Path("runs") / f"{event.format}-{game.name}-{name}"
    total = len(event.form.planned([one.name for one in players], {}))
    with RunFolder(folder, stored) as run, Watcher(event.format, total) as watcher:
        result = play_tournament(
            game, players, event, run, concurrency=concurrency, progress=watcher, watch=watcher.watch, pin=pin
        )
    if json_output:
        print_json({**result.to_json(), "run": str(folder)})
        return folder
    lines = [f"{result.winner} wins the knockout"] if result.winner else []
    lines += [*time_lines(result.standings.times, result.overload), f"games in {folder}"]
    _show(game, result.standings, lines)
    return folder


class Watcher:
    """Shows an event while it runs: the table on a terminal, else a line every ten seconds."""

    def __init__(self, title: str, total: int) -> None:
        from evalsmith.run import Bar

        self.title, self.total, self.done = title, total, 0
        self._began = time.monotonic()
        self._live: Any = None
        self._bar = None if sys.stderr.isatty() else Bar(title, total, "games")

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

    def advance(self, count: int = 1) -> None:
        """So many more games are done."""
        self.done += count
        if self._bar is not None:
            self._bar.advance(count)

    def watch(self, standings: Standings) -> None:
        """The table as it stands."""
        if self._live is None:
            return
        from evalsmith.cli.arena_tables import standings_table

        rate = self.done / max(time.monotonic() - self._began, 1e-9)
        self._live.update(standings_table(standings, f"{self.title}: {self.done} of {self.total} games, {rate:.2g}/s"))


def _show(game: Game, standings: Standings, lines: list[str]) -> None:
    from evalsmith.cli.arena_tables import matrix_table, standings_table

    console = open_console()
    console.print(standings_table(standings))
    console.print(matrix_table("Won (row beat column)", standings, _cells(standings.wins, standings.played, "{:d}")))
    if game.win == 0:
        means = [[None if cell is None else cell / 100 for cell in row] for row in standings.difference]
        title = f"Mean difference in {game.whole_unit}"
        console.print(matrix_table(title, standings, _cells(means, standings.played, "{:+.1f}")))
    print_table(_pairs(standings), *_failures(standings), *([standings.unrated] if standings.unrated else []), *lines)


def _cells(matrix: list[list[Any]], played: list[list[int]], form: str) -> list[list[str]]:
    return [
        ["·" if i == j else "" if not played[i][j] or cell is None else form.format(cell) for j, cell in enumerate(row)]
        for i, row in enumerate(matrix)
    ]


def _pairs(standings: Standings) -> Any:
    """Every comparison with its p-value, so that nobody reads more into a table than it says."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("player", "against", "won", "tied", "lost", "Elo", "p (exact)", "")
    for one in standings.comparisons:
        proven = "" if one.p_value < 0.05 else "cannot be told apart"
        table.add_row(
            escape(one.first), escape(one.second), str(one.won), str(one.tied), str(one.lost),
            one.summary.elo_text(0), f"{one.p_value:.2g}", proven,
        )  # fmt: skip
    return table


def _failures(standings: Standings) -> list[str]:
    lines = []
    for row in standings.rows:
        if row.failures:
            kinds = ", ".join(f"{count} {reason}" for reason, count in sorted(row.failures.items()))
            lines.append(f"{row.name} failed in {row.fail} of {row.games} games: {kinds}")
    ends = ", ".join(f"{count} {reason}" for reason, count in sorted(standings.reasons.items()))
    return [*lines, f"ends: {ends}"] if ends else lines


def _look(path: Path, lost: str | None, opponent: str | None, json_output: bool) -> None:
    from evalsmith.arena.events.tournament import lost_games, read_tournament, read_winner
    from evalsmith.run import InputError, read_config

    standings, games = read_tournament(path)
    if lost is None:
        if opponent is not None:
            raise InputError("--to goes with --lost")
        winner = read_winner(path, games)
        if json_output:
            print_json({**standings.to_json(), "winner": winner, "run": str(path)})
            return
        lines = [f"{winner} wins the knockout"] if winner else []
        _show(load_game(str(read_config(path)["game"])), standings, [*lines, f"games in {path}"])
        return
    found = lost_games(games, lost, opponent)
    if json_output:
        print_json({"player": lost, "to": opponent, "games": [entry.to_json() for entry in found]})
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table("lost to", "round", "pair", "half", "side", "plies", "result", "reason", title=f"{lost} lost")
    game = load_game(str(read_config(path)["game"]))
    for entry in found:
        side, key = entry.sides.index(lost), entry.key
        shown = f"{entry.value_for(lost) / 100:+g}" if game.win == 0 else "lost"
        table.add_row(
            escape(entry.sides[1 - side]), str(key.round), str(key.pair), str(key.half),
            game.sides[side] if side < len(game.sides) else str(side), str(len(entry.moves)), shown,
            escape(_reason(entry, side)),
        )  # fmt: skip
    print_table(table, f"{len(found)} games")


def _reason(entry: GameEntry, side: int) -> str:
    for one in entry.failed:
        if one.side == side:
            return f"{one.reason}: {one.detail}".rstrip(": ")
    return entry.termination
