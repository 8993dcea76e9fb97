"""``evalsmith suite export``: a suite for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling


def export(
    suite: Annotated[
        Path, typer.Argument(metavar="SUITE", help="A folder of `suite build`, or a .parquet, .epd or .obf file.")
    ],
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write: .epd, .obf or .parquet.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a suite as EPD, OBF or Parquet.

    EPD has best moves, and scores or points in c0; OBF has scores in discs.
    """
    announce_compiling()
    typer.echo(f"suite written to {calls.export_suite(suite, target, overwrite=overwrite)}")
