"""``evalsmith weights check``: how far weights are from the values of a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli.data.options import Stages, stages_of
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
    depth: Annotated[
        str | None, typer.Option("--depth", "-d", metavar="N[,N…]", help="Judge searches of these depths too.")
    ] = None,
    sample: Annotated[
        int, typer.Option("--sample", min=1, help="How many positions are searched, at most, with --depth.")
    ] = 2000,
    exact: Annotated[bool, typer.Option("--exact", help="Only positions whose value is exact.")] = False,
    stages: Stages = None,
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
    depths = _depths(depth)
    announce_compiling()
    dataset = open_dataset(on)
    weights = find_weights(path, dataset.game)
    with Bar("searching", min(sample, dataset.rows()) * len(depths), "positions") as bar:
        found = check_weights(
            weights, dataset.batches(), depths=depths, sample=sample, exact=exact, stages=stages_of(stages), seed=seed,
            concurrency=concurrency, progress=bar,
        )  # fmt: skip
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
    alone = len(found.depths) == 1  # more are too wide for a terminal; the page has them
    heads += [f"depth {found.depths[0]}"] if alone else []
    table = Table(*heads, title=f"mean absolute error in {found.unit}")
    table.columns[0].no_wrap = True
    table.columns[1].min_width = len("positions")  # a number that is cut says something else
    for column in table.columns[1:]:
        column.justify = "right"
    for stage in found.stages:
        table.add_row(escape(stage.name), *_cells(stage.static, stage.searches if alone else ()))
    table.add_section()
    table.add_row("all", *_cells(found.static, found.searches if alone else ()))
    print_table(table, f"{found.scored:,} positions have a score, {found.results:,} only the result of their game")
    if found.searched is not None:
        by_depth = Table("", "zero", "error", "ratio", "bias", title="by depth")
        for name, one in [("evaluation", found.searched), *((f"depth {d}", one) for d, one in found.by_depth())]:
            zero, _, ratio, bias = _cells(one, ())[1:]
            by_depth.add_row(name, zero, f"{one.error:.2f} ± {one.spread:.2f}", ratio, bias)
        for column in by_depth.columns[1:]:
            column.justify = "right"
        print_table(by_depth, f"{found.searched.positions:,} positions were searched; ± is one standard error")


def _depths(text: str | None) -> tuple[int, ...]:
    from evalsmith.run import InputError

    try:
        return tuple(int(part) for part in text.split(",")) if text is not None else ()
    except ValueError:
        raise InputError(f"depths are whole numbers with commas between them, not {text!r}") from None


def _cells(static: Accuracy, searches: tuple[Accuracy, ...]) -> list[str]:
    ratio = "–" if static.ratio is None else f"{static.ratio:.3f}"
    cells = [f"{static.positions:,}", f"{static.zero:.2f}", f"{static.error:.2f}", ratio, f"{static.bias:+.2f}"]
    return [*cells, *(f"{one.error:.2f}" if one.positions else "–" for one in searches)]
