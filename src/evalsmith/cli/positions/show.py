"""``evalsmith show``: a position as text, picture and facts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_game, read_position, start_text
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import GameName, JsonFlag, PositionText, open_console, print_json
from evalsmith.run import write_text
from evalsmith.run.start_settings import StartSettings


@takes(StartSettings)
def show(
    game_name: GameName,
    given: dict[str, Any],
    position_text: PositionText = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Also write a picture of the position to this file.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show a position: the side to move, the legal moves, and the result if the game is over."""
    game = load_game(game_name)
    position_text = start_text(game, position_text, given)
    position = read_position(game, position_text)
    moves = [game.format_move(position, move) for move in game.moves(position)]
    over = game.status(position) == calls.OVER
    result = game.result(position) if over else None  # hundredths in JSON, as players say it in the terminal
    if svg is not None:
        write_text(svg, game.svg(position))
    if json_output:
        document = {
            "position": game.format(position),
            "mover": game.sides[game.mover(position)],
            "moves": moves,
            "over": over,
            "result": result,
        }
        facts = game.hook("facts")
        print_json(document | (facts(position_text) if facts else {}))
        return
    console = open_console(highlight=False)
    console.print(game.text(position))
    console.print(game.format(position), markup=False, soft_wrap=True)
    if result is not None:
        console.print(f"over: {calls.with_unit(game, result)} for {game.sides[game.mover(position)]}")
    else:
        console.print(
            f"{game.sides[game.mover(position)]} to move, {len(moves)} legal: {' '.join(moves)}", soft_wrap=True
        )
    if svg is not None:
        console.print(f"picture in {svg}", markup=False)
