"""The options that matches, tournaments and placements share besides their settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from evalsmith.arena.results.reading import read_event
from evalsmith.arena.results.saving import format_for, save_games
from evalsmith.cli.common.output import say
from evalsmith.engine import Limit
from evalsmith.games import Game
from evalsmith.players import Player, load_players, parse_player
from evalsmith.run.errors import InputError

PLAYERS, JUDGING, OUTPUT = "Players", "Judging", "Output"

Players: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        metavar="PLAYER",
        rich_help_panel=PLAYERS,
        help="self, random, weights:W (a file, hand-set, fitted), cof:FOLDER, or uci:, usi:, nboard:, gtp: or "
        "codecup:COMMAND, with ;key=value options; or a name in --players. Give one for each player.",
    ),
]
PlayersFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--players", metavar="FILE", rich_help_panel=PLAYERS, help="A TOML file with named players."),
]
Draw: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--draw",
        metavar="SCORE,MOVES,PLIES",
        rich_help_panel=JUDGING,
        help="Call a game a draw when both sides score it within ±SCORE for MOVES moves, after PLIES plies.",
    ),
]
Resign: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--resign",
        metavar="SCORE,MOVES",
        rich_help_panel=JUDGING,
        help="Call a game lost when both sides agree on it by at least SCORE for MOVES moves.",
    ),
]
Pin: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--pin/--no-pin",
        rich_help_panel=OUTPUT,
        help="Pin the programs of each game to one core. Not for multithreaded programs.",
    ),
]
Save: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help="Also write the games to this file in the game's format (PGN, CSA, GGF, …).",
    ),
]
Output: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="RUN",
        rich_help_panel=OUTPUT,
        help="The run folder. Default: a name made from the configuration.",
    ),
]


def find_players(texts: Sequence[str], file: Path | None, game: Game) -> list[Player]:
    """The players that --player names, with those of --players."""
    known = load_players(file) if file is not None else {}
    return [parse_player(text, game, known) for text in texts]


def warn_of_threads(players: Sequence[Player], given: dict[str, Any]) -> None:
    """Warn about players whose games are not reproducible, despite a node limit."""
    for player in players:
        limit: Limit | None = player.limit
        if player.threads > 1 and (limit.nodes if limit is not None else given.get("nodes")) is not None:
            say(f"{player.name}: with several threads, a search with a node limit is not reproducible")


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


def check_save(game: Game, path: Path | None) -> None:
    """Refuse a file that the games cannot be written to, before the first of them is played."""
    if path is not None:
        format_for(game, path)


def save_log(run: Path | None, path: Path | None) -> None:
    """Write all games of a run folder in the game's own format."""
    if path is None or run is None:
        return

    event = read_event(run)
    save_games(event.game, event.log(), path, event.form.kind)
