"""``evalsmith tune``: from a dataset, or straight from files of games, to weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli.output import Concurrency, JsonFlag, Seed, announce_compiling, print_json, print_table, say

if TYPE_CHECKING:
    from evalsmith.fit import Tuned


def tune(
    sources: Annotated[
        list[Path], typer.Argument(metavar="DATASET|FILES…", help="A dataset folder, or files of games.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="WEIGHTS", help="The weights file to write.")],
    penalty: Annotated[float, typer.Option("--penalty", help="Ridge penalty on each weight.")] = 1000.0,
    window: Annotated[int, typer.Option("--window", help="How many stages away positions are borrowed from.")] = 6,
    towards: Annotated[
        str, typer.Option("--towards", help="What the penalty pulls to: zero, or the hand-set start.")
    ] = "start",
    validation: Annotated[float, typer.Option("--validation", help="Share of the games held out.")] = 0.1,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Fit a game's weights to positions by least squares, validated on held-out games."""
    from evalsmith.fit import TuneConfig, tune_sources
    from evalsmith.run import InputError
    from evalsmith.weights import save_weights

    if not output.name or output.is_dir():
        raise InputError(f"-o takes a file to write, not {str(output)!r}")
    announce_compiling()
    config = TuneConfig(penalty=penalty, window=window, towards=towards, validation=validation, seed=seed)
    folder = output.with_suffix(".run")
    tuned = tune_sources(sources, folder, config, concurrency=concurrency, bars=True, say=say)
    save_weights(tuned.weights, output)
    if json_output:
        print_json({**tuned.to_json(), "weights": str(output), "run": str(folder)})
    else:
        _show(tuned, output, folder)


def _show(tuned: Tuned, output: Path, folder: Path) -> None:
    from rich.table import Table

    table = Table(
        "stages", "positions", "held out", "zero", "start", "fitted", title="mean absolute error on held-out games"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    groups = [tuned.stages[i : i + 8] for i in range(0, len(tuned.stages), 8)]
    from evalsmith.fit import total

    for group in groups:
        name = group[0].name if len(group) == 1 else f"{group[0].name} … {group[-1].name}"
        before, after = total([s.validation_before for s in group]), total([s.validation for s in group])
        zero = total([s.validation_zero for s in group])
        table.add_row(
            name, f"{max(s.positions for s in group):,}", f"{after.count:,}",
            f"{zero.absolute:.0f}", f"{before.absolute:.0f}", f"{after.absolute:.0f}",
        )  # fmt: skip
    lines = [
        f"{tuned.positions:,} positions of {tuned.games:,} games, {tuned.passes} passes, {tuned.seconds:.1f} s; "
        f"errors in {tuned.weights.game.units}",
    ]
    if tuned.repeated:
        pairs = ", ".join(f"{column} like {source}" for column, source in tuned.repeated.items())
        lines.append(f"columns without positions: {pairs}")
    print_table(table, *lines, f"weights in {output}, run in {folder}")
