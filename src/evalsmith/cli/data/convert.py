"""``evalsmith data convert``: files of games or positions in another format of the same game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.output import JsonFlag, print_json, print_table, say


def convert(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A file of games or positions, or a folder.")],
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="The file to write; a suffix .gz, .bz2, .xz or .zst compresses it.")
    ],
    source_format: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="The format of SOURCE. Default: recognised from the file."),
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="The format of TARGET. Default: from its suffix.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Convert games or positions to another format of the same game, and count what it cannot hold."""
    from rich.markup import escape
    from rich.table import Table

    announce_compiling()
    converted = calls.convert_records(source, target, source_format, target_format)
    for example in converted.examples[:10]:
        say(example)
    if json_output:
        print_json(converted.to_json())
        return
    table = Table(f"{converted.source} to {converted.target}", "count")
    table.columns[1].justify = "right"
    table.add_row("read", f"{converted.read:,}")
    table.add_row("written", f"{converted.written:,}")
    kinds = {"lost": converted.lost, "not written": converted.refused, "broken": converted.broken}
    for kind, counts in {**kinds, "warning": converted.warnings}.items():
        for reason, count in sorted(counts.items(), key=lambda item: -item[1]):
            table.add_row(escape(f"{kind}: {reason}"), f"{count:,}")
    print_table(table)
