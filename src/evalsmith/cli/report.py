"""``evalsmith report``: the page of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.output import JsonFlag, print_json
from evalsmith.report import write_report


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a fit, a match, a tournament or a demo.")],
    json_output: JsonFlag = False,
) -> None:
    """Write report.html, a page with charts, into a run folder."""
    announce_compiling()
    path = write_report(run)
    if json_output:
        print_json({"report": str(path)})
    else:
        typer.echo(f"report in {path}")
