"""``evalsmith suite build``: a suite from files of games or positions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common import arena_options
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, On, print_json, say
from evalsmith.run.watching import bars
from evalsmith.suite.settings import ALWAYS, BuildSettings


@takes(BuildSettings, without=ALWAYS)
def build(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES…", help="Files of games or positions, folders of them, or a dataset.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="SUITE", help="The folder to write.")],
    given: dict[str, Any],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Delete a suite that was built there with other arguments.")
    ] = False,
    pin: arena_options.Pin = True,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Score every legal move of positions from files of games, and store them as a suite.

    Each position is taken once. Run the same command again to resume an interrupted build.
    """
    announce_compiling()
    how: dict[str, Any] = {"overwrite": overwrite, "concurrency": concurrency, "pin": pin, "progress": bars, "say": say}
    suite = es.build_suite(files, output, **how, **given)
    if json_output:
        print_json(suite.to_json())
    else:
        typer.echo(str(suite))
