"""``evalsmith search``: the best moves of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_board
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import GameName, JsonFlag, PositionText, WeightsText, print_result, say
from evalsmith.engine.settings import SearchSettings
from evalsmith.run.start_settings import StartSettings


@takes(SearchSettings, StartSettings)
def search(
    game_name: GameName,
    given: dict[str, Any],
    position_text: PositionText = None,
    weights: WeightsText = None,
    net: Annotated[
        Path | None,
        typer.Option("--net", metavar="FILE", rich_help_panel="Position", help="Search with this net instead."),
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Search a position for the best moves."""
    if given.get("nodes") is not None and given.get("threads", 1) > 1:
        say("with several threads, a search with a node limit is not reproducible")
    board = load_board(game_name, position_text, given)
    if net is not None:
        print_result(calls.search_with_net(board, net, **given), json_output)
        return
    found = es.search(board, weights=weights, watch=say, **given)
    if given.get("memory") is not None:
        say(f"memory: {found.memory}")
    print_result(found, json_output)
