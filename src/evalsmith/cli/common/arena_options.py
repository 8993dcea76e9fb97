"""The options that matches, tournaments and placements share besides their settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

import evalsmith as es
from evalsmith.arena.settings import EventSettings
from evalsmith.cli.common import calls
from evalsmith.cli.common.output import say
from evalsmith.run import read_config
from evalsmith.run.errors import InputError, Interrupted

PLAYERS, JUDGING, OUTPUT = "Players", "Judging", "Output"


def _option(group: str, *names: str, metavar: str | None = None, help: str) -> Any:
    """An option in a group of the help."""
    return typer.Option(*names, metavar=metavar, rich_help_panel=group, help=help)


_PLAYER = (
    "self, random, hand-set, zero, fitted, a weights file, cof:FOLDER, slices:FOLDER, or uci:, usi:, nboard:, gtp: or "
    "codecup:COMMAND, with ;key=value options; or a name in --players. Give one for each player."
)
_DRAW = "Call a game a draw when both sides score it within ±SCORE for MOVES moves, after PLIES plies."
_RESIGN = "Call a game lost when both sides agree on it by at least SCORE for MOVES moves."
_PIN = "Pin the programs of each game to one core. Not for multithreaded programs."
_SAVE = "Also write the games to this file, in the format of its suffix (.pgn, .csa, …; .games for any game)."
_RUN = "The run folder. Default: a name made from the configuration."

Players: TypeAlias = Annotated[list[str] | None, _option(PLAYERS, "--player", metavar="PLAYER", help=_PLAYER)]
PlayersFile: TypeAlias = Annotated[
    Path | None, _option(PLAYERS, "--players", metavar="FILE", help="A TOML file with named players.")
]
Draw: TypeAlias = Annotated[str | None, _option(JUDGING, "--draw", metavar="SCORE,MOVES,PLIES", help=_DRAW)]
Resign: TypeAlias = Annotated[str | None, _option(JUDGING, "--resign", metavar="SCORE,MOVES", help=_RESIGN)]
Pin: TypeAlias = Annotated[bool, _option(OUTPUT, "--pin/--no-pin", help=_PIN)]
Save: TypeAlias = Annotated[Path | None, _option(OUTPUT, "--save", metavar="FILE", help=_SAVE)]
Output: TypeAlias = Annotated[Path | None, _option(OUTPUT, "--output", "-o", metavar="RUN", help=_RUN)]


_ANCHOR = "Fix a player's rating. Repeatable. Default: a mean of 0."
Anchor: TypeAlias = Annotated[list[str] | None, _option(OUTPUT, "--anchor", metavar="NAME=ELO", help=_ANCHOR)]


def anchors(texts: Sequence[str] | None) -> dict[str, float] | None:
    """The ratings that --anchor gives by name; None if there are none."""
    found = {}
    for text in texts or ():
        name, _, elo = text.rpartition("=")
        try:
            found[name] = float(elo)
        except ValueError:
            raise InputError(f"--anchor: expected NAME=ELO with a number, got {text}") from None
        if not name or not abs(found[name]) <= calls.LARGEST_ANCHOR:
            raise InputError(f"--anchor: expected NAME=ELO, at most {calls.LARGEST_ANCHOR:g}, got {text}")
    return found or None


def say_pairs(settings: EventSettings) -> None:
    """Say how many games are played where that is another number than was asked for."""
    if settings.games % 2:
        say(f"games are played in pairs with sides swapped: {2 * settings.pairs} instead of {settings.games}")


def find_players(texts: Sequence[str], file: Path | None, game: es.Game) -> list[calls.Player]:
    """The players that --player names, with those of --players."""
    known = calls.load_players(file) if file is not None else {}
    return [calls.parse_player(text, game, known) for text in texts]


def warn_of_threads(players: Sequence[calls.Player], given: dict[str, Any]) -> None:
    """Warn about players whose games are not reproducible, despite a node limit."""
    for player in players:
        limit: calls.Limit | None = player.limit
        if player.threads > 1 and (limit.nodes if limit is not None else given.get("nodes")) is not None:
            say(f"{player.name}: with several threads, a search with a node limit is not reproducible")


def warn_of_probcut(players: Sequence[calls.Player]) -> None:
    """Warn where players of our search differ in more than their weights: some have parameters of ProbCut."""
    ours = [one for one in players if one.outside is None and one.added is None and not one.random]
    able = [one for one in ours if one.method == "alphabeta" and "probcut" not in one.without]
    cutting = [one.name for one in able if one.weights.probcut is not None]
    if cutting and len(cutting) < len(able):
        say(
            f"only {', '.join(cutting)} searches with ProbCut, because the weights have its parameters: this compares "
            "more than weights; add ;without=probcut to compare these alone"
        )


def adjudication(draw: str | None, resign: str | None) -> dict[str, int]:
    """The settings that --draw and --resign stand for."""
    drawn = _numbers(draw, "--draw", ("draw_score", "draw_moves", "draw_after"))
    return drawn | _numbers(resign, "--resign", ("resign_score", "resign_moves"))


def _numbers(text: str | None, option: str, names: tuple[str, ...]) -> dict[str, int]:
    if text is None:
        return {}
    parts = text.split(",")
    if len(parts) != len(names) or not all(part.strip().isdecimal() and len(part) < 10 for part in parts):
        raise InputError(f"{option} takes {len(names)} whole numbers separated by commas, not {text!r}")
    return dict(zip(names, map(int, parts), strict=True))


def check_save(game: es.Game, path: Path | None) -> None:
    """Refuse a file that the games cannot be written to, before the first of them is played."""
    if path is not None:
        calls.format_of_games(game, path)


@contextmanager
def saving(path: Path | None) -> Iterator[None]:
    """Where an event is interrupted, write the games that are finished."""
    try:
        yield
    except Interrupted as stopped:
        save_log(stopped.run, path)
        raise


def save_log(run: Path | None, path: Path | None) -> None:
    """Write all games of a run folder in the game's own format."""
    if path is None or run is None:
        return

    event = calls.read_event(run)
    control = calls.time_control_of(read_config(run))
    calls.save_games(event.game, calls.sorted_entries(run / calls.GAMES), path, event.form.kind, control)
