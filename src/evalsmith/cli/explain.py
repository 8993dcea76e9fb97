"""``evalsmith explain``: where the evaluation of a position comes from."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from evalsmith.cli.output import (
    GameName,
    JsonFlag,
    PositionText,
    WeightsText,
    load_game,
    print_json,
    print_table,
    read_position,
)


def explain(
    game_name: GameName,
    position_text: PositionText = None,
    weights: WeightsText = None,
    most: Annotated[int, typer.Option("--most", min=1, help="How many terms to show on the terminal.")] = 25,
    json_output: JsonFlag = False,
) -> None:
    """Take the evaluation of a position apart, term by term."""
    from rich.markup import escape
    from rich.table import Table

    from evalsmith.weights import explain as take_apart
    from evalsmith.weights import find_weights

    game = load_game(game_name)
    position = read_position(game, position_text)
    found = take_apart(find_weights(weights or "self", game), position)
    if json_output:
        print_json({"score": found.score, "unit": game.unit, "terms": [asdict(part) for part in found.parts]})
        return
    table = Table("term", "is", "value", "weight", "part")
    for column in table.columns[2:]:
        column.justify = "right"
    for part in found.parts[:most]:
        table.add_row(escape(part.term), escape(part.index), str(part.value), f"{part.weight:g}", f"{part.part:+g}")
    rest = len(found.parts) - most
    more = [f"and {rest} smaller ones"] if rest > 0 else []
    print_table(table, *more, f"score {found.score:+d} {game.units} for {game.sides[game.mover(position)]}, who moves")
