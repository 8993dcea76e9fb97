"""``evalsmith net train``: a net from datasets of self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, print_result
from evalsmith.net.settings import TrainSettings
from evalsmith.run.watching import bars


@takes(TrainSettings)
def train(
    datasets: Annotated[list[Path], typer.Argument(metavar="DATASET…", help="Datasets of self-play, of one game.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The net to write, .safetensors.")],
    given: dict[str, Any],
    start: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="The net to start from. Default: random numbers.")
    ] = None,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Train a net on datasets of self-play. Its losses go to the run folder beside it; `report` makes a page of them.

    Run the same command again to resume an interrupted run.
    """
    announce_compiling()
    game = es.load_dataset(datasets[0]).game
    found = es.train_net(game, datasets, output, start=start, concurrency=concurrency, progress=bars, **given)
    print_result(found, json_output)
