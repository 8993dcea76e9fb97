"""``evalsmith data import``: a dataset from files of games and lists of positions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.data_options import Output
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import JsonFlag, On, print_json, say
from evalsmith.positions.importing.settings import ImportSettings
from evalsmith.run.watching import bars

SHOWN_ERRORS = 10


@takes(ImportSettings)
def import_(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES…", help="Files of games or positions, or folders of them.")
    ],
    output: Output,
    given: dict[str, Any],
    select: Annotated[
        Path | None, typer.Option("--select", metavar="TOML", help="A file with a [select] table; flags override it.")
    ] = None,
    append: Annotated[bool, typer.Option("--append", help="Add the positions to an existing dataset.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Delete what an import with different arguments wrote there.")
    ] = False,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Import files of games or positions into a dataset, and count what is rejected and why.

    Run the same command again to resume an interrupted import after its last part.
    """
    announce_compiling()
    dataset = es.import_games(files, output, select=select, append=append, overwrite=overwrite, progress=bars, **given)
    errors = dataset.summary.errors
    for error in errors[:SHOWN_ERRORS]:
        say(error)
    if len(errors) > SHOWN_ERRORS:
        say(f"… and more; the first {len(errors)} are in {output / 'import.json'}")
    if json_output:
        print_json(dataset.summary.to_json())
    else:
        typer.echo(str(dataset.table()))
