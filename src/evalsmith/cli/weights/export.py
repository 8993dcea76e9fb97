"""``evalsmith weights export``: weights for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling, read_any_weights
from evalsmith.cli.common.output import JsonFlag, WeightsArgument, WeightsGame, print_json
from evalsmith.run import InputError


def export(
    path: WeightsArgument,
    target: Annotated[Path | None, typer.Argument(metavar="OUTPUT", help="The same as -o.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file or folder to write; its suffix chooses the format."
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="The format: json, c, rust, python, csv, othello-slices or othello-slices16. Default: by the suffix "
            "(.json, .h, .rs, .py, .csv).",
        ),
    ] = None,
    game: WeightsGame = None,
    json_output: JsonFlag = False,
) -> None:
    """Export weights in a format for other programs."""
    place = output or target
    if place is None or (output is not None and target is not None):
        raise InputError("name one file to write, with -o, such as -o weights.rs")
    chosen = kind or calls.format_of(place)
    announce_compiling()
    written = calls.export_weights(read_any_weights(path, game), place, chosen)
    if json_output:
        print_json({"files": [str(file) for file in written]})
    else:
        typer.echo(f"{len(written)} files in {place}" if len(written) > 1 else f"written: {written[0]}")
