"""``evalsmith data merge``: several datasets as one, whole or mixed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.data.options import Output, TextFlag, print_made
from evalsmith.cli.output import JsonFlag, Seed, announce_compiling, print_json


def merge(
    output: Output,
    paths: Annotated[list[Path] | None, typer.Argument(metavar="DATASETS…", help="Dataset folders.")] = None,
    mix: Annotated[
        Path | None,
        typer.Option("--mix", metavar="TOML", help="A file that says how much of each: mix = { a = 0.7, b = 0.3 }."),
    ] = None,
    dedup: Annotated[bool, typer.Option("--dedup", help="Take a position only from the first that has it.")] = False,
    text: TextFlag = False,
    seed: Seed = 1,
    json_output: JsonFlag = False,
) -> None:
    """Write several datasets as one; games and sources stay apart."""
    from evalsmith.positions import open_dataset
    from evalsmith.positions.transform.datasets import merge as join
    from evalsmith.positions.transform.mixture import open_mix
    from evalsmith.run import Bar, InputError

    if (mix is None) == (not paths):
        raise InputError("datasets to be merged, or a file with --mix, are needed, and not both")
    if mix is not None and dedup:
        raise InputError("--dedup goes with datasets that are merged whole, not with --mix")
    announce_compiling()
    if mix is not None:
        mixed = open_mix(mix, seed=seed)
        with Bar("mixing", mixed.rows(), "positions") as bar:
            made = mixed.write(output, text=text, progress=bar)
    else:
        assert paths
        with Bar("merging", sum(open_dataset(path).rows() for path in paths), "positions") as bar:
            made = join(paths, output, dedup=dedup, text=text, progress=bar)
    if json_output:
        print_json(made.to_json())
    else:
        print_made(made)
