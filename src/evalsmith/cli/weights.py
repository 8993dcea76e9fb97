"""``evalsmith weights``: look at weights, judge and compare them, and export them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from evalsmith.cli.output import (
    JsonFlag,
    WeightsArgument,
    WeightsGame,
    announce_compiling,
    print_json,
    print_table,
    read_weights,
)
from evalsmith.cli.weights_check import check
from evalsmith.cli.weights_diff import diff

weights_app = typer.Typer(
    help="Look at weights, judge and compare them, and export them for other programs.", no_args_is_help=True
)
weights_app.command()(check)
weights_app.command()(diff)


@weights_app.command()
def show(
    path: WeightsArgument,
    game: WeightsGame = None,
    column: Annotated[
        int | None, typer.Option("--column", help="Which column to look at; the middle one if left out.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="How many of the largest weights to list.")] = 20,
    json_output: JsonFlag = False,
) -> None:
    """Show what weights hold: their features, and the largest weights of a column."""
    import numpy as np
    from rich.markup import escape
    from rich.table import Table

    from evalsmith.run import InputError

    announce_compiling()
    weights = read_weights(path, game)
    layout = weights.layout
    chosen = len(layout.columns) // 2 if column is None else column
    if not 0 <= chosen < len(layout.columns):
        raise InputError(f"column {column} is not one of 0 to {len(layout.columns) - 1}")
    row = weights.values[chosen]
    describe = {feature.name: feature.describe for feature in weights.game.evaluation.features}
    largest: list[dict[str, Any]] = []
    for index in np.argsort(-np.abs(row), kind="stable")[:most]:
        feature, within = layout.feature_at(int(index))
        largest.append(
            {"feature": feature, "index": within, "is": describe[feature](within), "weight": int(row[index])}
        )
    features = []
    for name, size in layout.features:
        block = row[layout.slice_of(name)]
        features.append(
            {
                "feature": name,
                "size": size,
                "used": int((block != 0).sum()),
                "smallest": int(block.min()),
                "largest": int(block.max()),
            }
        )
    if json_output:
        print_json(
            {
                "game": weights.game.name,
                "name": weights.name,
                "unit": weights.game.unit,
                "columns": list(layout.columns),
                "column": layout.columns[chosen],
                "features": features,
                "largest": largest,
                "provenance": weights.provenance,
            }
        )
        return
    table = Table(
        "feature",
        "size",
        "not 0",
        "smallest",
        "largest",
        title=escape(f"{weights.name}, column {layout.columns[chosen]}"),
    )
    for entry in features:
        table.add_row(
            escape(str(entry["feature"])), *(f"{entry[key]:,}" for key in ("size", "used", "smallest", "largest"))
        )
    print_table(table)
    top = Table("feature", "is", "weight", title=f"largest weights, {weights.game.units}")
    for item in largest:
        top.add_row(escape(str(item["feature"])), escape(str(item["is"])), f"{item['weight']:+d}")
    print_table(top)


@weights_app.command()
def export(
    path: WeightsArgument,
    output: Annotated[Path, typer.Argument(help="The file or folder to write.")],
    kind: Annotated[
        str, typer.Option("--format", help="json, othello-slices, othello-slices16, c, rust or python.")
    ] = "json",
    game: WeightsGame = None,
    json_output: JsonFlag = False,
) -> None:
    """Write weights in a form that other programs read."""
    from evalsmith.weights import export_weights

    announce_compiling()
    written = export_weights(read_weights(path, game), output, kind)
    if json_output:
        print_json({"files": [str(file) for file in written]})
    else:
        typer.echo(f"{len(written)} files in {output}" if len(written) > 1 else f"written: {written[0]}")
