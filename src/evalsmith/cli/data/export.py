"""``evalsmith data export``: a dataset for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.data.options import DatasetPath, print_counts
from evalsmith.cli.output import JsonFlag, announce_compiling, print_json


def export(
    dataset: DatasetPath,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            help="csv, jsonl, bracket (FEN \\[1.0]), pipe (FEN | score | result), c9; "
            "or binary: bullet, marlin, psv, hcpe, othello20.",
        ),
    ],
    value: Annotated[
        str | None,
        typer.Option(
            "--target", help="The value that othello20 holds: label (made ones, else the result), result or score."
        ),
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Write the positions of a dataset as text or in a binary format that trainers read."""
    from evalsmith.positions import open_dataset
    from evalsmith.positions.store.exporting import export as write
    from evalsmith.run import Bar

    announce_compiling()
    with Bar("exporting", open_dataset(dataset).rows(), "positions") as bar:
        exported = write(dataset, target, format_name, value=value, progress=bar)
    if json_output:
        print_json(exported.to_json())
        return
    rows = [("positions", exported.written)]
    rows += [(f"rejected: {reason}", count) for reason, count in exported.rejected.items()]
    rows += [(f"without a place in the format: {what}", count) for what, count in exported.lost.items() if count]
    print_counts(rows)
