"""``evalsmith data label``: values for the positions of a dataset that is there."""

from __future__ import annotations

from typing import Annotated

import typer

from evalsmith.cli.data.options import DatasetPath, Stages, stages_of
from evalsmith.cli.output import Concurrency, JsonFlag, Seed, announce_compiling, print_json


def label(
    dataset: DatasetPath,
    by: Annotated[str, typer.Option("--by", help="result, playout, search, solve or player.")],
    player: Annotated[
        str,
        typer.Option(
            "--player",
            help="Whose search or playout: self, weights:W (a file or a name); by player uci:COMMAND, …",
        ),
    ] = "self",
    nodes: Annotated[int | None, typer.Option("--nodes", help="Nodes a search, or a move of a playout.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Depth of a search.")] = None,
    movetime: Annotated[float | None, typer.Option("--movetime", help="Seconds a search, a move or a solve.")] = None,
    empties: Annotated[
        int | None, typer.Option("--empties", help="Solve positions with at most so many empty squares.")
    ] = None,
    multipv: Annotated[
        int | None, typer.Option("--multipv", help="Keep so many best moves with their scores; by search and player.")
    ] = None,
    stages: Stages = None,
    missing: Annotated[bool, typer.Option("--missing", help="Only positions that have no score yet.")] = False,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Give positions a score: a playout's, a search's, an exact one, or that of another program.

    ``--by result`` takes scores away, so that the game's result is the value again. Killed work goes on from where it
    was with the same command.
    """
    from evalsmith.positions.labelling.labellers import LabelConfig
    from evalsmith.positions.labelling.labels import count_wanted, label_dataset
    from evalsmith.run import Bar

    config = LabelConfig(by, player, nodes, depth, movetime, empties, stages_of(stages), missing, seed, multipv)
    announce_compiling()
    total = count_wanted(dataset, config)
    with Bar("labelling", total, "positions") as bar:
        labelled = label_dataset(dataset, config, concurrency=concurrency, progress=bar)
    if json_output:
        print_json(labelled.to_json())
    else:
        typer.echo(f"{labelled.labelled:,} of {labelled.positions:,} positions have a label by {by} in {dataset}")
