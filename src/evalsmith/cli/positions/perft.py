"""``evalsmith perft``: count move sequences."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_game, read_position, start_text
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import GameName, JsonFlag, PositionText, print_json, print_table
from evalsmith.run import Bar, InputError
from evalsmith.run.start_settings import StartSettings


@takes(StartSettings)
def perft(
    game_name: GameName,
    depth: Annotated[int, typer.Option("--depth", "-d", help="Depth in plies.")],
    given: dict[str, Any],
    position_text: PositionText = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count after each first move.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Count the move sequences of a given length, to verify a move generator."""
    from rich.table import Table

    game = load_game(game_name)

    if not 0 <= depth <= calls.MAX_DEPTH:
        raise InputError(f"the depth must be from 0 to {calls.MAX_DEPTH}, not {depth}")
    position_text = start_text(game, position_text, given)
    position = read_position(game, position_text)
    with Bar("perft", len(game.moves(position)), "moves") as bar:
        found = calls.perft(game, position, depth, bar)
    if json_output:
        print_json({"nodes": found.nodes, "seconds": round(found.seconds, 6), "divide": found.divide})
        return
    if divide:
        table = Table("move", "nodes")
        table.columns[1].justify = "right"
        for move, nodes in found.divide.items():
            table.add_row(move, f"{nodes:,}")
        print_table(table)
    rate = found.nodes / max(found.seconds, 1e-9)
    typer.echo(f"perft {depth}: {found.nodes:,} nodes in {found.seconds:.3f} s ({rate / 1e6:.1f} million/s)")
