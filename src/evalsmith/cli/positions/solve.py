"""``evalsmith solve``: the exact score of a position, for games that have a solver."""

from __future__ import annotations

from typing import Annotated

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import load_board
from evalsmith.cli.common.output import WEIGHTS_HELP, GameName, JsonFlag, RequiredPositionText, print_result, say


def solve(
    game_name: GameName,
    position_text: RequiredPositionText,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            "-w",
            metavar="WEIGHTS",
            help=f"Weights that order the moves; the score does not depend on them. {WEIGHTS_HELP} Or none, for a "
            "lighter evaluation. Default: fitted if the game ships them.",
        ),
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Give up after N nodes.")] = None,
    movetime: Annotated[
        float | None, typer.Option("--movetime", metavar="SECONDS", help="Give up after this time.")
    ] = None,
    memory: Annotated[
        int | None, typer.Option("--memory", metavar="BYTES", help="Size of the solver's table. Default: 64 MiB.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Solve a position: the exact score for the side to move, and best play to the end.

    If a limit is reached first, show the bounds proven so far and exit with code 1.
    """
    board = load_board(game_name, position_text)
    found = es.solve(board, weights=weights, nodes=nodes, movetime=movetime, memory=memory, watch=say)
    print_result(found, json_output)
    if not found.solved:
        raise typer.Exit(1)
