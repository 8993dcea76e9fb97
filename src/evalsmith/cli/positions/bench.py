"""``evalsmith bench``: one node count over fixed positions of every game."""

from __future__ import annotations

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.output import JsonFlag, print_json, print_table


def bench(json_output: JsonFlag = False) -> None:
    """Count the nodes of fixed searches in every game. The count changes when the search does."""
    from rich.table import Table

    announce_compiling()

    found = calls.run_bench()
    if json_output:
        print_json({"nodes": found.nodes, "games": found.games})
        return
    table = Table("game", "method", "nodes", "seconds", "nodes/s")
    for column in table.columns[2:]:
        column.justify = "right"
    for line in found.lines:
        speed = f"{line.nodes_per_second:,.0f}"
        table.add_row(line.game, line.method, f"{line.nodes:,}", f"{line.seconds:.2f}", speed)
    print_table(table)
    rate = found.nodes / max(found.seconds, 1e-9)
    typer.echo(f"bench: {found.nodes:,} nodes in {found.seconds:.2f} s ({rate:,.0f}/s) by alpha-beta and the solver")
