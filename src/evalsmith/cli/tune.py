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
    smooth: Annotated[
        str | None,
        typer.Option("--smooth", help="Pull each slice towards a wider fit: none, stages, auto.  [default: none]"),
    ] = None,
    terms: Annotated[
        list[str] | None,
        typer.Option("--term", metavar="FEATURE", help="Fit this feature. Repeatable; all if left out."),
    ] = None,
    validation: Annotated[
        float | None, typer.Option("--validation", help="Share of the games held out.  [default: 0.1]")
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option("--tolerance", help="Stop when steps improve less than this share.  [default: 1e-5]")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            help="Fit to a made label, else the result (label); or to result, score, mix.  [default: label]",
        ),
    ] = None,
    result_share: Annotated[
        float | None, typer.Option("--result-share", help="How much the result counts in a mix.  [default: 0.5]")
    ] = None,
    generate: Annotated[
        int | None,
        typer.Option(
            "--generate",
            metavar="GAMES",
            min=1,
            help="Where DATASET is missing, make it from so many games of self-play.  [default: 20,000, with --game]",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="Which game; a DATASET that is missing is made by its self-play."),
    ] = None,
    slices: Annotated[bool, typer.Option("--slices", help="List every slice by itself.")] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Makes everything random reproducible.  [default: 1]")
    ] = None,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Fit a game's weights to positions by least squares, validated on held-out games."""
    from dataclasses import replace

    from evalsmith.fit import tune_request
    from evalsmith.fit.config import changed, generation_of, number_or_auto, whole_or_auto
    from evalsmith.fit.watching import bars
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
            "smooth": smooth,
            "terms": terms or None,
            "validation": validation,
            "tolerance": tolerance,
            "target": target,
            "result_share": result_share,
            "seed": seed,
        },
    )
    request = replace(
        request,
        output=request.output if output is None else output,
        config=config,
        concurrency=concurrency or request.concurrency,
        generation=generation_of(request.generation, game, generate, config.seed),
    )
    if not request.sources and request.mix is None:
        raise InputError("there is nothing to fit to: name a dataset, files of games, or a TOML file with sources")
    place = request.output
    if place is None:
        raise InputError("-o names the weights file to write")
    if not place.name or place.is_dir():
        raise InputError(f"-o takes a file to write, not {str(place)!r}")
    announce_compiling()
    folder = place.with_suffix(".run")
    tuned = tune_request(request, folder, watch=bars, say=say)
    save_weights(tuned.weights, place)
    if json_output:
        print_json({**tuned.to_json(), "weights": str(place), "run": str(folder)})
    else:
        _show(tuned, place, folder, slices)


def _request(sources: list[Path], config_file: Path | None) -> TuneRequest:
    """What the file asks for, and the sources of the command line before those of the file."""
    from dataclasses import replace

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
    if rest and asked.mix is not None:
        raise InputError(f"{path} has a mix, so no other sources can be named")
    return replace(asked, sources=rest or asked.sources)


def _names(first: str, last: str) -> str:
    """Two names as one, what they end with once: 24–31 empties."""
    one, other = first.split(" "), last.split(" ")
    if first == last or one[1:] != other[1:]:
        return first if first == last else f"{first} – {last}"
    return " ".join([f"{one[0]}–{other[0]}", *one[1:]])


def _show(tuned: Tuned, output: Path, folder: Path, slices: bool) -> None:
    from rich.table import Table

    from evalsmith.fit import total

    table = Table("stage", "positions", "steps", *(["objective"] if slices else []), "own", "zero", "start", "fitted")
    table.title = "mean absolute error, on the fit's own games and (0, start, fitted) on held-out ones"
    for column in table.columns[1:]:
        column.justify = "right"
    together = 1 if slices else 8
    for i in range(0, len(tuned.stages), together):
        group = tuned.stages[i : i + together]
        steps = sorted(stage.iterations for stage in group)
        sides = ("training", "validation_zero", "validation_before", "validation")
        table.add_row(
            _names(group[0].name, group[-1].name),
            f"{max(stage.positions for stage in group):,}",
            str(steps[0]) if steps[0] == steps[-1] else f"{steps[0]}–{steps[-1]}",
            *([f"{group[0].objective:.4g}"] if slices else []),
            *(f"{total([getattr(stage, side) for stage in group]).absolute:.0f}" for side in sides),
        )
    lines = [
        f"{tuned.positions:,} positions of {tuned.games:,} games, {tuned.passes} passes, {tuned.seconds:.1f} s; "
        f"errors in {tuned.weights.game.units}",
    ]
    unfinished = [str(stage.column) for stage in tuned.stages if not stage.converged]
    if unfinished:
        lines.append(f"the solver ended at its most steps before the tolerance in columns {', '.join(unfinished)}")
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
