"""``evalsmith data sample``: some of a dataset, and in another order."""

from __future__ import annotations

from typing import Annotated

import typer

from evalsmith.cli.data.options import DatasetPath, Output, TextFlag, print_made
from evalsmith.cli.output import JsonFlag, Seed, announce_compiling, print_json


def sample(
    dataset: DatasetPath,
    output: Output,
    positions: Annotated[
        int | None, typer.Option("--positions", help="How many positions, of what the other two leave.")
    ] = None,
    share: Annotated[float | None, typer.Option("--share", help="Which share of that, in place of a number.")] = None,
    per_game: Annotated[int | None, typer.Option("--per-game", help="At most so many of a game.")] = None,
    per_stage: Annotated[int | None, typer.Option("--per-stage", help="At most so many of a stage.")] = None,
    shuffle: Annotated[bool, typer.Option("--shuffle", help="In an order that is drawn.")] = False,
    text: TextFlag = False,
    seed: Seed = 1,
    json_output: JsonFlag = False,
) -> None:
    """Draw positions of a dataset into another."""
    from evalsmith.positions import open_dataset
    from evalsmith.positions.transform.datasets import Sampling
    from evalsmith.positions.transform.datasets import sample as take
    from evalsmith.run import Bar

    how = Sampling(positions, share, per_game, per_stage, shuffle, seed)
    announce_compiling()
    with Bar("sampling", open_dataset(dataset).rows(), "positions") as bar:
        made = take(dataset, output, how, text=text, progress=bar)
    if json_output:
        print_json(made.to_json())
    else:
        print_made(made)
