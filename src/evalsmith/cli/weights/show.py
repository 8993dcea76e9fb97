"""``evalsmith weights show``: what weights hold, and how often positions read them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common.inputs import announce_compiling, read_weights
from evalsmith.cli.common.output import JsonFlag, WeightsArgument, WeightsGame, print_json, print_table, say
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.run import InputError
from evalsmith.weights import Weights, load_weights
from evalsmith.weights.listing import Listed, count_seen, list_weights, write_listing


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
    rare: Annotated[bool, typer.Option("--rare", help="List the least read weights instead of the largest.")] = False,
    most: Annotated[int, typer.Option("--most", min=1, help="Number of weights to list.")] = 20,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE",
            help="Write all weights that are read or not 0 to a .csv or .parquet file: of --column, or of all columns.",
        ),
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show the features of weights, and the largest or rarest weights of a column."""
    announce_compiling()
    dataset = None if on is None else load_dataset(on)
    weights = read_weights(path, game) if dataset is None or game is not None else load_weights(path, dataset.game)
    if dataset is not None and dataset.game.name != weights.game.name:
        raise InputError(f"{on} holds positions of {dataset.game.name}, not of {weights.game.name}")
    columns = weights.layout.columns
    chosen = len(columns) // 2 if column is None else column
    if not 0 <= chosen < len(columns):
        raise InputError(f"the column must be from 0 to {len(columns) - 1}, not {column}")
    seen = None if dataset is None else count_seen(weights, dataset.batches())
    listed = list_weights(weights, chosen, most, seen=seen, feature=feature, rare=rare)
    if table is not None:
        wanted = range(len(columns)) if column is None else [column]
        rows = write_listing(weights, table, wanted, seen=seen, feature=feature)
        say(f"{rows:,} weights in {table}")
    if json_output:
        print_json(
            {
                "game": weights.game.name,
                "name": weights.name,
                "unit": weights.game.unit,
                "columns": list(columns),
                "column": columns[chosen],
                "features": _features(weights, chosen),
                "rarest" if rare else "largest": [each.to_json() for each in listed],
                "provenance": weights.provenance,
            }
        )
    else:
        _show(weights, chosen, listed, "rarest" if rare else "largest")


def _features(weights: Weights, column: int) -> list[dict[str, str | int]]:
    found: list[dict[str, str | int]] = []
    for name, size in weights.layout.features:
        block = weights.values[column, weights.layout.slice_of(name)]
        used, smallest, largest = int((block != 0).sum()), int(block.min()), int(block.max())
        found.append({"feature": name, "size": size, "used": used, "smallest": smallest, "largest": largest})
    return found


def _show(weights: Weights, column: int, listed: list[Listed], which: str) -> None:
    from rich.markup import escape
    from rich.table import Table

    name = escape(f"{weights.name}, column {weights.layout.columns[column]}")
    table = Table("feature", "size", "not 0", "smallest", "largest", title=name)
    for entry in _features(weights, column):
        numbers = (f"{entry[key]:,}" for key in ("size", "used", "smallest", "largest"))
        table.add_row(escape(str(entry["feature"])), *numbers)
    print_table(table)
    counted = any(each.seen is not None for each in listed)
    top = Table(
        "feature", "is", "weight", *(["seen"] if counted else []), title=f"{which} weights, {weights.game.units}"
    )
    for each in listed:
        cells = [escape(each.feature), escape(each.meaning), f"{each.weight:+d}"]
        top.add_row(*cells, *([f"{each.seen:,}"] if counted else []))
    print_table(top)
