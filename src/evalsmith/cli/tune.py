"""``evalsmith tune``: from a dataset, or straight from files of games, to weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, print_json, say
from evalsmith.fit.request import resolve_request
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.tuning import run_request
from evalsmith.run import InputError
from evalsmith.run.watching import bars

_DATA = "Data"


@takes(TuneSettings)
def tune(
    given: dict[str, Any],
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DATASET|FILES…|CONFIG.toml", help="A dataset folder, files of games, or a TOML file."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="WEIGHTS", help="The weights file to write.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="TOML", help="Read settings from a file; flags override it.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            rich_help_panel=_DATA,
            help="The game. If DATASET does not exist, generate it by self-play.",
        ),
    ] = None,
    generate: Annotated[
        int | None,
        typer.Option(
            "--generate",
            metavar="GAMES",
            min=1,
            rich_help_panel=_DATA,
            help="Number of self-play games if DATASET does not exist. Default: 20,000.",
        ),
    ] = None,
    slices: Annotated[bool, typer.Option("--slices", help="List every slice separately.")] = False,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Fit the weights of a game to positions by least squares, validated on held-out games.

    Run the same command again to resume an interrupted run.
    """
    request = resolve_request(sources or [], output, config=config, game=game, generate=generate, settings=given)
    if request.output is None:
        raise InputError("give the weights file to write with -o")
    announce_compiling()
    request = replace(request, concurrency=concurrency or request.concurrency)
    found = run_request(request, progress=bars, say=say)
    if json_output:
        print_json({**found.to_json(), "weights": str(found.output), "run": str(found.run)})
    else:
        typer.echo(str(found.stage_table(slices=slices)))
