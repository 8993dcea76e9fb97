"""``evalsmith placements``: whose openings were better, by referees that finish the games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.arena.settings import PlacementSettings
from evalsmith.cli.common import arena_options as options
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, On, print_result
from evalsmith.run.watching import bars


@takes(PlacementSettings, without=("byoyomi", "margin"))
def placements(
    *,
    logs: Annotated[list[Path], typer.Argument(metavar="LOGS…", help="Run folders of events, or files of games.")],
    referee: Annotated[
        list[str],
        typer.Option(
            "--referee",
            metavar="PLAYER",
            rich_help_panel=options.PLAYERS,
            help="A player that finishes the games. Give one for each referee.",
        ),
    ],
    given: dict[str, Any],
    output: options.Output = None,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Judge openings: cut games after --ply, and let referees finish them. Default limit: 1000 nodes."""
    announce_compiling()
    result = es.placements(logs, referee, output=output, concurrency=concurrency, progress=bars, **given)
    print_result(result, json_output)
