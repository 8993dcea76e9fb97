"""``evalsmith weights diff``: where two sets of weights differ."""

from __future__ import annotations

from typing import Annotated

import typer

from evalsmith.cli.common.inputs import announce_compiling, read_weights
from evalsmith.cli.common.output import WEIGHTS_HELP, JsonFlag, WeightsGame, print_json, print_table
from evalsmith.weights import NAMES
from evalsmith.weights.comparison import differences


def diff(
    first: Annotated[str, typer.Argument(metavar="A", help=WEIGHTS_HELP)],
    second: Annotated[str, typer.Argument(metavar="B", help="The weights to compare with A.")],
    game_name: WeightsGame = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Number of largest changes to list.")] = 20,
    json_output: JsonFlag = False,
) -> None:
    """Compare two sets of weights: differences by feature, and the largest changes."""
    from rich.markup import escape
    from rich.table import Table

    announce_compiling()
    # The one that says of which game it is comes first, and then the other is of that game.
    if first in NAMES and second not in NAMES:
        b = read_weights(second, game_name)
        a = read_weights(first, b.game.name)
    else:
        a = read_weights(first, game_name)
        b = read_weights(second, a.game.name)
    found = differences(a, b, most)
    if json_output:
        print_json({"game": a.game.name, "unit": a.game.unit, **found.to_json()})
        return
    table = Table("feature", "weights", "changed", "mean change", "largest", title=f"in {a.game.units}")
    for column in table.columns[1:]:
        column.justify = "right"
    for one in found.features:
        table.add_row(
            escape(one.feature), f"{one.weights:,}", f"{one.changed:,}", f"{one.mean:.1f}", f"{one.largest:,}"
        )
    print_table(table)
    top = Table("column", "feature", "is", "before", "after", "change", title="largest changes")
    for change in found.largest:
        names = (change.column, change.feature, change.meaning)
        top.add_row(
            *map(escape, names), f"{change.before:+d}", f"{change.after:+d}", f"{change.after - change.before:+d}"
        )
    print_table(top, "" if found.largest else "the weights are the same")
