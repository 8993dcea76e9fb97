"""``evalsmith weights show``: what weights hold, and how often positions read them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling, read_weights
from evalsmith.cli.common.output import JsonFlag, WeightsArgument, WeightsGame, print_result, say
from evalsmith.run import InputError


def show(
    path: WeightsArgument,
    game: WeightsGame = None,
    column: Annotated[int | None, typer.Option("--column", help="The column to show. Default: the middle one.")] = None,
    feature: Annotated[
        str | None, typer.Option("--feature", metavar="FEATURE", help="List only weights of this feature.")
    ] = None,
    on: Annotated[
        Path | None,
        typer.Option(
            "--on", metavar="DATASET", help="Count how often the evaluation of these positions reads each weight."
        ),
    ] = None,
    rare: Annotated[
        bool, typer.Option("--rare", help="List the weights that are read least, instead of the largest.")
    ] = False,
    top: Annotated[int, typer.Option("--top", min=1, help="Number of weights to list.")] = 20,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE",
            help="Write all weights that are used or not 0 to a .csv or .parquet file: of --column, or of all columns.",
        ),
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show the features of weights, and the largest or rarest weights of a column."""
    announce_compiling()
    dataset = None if on is None else es.load_dataset(on)
    weights = read_weights(path, game) if dataset is None or game is not None else es.load_weights(path, dataset.game)
    if dataset is not None and dataset.game.name != weights.game.name:
        raise InputError(f"{on} holds positions of {dataset.game.name}, not of {weights.game.name}")
    seen = None if dataset is None else calls.count_seen(weights, dataset.batches())
    found = es.list_weights(weights, column=column, feature=feature, on=seen, rare=rare, top=top)
    if table is not None:
        wanted = range(len(weights.layout.columns)) if column is None else [column]
        rows = calls.write_listing(weights, table, wanted, seen=seen, feature=feature)
        say(f"{rows:,} weights in {table}")
    print_result(found, json_output)
