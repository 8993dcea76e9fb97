"""Othello: perft against the same algorithm in C++, and what the evaluation and the search make of it."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import numpy as np

from evalsmith.engine import Limit, Searcher
from evalsmith.fit.squares.matrix import build_matrix
from evalsmith.games import contract, find_game
from evalsmith.games.perft import perft
from evalsmith.weights import starting_weights

HERE = Path(__file__).parent
DEPTH, ROUNDS = 11, 5


def compiled_peer() -> Path | None:
    """The C++ program, compiled for this machine; None where there is no compiler."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    build = HERE / "build"
    build.mkdir(exist_ok=True)
    target = build / "othello_perft"
    command = [compiler, "-O3", "-march=native", "-o", str(target), str(HERE / "othello_perft.cpp")]
    subprocess.run(command, check=True)
    return target


def main() -> None:
    game = find_game("othello")
    perft(game, game.start(), 6)
    peer = compiled_peer()
    ours, theirs = [], []
    for _ in range(ROUNDS):  # in turns, so that both see the same machine
        found = perft(game, game.start(), DEPTH)
        assert found.nodes == 212_258_800
        ours.append(found.nodes / found.seconds)
        if peer:
            nodes, seconds = subprocess.run(
                [peer, str(DEPTH)], capture_output=True, text=True, check=True
            ).stdout.split()
            assert int(nodes) == found.nodes
            theirs.append(int(nodes) / float(seconds))
    print(f"perft {DEPTH}          ours {max(ours) / 1e6:8.1f} million nodes/s")
    if theirs:
        print(f"                  C++ {max(theirs) / 1e6:8.1f} million nodes/s (-O3 -march=native)")
        print(f"                ratio {max(ours) / max(theirs):8.2f}   (wanted: at least 0.70)")
    else:
        print("                  C++ absent: no compiler found, so there is no ratio")

    searcher = Searcher(game)
    thought = searcher.think(game.start(), Limit(nodes=2_000_000))
    print(f"search                {thought.nodes / thought.seconds / 1e6:8.2f} million nodes/s, hand-set weights")

    positions = np.array([sample_position(game, seed) for seed in range(500)] * 40)
    phase = np.array(
        [contract.call_position(searcher.context.row, contract.PHASE, p) for p in positions], dtype=np.int32
    )
    layout = starting_weights(game).layout
    build_matrix(game, layout, positions[:10], phase[:10])
    began = time.perf_counter()
    build_matrix(game, layout, positions, phase)
    print(f"rows of the matrix    {len(positions) / (time.perf_counter() - began) / 1e6:8.2f} million positions/s")


def sample_position(game, seed: int):
    """A position some random plies from the start."""
    import random

    source, position = random.Random(seed), game.start()
    for _ in range(source.randrange(4, 50)):
        moves = game.moves(position)
        if not moves:
            break
        position = game.play(position, source.choice(moves))
    return position


if __name__ == "__main__":
    main()
