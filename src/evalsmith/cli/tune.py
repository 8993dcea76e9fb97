"""``evalsmith tune``: from a dataset, or straight from files of games, to weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import JsonFlag, On, print_json, say
from evalsmith.fit.settings import TuneSettings
from evalsmith.run import InputError
from evalsmith.run.watching import bars, unwatched

_DATA = "Data"


@takes(TuneSettings)
def tune(
    given: dict[str, Any],
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DATASET|FILES…|CONFIG.toml", help="A dataset folder, files of games, or a TOML file."),
    ] = None,
    dataset: Annotated[
        list[Path] | None,
        typer.Option("--dataset", metavar="PATH", help="The same as DATASET|FILES. Repeatable."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="WEIGHTS",
            help="The weights file to write: .json, .rs, .h, .py or .csv.",
        ),
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
            help="Number of self-play games if DATASET does not exist. Default: 4,000 at 1,000 nodes where games are "
            "only won or lost, else 20,000.",
        ),
    ] = None,
    slices: Annotated[bool, typer.Option("--slices", help="List every slice separately.")] = False,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", "--threads", min=1, help="Number of threads. Default: all cores.")
    ] = None,
    on: On = None,
    progress: Annotated[bool, typer.Option("--progress/--no-progress", help="Show progress.")] = True,
    json_output: JsonFlag = False,
) -> None:
    """Fit the weights of a game to positions, validated on held-out games.

    Games with a margin are fitted by least squares, games that are only won or lost by Texel's method. Run the same
    command again to resume an interrupted run. Exit code 1: the fit is worse than its start.
    """
    given_paths = [*(sources or []), *(dataset or [])]
    request = calls.resolve_request(given_paths, output, config=config, game=game, generate=generate, settings=given)
    if request.output is None:
        raise InputError("give the weights file to write with -o")
    announce_compiling()
    request = replace(request, concurrency=concurrency or request.concurrency)
    found = calls.run_request(request, progress=bars if progress else unwatched, say=say)
    if json_output:
        print_json({**found.to_json(), "weights": str(found.output), "run": str(found.run)})
    else:
        if (choices := found.choice_table()) is not None:
            typer.echo(f"{choices}\n")
        typer.echo(str(found.stage_table(slices=slices)))
    if found.worse:
        raise typer.Exit(1)
