"""``evalsmith data sample``: some positions of a dataset, in their order or shuffled."""

from __future__ import annotations

from typing import Any

import typer

import evalsmith as es
from evalsmith.cli.common.data_options import DatasetPath, Output
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import JsonFlag, print_json
from evalsmith.positions.transform.settings import SampleSettings
from evalsmith.run.watching import bars


@takes(SampleSettings)
def sample(dataset: DatasetPath, output: Output, given: dict[str, Any], json_output: JsonFlag = False) -> None:
    """Draw a random sample of a dataset into another."""
    announce_compiling()
    made = es.sample(dataset, output, progress=bars, **given)
    if json_output:
        print_json({"dataset": str(made.path), "positions": made.rows()})
    else:
        typer.echo(f"{made.rows():,} positions in {made.path}")
