"""``evalsmith data label``: scores for the positions of a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.data_options import DatasetPath
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, On, print_json
from evalsmith.positions.labelling.settings import LabelSettings
from evalsmith.run.watching import bars


@takes(LabelSettings)
def label(
    dataset: DatasetPath,
    given: dict[str, Any],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DATASET",
            help="Write a labelled copy here instead of labelling the dataset itself.",
        ),
    ] = None,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Label positions with scores from playouts, searches, an exact solver or another program.

    Run the same command again to resume an interrupted run.
    """
    announce_compiling()
    labelled = es.label(dataset, output, concurrency=concurrency, progress=bars, **given)
    if json_output:
        print_json(labelled.summary.to_json())
        return
    counts = labelled.summary
    typer.echo(
        f"{counts.labelled:,} of {counts.positions:,} positions have a label by {given['by']} in {labelled.path}"
    )
