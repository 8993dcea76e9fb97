"""``evalsmith data info``: what datasets hold, and how they differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.output import JsonFlag, print_json
from evalsmith.run.watching import bars


def info(
    paths: Annotated[list[Path], typer.Argument(metavar="DATASETS…", help="One dataset, or several to compare.")],
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page with charts.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Describe datasets: results, labels, ratings, stages, plies, openings, sources."""
    announce_compiling()
    found = [calls.dataset_info(path, progress=bars) for path in paths]
    if report is not None:
        calls.write_dataset_report(found, report)
    if not json_output:
        typer.echo(str(calls.info_table(found)))
    elif len(found) == 1:
        print_json(found[0].to_json())
    else:
        print_json({"datasets": {str(path): each.to_json() for path, each in zip(paths, found, strict=True)}})
