"""``evalsmith probcut fit``: how well shallow searches predict deep ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import announce_compiling, load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, GameName, JsonFlag, print_result
from evalsmith.fit.probcut.settings import ProbCutSettings
from evalsmith.run.watching import bars


@takes(ProbCutSettings)
def fit(
    game_name: GameName,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="WEIGHTS", help="The weights file to write; W.run is its run.")
    ],
    given: dict[str, Any],
    dataset: Annotated[
        Path | None, typer.Argument(metavar="DATASET", help="A dataset of positions. Default: self-play.")
    ] = None,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Search positions at every depth, fit deep values to shallow ones, and write weights with the result.

    The search with these weights then leaves out deep searches whose result a shallow one makes very likely
    (`--without probcut` switches that off). Run the same command again to resume an interrupted fit.
    """
    announce_compiling()
    found = es.fit_probcut(load_game(game_name), output, dataset, concurrency=concurrency, progress=bars, **given)
    print_result(found, json_output)
