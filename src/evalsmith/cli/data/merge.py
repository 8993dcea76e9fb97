"""``evalsmith data merge``: several datasets as one, complete or as a mixture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.data_options import Output
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import JsonFlag, print_json
from evalsmith.positions.transform.settings import MergeSettings, MixtureSettings
from evalsmith.run import InputError
from evalsmith.run.watching import bars


@takes(MergeSettings, MixtureSettings)
def merge(
    output: Output,
    given: dict[str, Any],
    paths: Annotated[list[Path] | None, typer.Argument(metavar="DATASETS…", help="Dataset folders.")] = None,
    mix: Annotated[
        Path | None,
        typer.Option(
            "--mix", metavar="TOML", help="A file with the share of each dataset: mix = { a = 0.7, b = 0.3 }."
        ),
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Combine several datasets into one; games and sources stay distinct."""
    if (mix is None) == (not paths):
        raise InputError("give the datasets to merge, or a file with --mix, but not both")
    announce_compiling()
    if mix is None:
        chosen = {name: value for name, value in given.items() if name != "seed"}
        dataset = es.merge(paths or [], output, progress=bars, **chosen)
    elif given.get("dedup"):
        raise InputError("--dedup applies to datasets that are merged, not to --mix")
    else:
        settings = MixtureSettings.from_options({name: value for name, value in given.items() if name != "dedup"})
        dataset = calls.open_mixture(mix, seed=settings.seed).write(output, text=settings.text, progress=bars)
    if json_output:
        print_json({"dataset": str(dataset.path), "positions": dataset.rows()})
    else:
        typer.echo(f"{dataset.rows():,} positions in {dataset.path}")
