"""``evalsmith explain``: where the evaluation of a position comes from."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import load_game, read_position, start_text
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import GameName, JsonFlag, PositionText, WeightsText, print_json
from evalsmith.run.start_settings import StartSettings


@takes(StartSettings)
def explain(
    game_name: GameName,
    given: dict[str, Any],
    position_text: PositionText = None,
    weights: WeightsText = None,
    top: Annotated[int, typer.Option("--top", min=1, help="Number of single terms to show in the terminal.")] = 25,
    json_output: JsonFlag = False,
) -> None:
    """Show the evaluation of a position: sums by feature and group for each side, then term by term."""
    game = load_game(game_name)
    found = es.explain(game, read_position(game, start_text(game, position_text, given)), weights)
    if json_output:
        print_json(found.to_json())
        return
    for table in found.tables(top):
        typer.echo(f"{table}\n")
