"""``evalsmith weights export``: weights for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common.inputs import announce_compiling, read_weights
from evalsmith.cli.common.output import JsonFlag, WeightsArgument, WeightsGame, print_json
from evalsmith.weights import export_weights


def export(
    path: WeightsArgument,
    output: Annotated[Path, typer.Argument(help="The file or folder to write.")],
    kind: Annotated[
        str, typer.Option("--format", help="The format: json, othello-slices, othello-slices16, c, rust or python.")
    ] = "json",
    game: WeightsGame = None,
    json_output: JsonFlag = False,
) -> None:
    """Export weights in a format for other programs."""
    announce_compiling()
    written = export_weights(read_weights(path, game), output, kind)
    if json_output:
        print_json({"files": [str(file) for file in written]})
    else:
        typer.echo(f"{len(written)} files in {output}" if len(written) > 1 else f"written: {written[0]}")
