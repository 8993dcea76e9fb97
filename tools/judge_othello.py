"""Judge Othello weights by exact values that they were not fitted to: mean absolute errors in discs, by depth.

    python tools/judge_othello.py fitted --wthor FOLDER      tournament positions with 24 empties, 2010 to 2015
    python tools/judge_othello.py fitted --played 400        positions with 20 empties of games that the weights play

The exact values of the first come with the files; those of the second are solved here. The error of predicting 0 tells
how far apart the values are, so errors on different sets are best compared by their ratio to it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from evalsmith.games import find_game
from evalsmith.positions import GenerateConfig, generate, import_records, open_dataset
from evalsmith.positions.samples import EXACT
from evalsmith.run import Bar, EvalsmithError, InputError
from evalsmith.scale import cores, on_threads
from evalsmith.search import Limit, Searcher
from evalsmith.weights import Weights, find_weights

GAME = find_game("othello")
YEARS = range(2010, 2016)
TOURNAMENT_EMPTIES, PLAYED_EMPTIES = 24, 20
PLAYED_NODES, PLAYED_SEED = 1_000, 20_000
CHUNK = 50
TABLE = 1 << 21

Positions = npt.NDArray[np.uint64]
Values = npt.NDArray[np.int32]


def tournament_positions(folder: Path) -> tuple[Positions, Values]:
    """The positions of WTHOR files that have an exact value, and these."""
    files = [file for year in YEARS if (file := folder / f"WTH_{year}.wtb").exists()]
    if len(files) < len(YEARS):
        raise InputError(f"{folder} has not all files WTH_{YEARS[0]}.wtb to WTH_{YEARS[-1]}.wtb")
    with TemporaryDirectory() as place:
        import_records(files, Path(place) / "games", game=GAME)
        samples = open_dataset(Path(place) / "games").read()
    rows = np.flatnonzero((samples.phase == TOURNAMENT_EMPTIES) & (samples.label == EXACT))
    return samples.words[rows], samples.score[rows]


def played_positions(text: str, weights: Weights, games: int) -> tuple[Positions, Values]:
    """One position of each game that the weights play against themselves after eight random plies, solved."""
    config = GenerateConfig(
        games, f"weights:{text}", nodes=PLAYED_NODES, random_plies=8, noise=0.0, seed=PLAYED_SEED
    )  # fmt: skip
    with TemporaryDirectory() as place:
        generate(GAME, Path(place) / "games", config)
        samples = open_dataset(Path(place) / "games").read()
    words = samples.words[samples.phase == PLAYED_EMPTIES]
    words = words[np.unique(words[:, :2], axis=0, return_index=True)[1]]
    solve = GAME.hook("solve")
    assert solve is not None

    def exact(row: int) -> int:
        return int(solve(words[row], weights=weights.engine_row, table_bytes=1 << 24).score)

    values = np.zeros(len(words), dtype=np.int32)
    with Bar("solving", len(words), "positions") as bar:
        for row, value in on_threads(exact, range(len(words)), cores(), lambda: None):
            values[row] = value
            bar.advance()
    return words, values


def search_values(weights: Weights, words: Positions, depth: int) -> npt.NDArray[np.int64]:
    """What a search of this depth says of each position, by itself."""
    found = np.zeros(len(words), dtype=np.int64)

    def work(start: int) -> None:
        searcher = Searcher(GAME, weights, TABLE)
        for row in range(start, min(start + CHUNK, len(words))):
            searcher.new_game()
            found[row] = searcher.think(words[row], Limit(depth=depth)).lines[0].score

    with Bar(f"depth {depth}", len(words), "positions") as bar:
        for _ in on_threads(work, range(0, len(words), CHUNK), cores(), lambda: None):
            bar.advance(CHUNK)
    return found


def show(weights: Weights, words: Positions, values: Values, depths: list[int], sample: int | None) -> None:
    """The table: error with its standard error, bias, ratio to predicting 0."""
    drawn = np.random.default_rng(1).permutation(len(words))
    print("depth  positions  error, discs    bias   predicting 0   ratio")
    for depth in depths:
        # One ply is judged on all positions, deeper searches on the same draw of them.
        rows = drawn if depth == 1 or sample is None else drawn[:sample]
        off = (search_values(weights, words[rows], depth) - values[rows]) / 100
        zero = float(np.abs(values[rows]).mean()) / 100
        error, spread = float(np.abs(off).mean()), float(np.abs(off).std()) / len(off) ** 0.5
        told = f"{depth:5}  {len(rows):9,}  {error:5.2f} ± {spread:.2f}"
        print(f"{told}  {off.mean():+6.2f}   {zero:12.2f}   {error / zero:.3f}", flush=True)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", help="a weights file, fitted or hand-set")
    parser.add_argument("--wthor", type=Path, help="a folder with WTHOR files")
    parser.add_argument("--played", type=int, metavar="GAMES", help="games to play")
    parser.add_argument("--depths", default="1,4,10")
    parser.add_argument("--sample", type=int, help="positions for depths above 1; all if left out")
    given = parser.parse_args()
    try:
        weights = find_weights(given.weights, GAME)
        depths = [int(depth) for depth in given.depths.split(",")]
        if given.wthor:
            print(f"tournaments of {YEARS[0]} to {YEARS[-1]}, {TOURNAMENT_EMPTIES} empties")
            show(weights, *tournament_positions(given.wthor), depths, given.sample)
        if given.played:
            print(f"games of the weights at {PLAYED_NODES:,} nodes a move, {PLAYED_EMPTIES} empties")
            show(weights, *played_positions(given.weights, weights, given.played), depths, given.sample)
    except EvalsmithError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
