"""``evalsmith data split``: one dataset as several, game by game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.data_options import DatasetPath
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import JsonFlag, print_json, say
from evalsmith.positions.transform.settings import SplitSettings
from evalsmith.run.tables import TextTable
from evalsmith.run.watching import bars

WARNING = (
    "positions of one game are alike: split by position, an error on the other half is flattered by 4 to 6 %, and a "
    "penalty chosen by it is up to ten times too small"
)


@takes(SplitSettings)
def split(
    dataset: DatasetPath,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder of the new datasets.")],
    given: dict[str, Any],
    json_output: JsonFlag = False,
) -> None:
    """Split a dataset at random, with all positions of a game on the same side."""
    if given.get("by") == "position":
        say(WARNING)
    announce_compiling()
    found = es.split(dataset, output, progress=bars, **given)
    if json_output:
        print_json({name: {"dataset": str(part.path), "positions": part.rows()} for name, part in found.items()})
    else:
        typer.echo(str(TextTable(("", "positions"), tuple((str(part.path), part.rows()) for part in found.values()))))
