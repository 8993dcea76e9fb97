"""``evalsmith check-engine``: goes through a program's protocol and prints what fails."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.output import JsonFlag, Seed, print_json, print_table, say
from evalsmith.run.errors import InputError


def check_engine(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] PLAYER",
            help="The game (default: the protocol's usual one), and uci:, usi:, nboard:, gtp: or codecup:COMMAND, with "
            ";key=value options.",
        ),
    ],
    game_option: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="The game, if it is not named before the player.")
    ] = None,
    players: Annotated[
        Path | None, typer.Option("--players", metavar="FILE", help="A TOML file with named players.")
    ] = None,
    seed: Seed = 1,
    json_output: JsonFlag = False,
) -> None:
    """Check that a program follows its protocol: handshake, options, limits, stop, bad input, lines, memory, quit."""
    if len(what) > 2 or (len(what) == 2 and game_option is not None):
        raise InputError(f"expected one game and one player, got {' '.join(what)}")
    player, game_name = what[-1], what[0] if len(what) == 2 else game_option
    known = calls.load_players(players) if players else {}
    game = load_game(game_name or calls.default_game(known.get(player.split(";")[0].strip(), player)))
    checkup = calls.examine(calls.parse_player(player, game, known), seed, lambda name: say(f"checking {name}"))
    if json_output:
        print_json({**asdict(checkup), "passed": not checkup.failed})
    else:
        from rich.markup import escape
        from rich.table import Table

        table = Table("check", "", "what was seen")
        colours = {"pass": "green", "fail": "red", "n/a": "dim"}
        for check in checkup.checks:
            table.add_row(check.name, f"[{colours[check.state]}]{check.state}[/]", escape(check.detail))
        count = len(checkup.failed)
        verdict = f"{count} of {len(checkup.checks)} checks failed" if count else "nothing failed"
        print_table(table, f"{checkup.engine or checkup.player} ({checkup.protocol}, {game.name}): {verdict}")
    if checkup.failed:
        raise typer.Exit(1)
