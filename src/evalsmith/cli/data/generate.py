"""``evalsmith data generate``: a dataset from self-play, without any file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.data.options import Output, TextFlag
from evalsmith.cli.output import Concurrency, GameName, JsonFlag, Seed, load_game, print_json


def generate(
    game_name: GameName,
    output: Output,
    games: Annotated[int, typer.Option("--games", help="How many games of self-play.")] = 2000,
    player: Annotated[
        str, typer.Option("--player", help="Who plays: self, weights:W (a file, hand-set, fitted) or random.")
    ] = "self",
    nodes: Annotated[int, typer.Option("--nodes", help="Search effort a move.")] = 200,
    random_plies: Annotated[int, typer.Option("--random-plies", help="Random plies at the start of each game.")] = 6,
    noise: Annotated[
        float, typer.Option("--noise", help="Share of random moves after that, up to a random ply.")
    ] = 0.2,
    temperature: Annotated[
        float,
        typer.Option("--temperature", help="Draw among the best moves up to that ply; in the game's unit, 0 for none."),
    ] = 0.0,
    resign: Annotated[
        int | None, typer.Option("--resign", help="End games that both sides call decided by this score.")
    ] = None,
    draw: Annotated[
        int | None, typer.Option("--draw", help="End games as drawn after so many plies with scores near 0.")
    ] = None,
    book: Annotated[
        Path | None, typer.Option("--book", help="Begin at positions of a list, or of games of a file.")
    ] = None,
    book_plies: Annotated[int, typer.Option("--book-plies", help="Plies of the book's games that are played.")] = 8,
    rare: Annotated[
        int | None, typer.Option("--rare", help="Add positions for features seen fewer times than this.")
    ] = None,
    rare_games: Annotated[int, typer.Option("--rare-games", help="Random games that are searched for them.")] = 1000,
    scores: Annotated[
        bool, typer.Option("--scores", help="Keep what the search thought of each position, before random moves too.")
    ] = False,
    text: TextFlag = False,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Play games of the engine against itself, and keep the positions with their playout values."""
    from evalsmith.positions import GenerateConfig
    from evalsmith.positions import generate as make
    from evalsmith.run import Bar

    game = load_game(game_name)
    config = GenerateConfig(
        games, player, nodes, random_plies, noise, seed, temperature, resign, draw,
        None if book is None else str(book), book_plies, rare, rare_games, text, scores,
    )  # fmt: skip
    with Bar("self-play", games, "games") as bar:
        dataset = make(game, output, config, concurrency=concurrency, progress=bar)
    if json_output:
        print_json({"games": games, "positions": dataset.rows(), "rejected": {}})
    else:
        typer.echo(f"{games:,} games, {dataset.rows():,} positions in {output}")
