"""``evalsmith improve``: from rules to stronger weights, generation by generation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import announce_compiling, load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, GameName, JsonFlag, On, print_result, say
from evalsmith.improvement.settings import ImproveSettings
from evalsmith.run.watching import bars, unwatched


@takes(ImproveSettings)
def improve(
    game_name: GameName,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="The run folder.")],
    given: dict[str, Any],
    concurrency: Concurrency = None,
    on: On = None,
    progress: Annotated[bool, typer.Option("--progress/--no-progress", help="Show progress.")] = True,
    json_output: JsonFlag = False,
) -> None:
    """Improve the weights of a game by generations of self-play, fits and matches.

    A generation that does not win its match is not kept. Run the same command again to resume an interrupted run, or
    with more --generations to go on. Exit code 1: nothing better than the start was found.
    """
    announce_compiling()
    found = es.improve(
        load_game(game_name),
        output,
        concurrency=concurrency,
        progress=bars if progress else unwatched,
        say=say,
        **given,
    )
    print_result(found, json_output)
    if not found.improved:
        raise typer.Exit(1)
