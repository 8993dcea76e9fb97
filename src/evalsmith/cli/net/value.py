"""``evalsmith net value``: a small quantised net as the evaluation of alpha-beta."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, print_result
from evalsmith.net.value_settings import ValueSettings
from evalsmith.run.watching import bars


@takes(ValueSettings)
def value(
    datasets: Annotated[list[Path], typer.Argument(metavar="DATASET…", help="Datasets of one game, of any kind.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The weights to write, .json.")],
    given: dict[str, Any],
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Train a small quantised net over linear weights, as an evaluation for alpha-beta.

    The result is a weights file like any other. Run the same command again to resume an interrupted run.
    """
    announce_compiling()
    game = es.load_dataset(datasets[0]).game
    print_result(es.train_value(game, datasets, output, concurrency=concurrency, progress=bars, **given), json_output)
