"""``evalsmith net loop``: rounds of self-play, training and a gate, measured against a yardstick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, GameName, JsonFlag, On, print_result
from evalsmith.net.settings import LoopSettings
from evalsmith.run.watching import bars


@takes(LoopSettings)
def loop(
    game_name: GameName,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="The run folder.")],
    given: dict[str, Any],
    start: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="The net to start from. Default: none, round 0.")
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(
            "--also", metavar="DATASET", help="Every round also learns from it, e.g. a teacher's. Repeatable."
        ),
    ] = None,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Train a net from nothing: rounds of self-play, training and a gate.

    Run the same command again to resume an interrupted run, or with more --rounds to go on.
    """
    game = load_game(game_name)
    how: dict[str, Any] = {"start": start, "also": also or (), "concurrency": concurrency, "progress": bars}
    print_result(es.net_loop(game, output, **how, **given), json_output)
