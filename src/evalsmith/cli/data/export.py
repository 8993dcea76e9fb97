"""``evalsmith data export``: a dataset for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.data_options import DatasetPath
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.output import JsonFlag, print_json
from evalsmith.run.watching import bars


def export(
    dataset: DatasetPath,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="csv, jsonl, bracket (FEN [1.0]), pipe (FEN | score | result) or c9; "
            "maryodel (Dr. Mario's training examples, one a line) or maryodel-array (all in one array); "
            "binary: bullet, marlin, psv, hcpe or othello20.",
        ),
    ],
    value: Annotated[
        str | None,
        typer.Option(
            "--target",
            metavar="VALUE",
            help="The value to write with othello20: label (else the result), result or score.",
        ),
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Export the positions of a dataset as text or in a binary format for trainers."""
    announce_compiling()
    exported = calls.export_dataset(dataset, target, format_name, value=value, progress=bars)
    if json_output:
        print_json(exported.to_json())
    else:
        typer.echo(str(exported.table()))
