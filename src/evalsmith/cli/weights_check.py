"""``evalsmith weights check``: how far weights are from the values of a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli.output import (
    Concurrency,
    JsonFlag,
    Seed,
    WeightsArgument,
    announce_compiling,
    print_json,
    print_table,
    say,
)

if TYPE_CHECKING:
    from evalsmith.fit.accuracy import Accuracy, Check


def check(
    path: WeightsArgument,
    on: Annotated[Path, typer.Option("--on", metavar="DATASET", help="The positions whose values are known.")],
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Judge a search of this depth too.")] = None,
    sample: Annotated[
        int, typer.Option("--sample", min=1, help="How many positions are searched, at most, with --depth.")
    ] = 2000,
    picture: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="PAGE", help="Write a page (.html) or picture (.svg).")
    ] = None,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Compare weights with known values, stage by stage: mean absolute error and bias, beside predicting 0."""
    from evalsmith.fit.accuracy import check_weights
    from evalsmith.positions import open_dataset
    from evalsmith.report.accuracy import write_accuracy
    from evalsmith.run import Bar, InputError
    from evalsmith.weights import find_weights

    if picture is not None and picture.suffix not in (".html", ".svg"):
        raise InputError(f"-o takes a page .html or a picture .svg, not {str(picture)!r}")
    announce_compiling()
    dataset = open_dataset(on)
    weights = find_weights(path, dataset.game)
    with Bar("searching", min(sample, dataset.rows()) if depth else 0, "positions") as bar:
        found = check_weights(
            weights, dataset.batches(), depth=depth, sample=sample, seed=seed, concurrency=concurrency, progress=bar
        )
    if picture is not None:
        write_accuracy(found, picture, f"{path} on {on}")
        say(f"written: {picture}")
    if json_output:
        print_json({**found.to_json(), "game": dataset.game.name, "dataset": str(on)})
    else:
        _show(found)


def _show(found: Check) -> None:
    from rich.markup import escape
    from rich.table import Table

    heads = ["stage", "positions", "zero", "error", "ratio", "bias"]
    heads += [f"depth {found.depth}", "of"] if found.depth else []
    table = Table(*heads, title=f"mean absolute error in {found.unit}")
    table.columns[0].no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    for stage in found.stages:
        table.add_row(escape(stage.name), *_cells(stage.static, stage.search))
    table.add_section()
    table.add_row("all", *_cells(found.static, found.search))
    lines = [f"{found.scored:,} positions have a score, {found.results:,} only the result of their game"]
    if found.search is not None and found.searched is not None:
        lines.append(
            f"on the {found.search.positions:,} positions that were searched: evaluation {found.searched.error:.2f}, "
            f"depth {found.depth} {found.search.error:.2f}, predicting 0 {found.search.zero:.2f} {found.unit}"
        )
    print_table(table, *lines)


def _cells(static: Accuracy, search: Accuracy | None) -> list[str]:
    ratio = "–" if static.ratio is None else f"{static.ratio:.3f}"
    cells = [f"{static.positions:,}", f"{static.zero:.2f}", f"{static.error:.2f}", ratio, f"{static.bias:+.2f}"]
    if search is not None:
        cells += [f"{search.error:.2f}" if search.positions else "–", f"{search.positions:,}"]
    return cells
