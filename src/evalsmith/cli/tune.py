"""``evalsmith tune``: from a dataset, or straight from files of games, to weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli.output import Concurrency, JsonFlag, announce_compiling, print_json, print_table, say

if TYPE_CHECKING:
    from evalsmith.fit import Tuned, TuneRequest


def tune(
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DATASET|FILES…|CONFIG.toml", help="A dataset folder, files of games, or a TOML file."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="WEIGHTS", help="The weights file to write.")
    ] = None,
    config_file: Annotated[
        Path | None, typer.Option("--config", metavar="TOML", help="Settings from a file; flags go before it.")
    ] = None,
    loss: Annotated[str | None, typer.Option("--loss", help="squared.  [default: squared]")] = None,
    method: Annotated[str | None, typer.Option("--method", help="cg, conjugate gradient.  [default: cg]")] = None,
    penalty: Annotated[
        str | None, typer.Option("--penalty", help="Ridge penalty on each weight, or auto.  [default: 1000]")
    ] = None,
    window: Annotated[
        str | None,
        typer.Option("--window", help="How many stages away positions are borrowed from, or auto.  [default: 6]"),
    ] = None,
    towards: Annotated[
        str | None,
        typer.Option("--towards", help="What the penalty pulls to: zero, or the hand-set start.  [default: start]"),
    ] = None,
    dense: Annotated[
        str | None,
        typer.Option("--dense", help="Curve of ordered features: none, linear, sqrt, monotone, auto.  [default: none]"),
    ] = None,
    terms: Annotated[
        list[str] | None,
        typer.Option("--term", metavar="FEATURE", help="Fit this feature. Repeatable; all if left out."),
    ] = None,
    validation: Annotated[
        float | None, typer.Option("--validation", help="Share of the games held out.  [default: 0.1]")
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option("--tolerance", help="When a solve has converged.  [default: 0.001]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Makes everything random reproducible.  [default: 1]")
    ] = None,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Fit a game's weights to positions by least squares, validated on held-out games."""
    from evalsmith.fit import TuneRequest, tune_sources
    from evalsmith.fit.config import changed, number_or_auto, whole_or_auto
    from evalsmith.run import InputError
    from evalsmith.weights import save_weights

    request = _request(sources or [], config_file)
    config = changed(
        request.config,
        {
            "loss": loss,
            "method": method,
            "penalty": None if penalty is None else number_or_auto("penalty", penalty),
            "window": None if window is None else whole_or_auto("window", window),
            "towards": towards,
            "dense": dense,
            "terms": terms or None,
            "validation": validation,
            "tolerance": tolerance,
            "seed": seed,
        },
    )
    request = TuneRequest(
        request.sources, request.output if output is None else output, config, concurrency or request.concurrency
    )
    if not request.sources:
        raise InputError("there is nothing to fit to: name a dataset, files of games, or a TOML file with sources")
    place = request.output
    if place is None:
        raise InputError("-o names the weights file to write")
    if not place.name or place.is_dir():
        raise InputError(f"-o takes a file to write, not {str(place)!r}")
    announce_compiling()
    folder = place.with_suffix(".run")
    tuned = tune_sources(
        request.sources, folder, config, concurrency=request.concurrency, bars=True, say=say
    )  # fmt: skip
    save_weights(tuned.weights, place)
    if json_output:
        print_json({**tuned.to_json(), "weights": str(place), "run": str(folder)})
    else:
        _show(tuned, place, folder)


def _request(sources: list[Path], config_file: Path | None) -> TuneRequest:
    """What the file asks for, and the sources of the command line before those of the file."""
    from evalsmith.fit import TuneConfig, TuneRequest, read_request
    from evalsmith.run import InputError

    named = [source for source in sources if source.suffix == ".toml"]
    if len(named) + (config_file is not None) > 1:
        raise InputError("one TOML file says how to fit, not several")
    rest = tuple(source for source in sources if source.suffix != ".toml")
    path = config_file or (named[0] if named else None)
    if path is None:
        return TuneRequest(rest, None, TuneConfig())
    asked = read_request(path)
    return TuneRequest(rest or asked.sources, asked.output, asked.config, asked.concurrency)


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
    for choice in tuned.choices:
        tried = ", ".join(f"{one.value}: {one.errors.absolute:.1f}" for one in choice.tried)
        lines.append(f"{choice.setting} {choice.value}, chosen by validation (mean absolute error of {tried})")
    plain = tuned.to_json()["validation_plain"]
    if plain:
        lines.append(
            f"with {tuned.settings['dense']} curves {tuned.validation.absolute:.1f}, without {plain['absolute']:.1f}"
        )
    if tuned.repeated:
        pairs = ", ".join(f"{column} like {source}" for column, source in tuned.repeated.items())
        lines.append(f"columns without positions: {pairs}")
    print_table(table, *lines, f"weights in {output}, run in {folder}")
