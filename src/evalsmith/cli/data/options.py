"""What the verbs of ``evalsmith data`` share."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from evalsmith.cli.output import print_table
from evalsmith.run.progress import Bar

if TYPE_CHECKING:
    from evalsmith.positions.transform.datasets import Made

Output: TypeAlias = Annotated[
    Path, typer.Option("--output", "-o", metavar="DATASET", help="The dataset folder to write.")
]
DatasetPath: TypeAlias = Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset folder.")]
TextFlag: TypeAlias = Annotated[
    bool, typer.Option("--text", help="Add a column with the position as text (FEN, SFEN …).")
]
Stages: TypeAlias = Annotated[
    str | None, typer.Option("--stages", metavar="A-B", help="Only positions of these stages.")
]


def stages_of(text: str | None) -> tuple[int, int] | None:
    """The first and the last stage that a text names; None where there is no text."""
    from evalsmith.run import InputError

    if text is None:
        return None
    low, dash, high = text.partition("-")
    if not (low.isascii() and low.isdigit()) or (dash and not (high.isascii() and high.isdigit())):
        raise InputError(f"stages are a number or two, as 10-20, not {text!r}")
    return int(low), int(high) if dash else int(low)


class Tally(Bar):
    """The progress of work whose end nobody knows beforehand: how much is done, and how fast."""

    def __init__(self, title: str, unit: str) -> None:
        super().__init__(title, 0, unit)

    def __enter__(self) -> Tally:
        super().__enter__()
        if self._bar is not None:
            self._bar.update(self._task, total=None)
        return self

    def advance(self, count: int = 1) -> None:
        """Say that ``count`` more units are done."""
        if self._bar is not None:
            super().advance(count)
            return
        self.done += count
        now = time.monotonic()
        if now - self._said >= 10:
            self._said = now
            rate = self.done / max(now - self._began, 1e-9)
            print(f"{self.title}: {self.done:,} {self.unit}, {rate:,.0f}/s", file=sys.stderr, flush=True)


def print_counts(rows: list[tuple[str, int]]) -> None:
    """Names and counts as a table."""
    from rich.table import Table

    table = Table("", "count")
    table.columns[1].justify = "right"
    for name, count in rows:
        table.add_row(name, f"{count:,}")
    print_table(table)


def print_made(made: Made) -> None:
    """What was written, in a sentence."""
    typer.echo(f"{made.positions:,} positions in {made.dataset.path}")
