"""``evalsmith weights diff``: what two sets of weights have otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.output import JsonFlag, announce_compiling, print_json, print_table


def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A weights file, or self: the hand-set weights.")],
    second: Annotated[str, typer.Argument(metavar="B", help="A weights file, or self.")],
    most: Annotated[int, typer.Option("--most", min=1, help="How many of the largest changes to list.")] = 20,
    json_output: JsonFlag = False,
) -> None:
    """Show where two sets of weights differ: by feature, and the largest changes."""
    from rich.markup import escape
    from rich.table import Table

    from evalsmith.fit.differences import differences
    from evalsmith.run import InputError
    from evalsmith.weights import load_weights, starting_weights

    announce_compiling()
    if first == second == "self":
        raise InputError("one of the two is a weights file; self and self are the same")
    known = load_weights(Path(second if first == "self" else first))
    hand_set = starting_weights(known.game)
    a = hand_set if first == "self" else known
    b = known if first == "self" else hand_set if second == "self" else load_weights(Path(second), known.game)
    found = differences(a, b, most)
    if json_output:
        print_json({"game": known.game.name, "unit": known.game.unit, **found.to_json()})
        return
    table = Table("feature", "weights", "changed", "mean change", "largest", title=f"in {known.game.units}")
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
