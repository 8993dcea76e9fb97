"""``evalsmith data split``: one dataset as several, game by game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.data.options import DatasetPath, TextFlag, print_counts
from evalsmith.cli.output import JsonFlag, Seed, announce_compiling, print_json, say

WARNING = (
    "positions of one game are alike: split by position, an error on the other half is flattered by 4 to 6 %, and a "
    "penalty chosen by it is up to ten times too small"
)


def split(
    dataset: DatasetPath,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the datasets are written.")],
    into: Annotated[
        list[str] | None,
        typer.Option("--into", metavar="NAME=SHARE", help="A dataset and its share; train=0.9 and validation=0.1."),
    ] = None,
    by: Annotated[str, typer.Option("--by", help="game, or position, which leaks.")] = "game",
    text: TextFlag = False,
    seed: Seed = 1,
    json_output: JsonFlag = False,
) -> None:
    """Split a dataset by a draw; all positions of a game go the same way."""
    from evalsmith.positions import open_dataset
    from evalsmith.positions.transform.datasets import split as part
    from evalsmith.run import Bar, InputError

    if by not in ("game", "position"):
        raise InputError(f"a dataset is split by game or by position, not by {by!r}")
    if by == "position":
        say(WARNING)
    shares = _shares(into or ["train=0.9", "validation=0.1"])
    announce_compiling()
    with Bar("splitting", open_dataset(dataset).rows(), "positions") as bar:
        found = part(dataset, output, shares, seed=seed, by_position=by == "position", text=text, progress=bar)
    if json_output:
        print_json({name: made.to_json() for name, made in found.items()})
    else:
        print_counts([(str(made.dataset.path), made.positions) for made in found.values()])


def _shares(texts: list[str]) -> dict[str, float]:
    from evalsmith.run import InputError

    shares = {}
    for text in texts:
        name, _, share = text.rpartition("=")
        if name in shares:
            raise InputError(f"--into names {name!r} twice")
        try:
            shares[name] = float(share)
        except ValueError:
            raise InputError(f"{text!r} is not a name and a share, as train=0.9") from None
    return shares
