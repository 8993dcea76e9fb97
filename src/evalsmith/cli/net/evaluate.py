"""``evalsmith net evaluate``: two players on the same starts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, GameName, JsonFlag, On, print_result
from evalsmith.net.settings import EvaluateSettings
from evalsmith.run.watching import bars

_PLAYER = "A file of a net, greedy (one ply of the evaluation), rollouts (round 0) or weights (tree search with them)."


@takes(EvaluateSettings)
def evaluate(
    game_name: GameName,
    first: Annotated[str, typer.Argument(metavar="FIRST", help=_PLAYER)],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="The other one.")],
    given: dict[str, Any],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="RUN", help="A run folder, so that it can be resumed.")
    ] = None,
    concurrency: Concurrency = None,
    on: On = None,
    fail_if_worse: Annotated[
        bool, typer.Option("--fail-if-worse", help="Exit with 1 where the first is worse beyond chance.")
    ] = False,
    json_output: JsonFlag = False,
) -> None:
    """Compare two players on the same starts: nets, round 0, the weights, or one ply of them."""
    game = load_game(game_name)
    found = es.evaluate_nets(game, first, second, output=output, concurrency=concurrency, progress=bars, **given)
    print_result(found, json_output)
    if fail_if_worse and found.worse:
        raise typer.Exit(1)
