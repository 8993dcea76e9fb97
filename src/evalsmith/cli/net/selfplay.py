"""``evalsmith net selfplay``: games of a net into a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.data_options import Output
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, GameName, JsonFlag, On, print_result
from evalsmith.net.settings import SelfplaySettings
from evalsmith.run.watching import bars


@takes(SelfplaySettings)
def selfplay(
    game_name: GameName,
    output: Output,
    given: dict[str, Any],
    net: Annotated[
        Path | None, typer.Option("--net", metavar="FILE", help="The net, .safetensors or .onnx. Default: round 0.")
    ] = None,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Play games of a net against itself (or alone) into a dataset; without a net it is round 0.

    Run the same command again to resume an interrupted run.
    """
    game = load_game(game_name)
    print_result(es.self_play(game, output, net=net, concurrency=concurrency, progress=bars, **given), json_output)
