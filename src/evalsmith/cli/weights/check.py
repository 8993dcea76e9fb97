"""``evalsmith weights check``: how far weights are from the values of a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, WeightsArgument, print_json, say
from evalsmith.fit.settings import CheckSettings
from evalsmith.run import InputError
from evalsmith.run.watching import bars


@takes(CheckSettings)
def check(
    path: WeightsArgument,
    on: Annotated[Path, typer.Option("--on", metavar="DATASET", help="A dataset of positions with known values.")],
    given: dict[str, Any],
    picture: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="PAGE", help="Write a page (.html) or a picture (.svg).")
    ] = None,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Measure weights against known values, by stage: mean absolute error, bias, and the error of predicting 0."""
    if picture is not None and picture.suffix not in (".html", ".svg"):
        raise InputError(f"-o must end in .html (a page) or .svg (a picture), not {str(picture)!r}")
    announce_compiling()
    dataset = es.load_dataset(on)
    found = calls.check_weights(path, dataset, concurrency=concurrency, progress=bars, **given)
    if picture is not None:
        calls.write_accuracy(found, picture, f"{path} on {on}")
        say(f"written: {picture}")
    if json_output:
        print_json({**found.to_json(), "game": dataset.game.name, "dataset": str(on)})
        return
    for table in found.tables():
        typer.echo(str(table))
