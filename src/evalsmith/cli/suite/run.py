"""``evalsmith suite run``: what a player's moves cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common import arena_options
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, On, print_result, say
from evalsmith.run.watching import bars
from evalsmith.suite.settings import RunSettings


@takes(RunSettings)
def run(
    suite: Annotated[
        Path,
        typer.Argument(
            metavar="SUITE",
            help="A folder of `suite build`, a .parquet, .epd or .obf file, or a list of best squares (Othello).",
        ),
    ],
    given: dict[str, Any],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="RUN", help="The run folder. Default: a name made from the arguments."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Delete a run that was made there with other arguments.")
    ] = False,
    pin: arena_options.Pin = True,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Let a player move in every position of a suite, and sum up what its moves cost.

    With a limit of nodes or depth and one thread, every run gives the same result. Run the same command again to
    resume an interrupted run.
    """
    announce_compiling()
    how: dict[str, Any] = {"overwrite": overwrite, "concurrency": concurrency, "pin": pin, "progress": bars}
    result = es.run_suite(suite, given.pop("player", "self"), output=output, **how, **given)
    print_result(result, json_output)
    if not json_output:
        say(f"the run is in {result.run}; `evalsmith report {result.run}` writes its page")
