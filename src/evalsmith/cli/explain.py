"""``evalsmith explain``: where the evaluation of a position comes from."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from evalsmith import weights as room
from evalsmith.cli.common.inputs import load_game, read_position
from evalsmith.cli.common.output import GameName, JsonFlag, PositionText, WeightsText, print_json


def explain(
    game_name: GameName,
    position_text: PositionText = None,
    weights: WeightsText = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Number of terms to show in the terminal.")] = 25,
    json_output: JsonFlag = False,
) -> None:
    """Show the evaluation of a position term by term."""
    game = load_game(game_name)
    found = room.explain(game, read_position(game, position_text), weights)
    if json_output:
        print_json({"score": found.score, "unit": game.unit, "terms": [asdict(part) for part in found.parts]})
    else:
        typer.echo(str(found.table(most)))
