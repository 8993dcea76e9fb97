"""``evalsmith weights diff``: where two sets of weights differ."""

from __future__ import annotations

from typing import Annotated

import typer

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.output import WEIGHTS_HELP, JsonFlag, WeightsGame, print_result
from evalsmith.run.errors import InputError


def diff(
    first: Annotated[str, typer.Argument(metavar="A", help=WEIGHTS_HELP)],
    second: Annotated[str, typer.Argument(metavar="B", help="The weights to compare with A.")],
    game_name: WeightsGame = None,
    top: Annotated[int, typer.Option("--top", min=1, help="Number of largest changes to list.")] = 20,
    json_output: JsonFlag = False,
) -> None:
    """Compare two sets of weights: differences by feature, and the largest changes."""
    announce_compiling()
    if first in calls.NAMES and second in calls.NAMES and game_name is None:
        raise InputError(f"{first} weights of which game? name it with --game")
    print_result(es.compare_weights(first, second, game_name, top=top), json_output)
