"""``evalsmith demo``: the complete path once, with built-in defaults."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

import evalsmith as es
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.output import Concurrency, JsonFlag, Seed, print_json, say
from evalsmith.run import RunFolder
from evalsmith.run.watching import bars

NODES = 1000  # per move of the match


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="The run folder.")] = Path("demo"),
    game_name: Annotated[str, typer.Option("--game", help="The game to demonstrate.")] = "othello",
    games: Annotated[int, typer.Option("--games", help="Number of self-play games.")] = 20000,
    match_games: Annotated[int, typer.Option("--match-games", help="Number of match games.")] = 400,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Self-play, fit, match and report: watch an evaluation become stronger in a few minutes."""
    began = time.perf_counter()
    game = load_game(game_name)
    settings = {"kind": "demo", "game": game.name, "games": games, "match_games": match_games, "seed": seed}
    with RunFolder(output, settings):
        say(f"1 of 4  self-play: {games:,} games from random openings")
        dataset = es.generate(
            game,
            output / "positions",
            games=games,
            player="weights:hand-set",
            seed=seed,
            concurrency=concurrency,
            progress=bars,
        )
        say(f"        {dataset.rows():,} positions with playout values")
        say("2 of 4  fitting the weights, stage by stage")
        weights = output / "weights.json"
        tuned = es.tune(dataset, weights, seed=seed, concurrency=concurrency, progress=bars, say=say)
        say(
            f"        mean error on held-out games {tuned.validation_before.absolute / 100:.2f} → "
            f"{tuned.validation.absolute / 100:.2f} {game.whole_unit}"
        )
        say(f"3 of 4  match: fitted against hand-set weights, {match_games} games at {NODES} nodes per move")
        result = es.match(
            game, f"weights:{weights};name=fitted", "hand-set", output=output / "match", concurrency=concurrency,
            progress=bars, say=say, games=match_games, nodes=NODES, seed=seed,
        )  # fmt: skip
        say("4 of 4  report")
        page = es.write_report(output)
    if json_output:
        print_json(
            {"verdict": result.verdict(), "match": result.to_json(), "tune": tuned.to_json(), "report": str(page)}
        )
        return
    say(f"        {page}, after {time.perf_counter() - began:.0f} s in all")
    typer.echo(result.verdict())
