"""``evalsmith report``: the page of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.output import JsonFlag, print_json


def report(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN", help="The folder of a fit, an improvement, a match, a tournament, an SPSA run or a demo."
        ),
    ],
    json_output: JsonFlag = False,
) -> None:
    """Write report.html, a page with charts, into a run folder."""
    announce_compiling()
    path = es.write_report(run)
    if json_output:
        print_json({"report": str(path)})
    else:
        typer.echo(f"report in {path}")
