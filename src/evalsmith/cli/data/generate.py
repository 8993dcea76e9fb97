"""``evalsmith data generate``: a dataset from self-play, without any file."""

from __future__ import annotations

from typing import Any

import typer

import evalsmith as es
from evalsmith.cli.common.data_options import Output
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, GameName, JsonFlag, On, print_json
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.run.watching import bars


@takes(GenerateSettings)
def generate(
    game_name: GameName,
    output: Output,
    given: dict[str, Any],
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Let the engine play against itself, and store the positions with results and search scores.

    Run the same command again to resume an interrupted run, or with more --games to extend the dataset.
    """
    settings = GenerateSettings.from_options(given)
    dataset = es.generate(load_game(game_name), output, concurrency=concurrency, progress=bars, **given)
    if json_output:
        print_json({"games": settings.games, "positions": dataset.rows(), "rejected": {}})
    else:
        typer.echo(f"{settings.games:,} games, {dataset.rows():,} positions in {output}")
