"""``evalsmith lockstep``: are two builds the same, move for move and node for node?"""

from __future__ import annotations

from typing import Annotated

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.output import GameName, JsonFlag, Seed, open_console, print_json
from evalsmith.run import Bar, InputError


def lockstep(
    game_name: GameName,
    first: Annotated[str, typer.Argument(metavar="A", help="A player; see `evalsmith match --help`.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The player that should behave the same.")],
    positions: Annotated[
        str,
        typer.Option(
            "--positions", metavar="FILE|N", help="A file of positions or games, or a number of random positions."
        ),
    ] = "100",
    depth: Annotated[int | None, typer.Option("--depth", metavar="N", help="Search depth per move.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", metavar="N", help="Nodes per move.")] = None,
    seed: Seed = 1,
    json_output: JsonFlag = False,
) -> None:
    """Compare the searches of two players at a fixed depth (default: 8) or number of nodes.

    Exit code 1 if they differ.
    """
    game = load_game(game_name)
    players = (calls.parse_player(first, game), calls.parse_player(second, game))
    openings = calls.positions_of(game, positions, seed)
    limit = calls.Limit(depth=8 if depth is None and nodes is None else depth, nodes=nodes)
    try:
        with Bar("lockstep", len(openings), "positions") as bar:
            result = calls.lockstep(game, players, openings, limit, seed, bar)
    except calls.Failure as failure:
        raise InputError(f"a player failed: {failure}") from None
    if json_output:
        print_json(result.to_json())
    else:
        console = open_console()
        typer.echo(f"{result.positions} positions at {limit}: the same move on {result.same_moves}", nl=False)
        typer.echo(f", the same nodes on {result.same_nodes}" if result.nodes_known else ", nodes not reported by both")
        if result.difference is not None:
            at = result.difference
            typer.echo(f"first difference, position {at.number}: {at.position}")
            console.print(game.text(game.parse(at.position)))
            for player, move, count, score in zip(players, at.moves, at.nodes, at.scores, strict=True):
                typer.echo(f"{player.text}: {move}, {_shown(count)} nodes, score {_shown(score)}")
    if result.difference is not None:
        raise typer.Exit(1)


def _shown(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"
