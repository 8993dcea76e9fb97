"""``evalsmith suite compare``: two runs of one suite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import JsonFlag, print_json, say
from evalsmith.run.errors import OutputError
from evalsmith.suite.settings import CompareSettings


@takes(CompareSettings)
def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN_A", help="The folder of the run to compare with.")],
    second: Annotated[Path, typer.Argument(metavar="RUN_B", help="The folder of the run that is judged.")],
    given: dict[str, Any],
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="HTML", help="Write a page with all changes, sortable, and their boards."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the page if it exists.")] = False,
    fail_if_worse: Annotated[
        bool, typer.Option("--fail-if-worse", help="Exit with 1 if RUN_B is proven to be worse than RUN_A.")
    ] = False,
    json_output: JsonFlag = False,
) -> None:
    """Compare two runs of a suite position by position.

    Says what RUN_B lost more than RUN_A, with a bootstrap interval and Wilcoxon's test, and lists the largest changes.
    """
    announce_compiling()
    if report is not None and report.exists() and not overwrite:
        raise OutputError(f"{report} exists; give --overwrite to replace it")
    result = es.compare_suites(first, second, **given)
    if report is not None:
        say(f"the page is {result.report(report)}")
    if json_output:
        print_json(result.to_json())
    else:
        typer.echo(str(result))
    if fail_if_worse and result.worse:
        raise typer.Exit(1)
