"""``evalsmith data``: make datasets of positions, and look at them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.output import (
    Concurrency,
    GameName,
    JsonFlag,
    Seed,
    announce_compiling,
    load_game,
    print_json,
    print_table,
    say,
)

data_app = typer.Typer(
    help="Make datasets of positions from self-play or files of games, and look at them.", no_args_is_help=True
)
Output = Annotated[Path, typer.Option("--output", "-o", metavar="DATASET", help="The dataset folder to write.")]
GameOption = Annotated[str | None, typer.Option("--game", help="The game, where the files do not tell.")]


@data_app.command()
def generate(
    game_name: GameName,
    output: Output,
    games: Annotated[int, typer.Option("--games", help="How many games of self-play.")] = 2000,
    player: Annotated[str, typer.Option("--player", help="Who plays: self, weights:FILE or random.")] = "self",
    nodes: Annotated[int, typer.Option("--nodes", help="Search effort a move.")] = 200,
    random_plies: Annotated[int, typer.Option("--random-plies", help="Random plies at the start of each game.")] = 6,
    noise: Annotated[
        float, typer.Option("--noise", help="Share of random moves after that, up to a random ply.")
    ] = 0.2,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Play games of the engine against itself, and keep the positions with their playout values."""
    from evalsmith.positions import GenerateConfig
    from evalsmith.positions import generate as make
    from evalsmith.run import Bar

    game = load_game(game_name)
    config = GenerateConfig(games, player, nodes, random_plies, noise, seed)
    with Bar("self-play", games, "games") as bar:
        dataset = make(game, output, config, concurrency=concurrency, progress=bar)
    if json_output:
        print_json({"games": games, "positions": dataset.rows(), "rejected": {}})
    else:
        typer.echo(f"{games:,} games, {dataset.rows():,} positions in {output}")


@data_app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="Files of games, or folders of them.")],
    output: Output,
    game_name: GameOption = None,
    json_output: JsonFlag = False,
) -> None:
    """Read files of played games into a dataset."""
    from rich.table import Table

    from evalsmith.games import find_game
    from evalsmith.positions import import_records

    game = find_game(game_name) if game_name else None
    announce_compiling()
    imported = import_records(files, output, game=game)
    for fault in imported.faults[:10]:
        say(fault)
    if json_output:
        print_json(imported.to_json())
        return
    table = Table("", "count")
    table.columns[1].justify = "right"
    table.add_row("games", f"{imported.games:,}")
    table.add_row("positions", f"{imported.positions:,}")
    for reason, count in sorted(imported.rejected.items(), key=lambda item: -item[1]):
        table.add_row(f"rejected: {reason}", f"{count:,}")
    print_table(table)


@data_app.command()
def info(
    path: Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset folder.")], json_output: JsonFlag = False
) -> None:
    """Show what a dataset holds."""
    import numpy as np
    from rich.table import Table

    from evalsmith.positions import UNKNOWN, open_dataset

    announce_compiling()
    dataset = open_dataset(path)
    samples = dataset.read()
    target = samples.target[samples.target != UNKNOWN]
    stages = {
        int(phase): int(count) for phase, count in zip(*np.unique(samples.phase, return_counts=True), strict=True)
    }
    document = {
        "game": dataset.game.name,
        "rules_version": dataset.game.rules_version,
        "positions": len(samples),
        "games": len(np.unique(samples.game)),
        "labelled": len(target),
        "won": int((target > 0).sum()),
        "tied": int((target == 0).sum()),
        "lost": int((target < 0).sum()),
        "mean_absolute": float(np.abs(target).mean()) if len(target) else None,
        "stages": stages,
        "made": dataset.made,
    }
    if json_output:
        print_json(document)
        return
    table = Table(show_header=False)
    for key in ("game", "positions", "games", "labelled", "won", "tied", "lost"):
        value = document[key]
        table.add_row(key, f"{value:,}" if isinstance(value, int) else str(value))
    table.add_row(
        "mean of the absolute value", f"{document['mean_absolute']:.1f} {dataset.game.units}" if len(target) else "-"
    )
    table.add_row("stages", f"{len(stages)}, from {min(stages, default=0)} to {max(stages, default=0)}")
    table.add_row(
        "made by", ", ".join(f"{key} {value}" for key, value in dataset.made.items() if not isinstance(value, list))
    )
    print_table(table)
