"""How fast DVONN is: random playouts against the naive twin, the rules against the same in C++, the evaluation.

Everything runs on one core, and seconds are the processor's, so that other programs disturb little. A peer that cannot
be had is named and left out.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from evalsmith.compile import at, driver, pointer
from evalsmith.games.contract import (
    BLEND,
    CONTEXT_SIZE,
    MAX_MOVES,
    SCALE,
    WEIGHTS,
    WIDTH,
    WORDS,
    evaluate_of,
    moves_of,
    play_into,
)
from evalsmith.games.dvonn import GAME
from evalsmith.games.keys import mix
from evalsmith.games.perft import perft

HERE = Path(__file__).resolve().parent
GAMES, NAIVE_GAMES, ROUNDS = 20_000, 20, 5
SEED = np.uint64(7)
FULL = "CDCDCDCDCDCDCDCDCDCDCDBCDBCDBCDCDCDCDCDCDCDCDCDCDC"
OPEN = "CAAAAGCDAGAAGDABAHADAACDCNCAKGALSAHHAAALAAABACAAAH"
CHECKSUM = CONTEXT_SIZE - 1  # read by nobody; it keeps the evaluations from being optimised away
_STEP, _HALF, _LOW = np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)


@driver("int64(int64[::1], uint64[::1], int64[::1], int64, uint64, int64)")
def playouts(context, rows, buffer, games, seed, evaluating):
    """Random games from the first of three rows to their ends; the number of plies."""
    where, moves, words = pointer(context), pointer(buffer), context[WORDS]
    start = pointer(rows)
    plies, state, checksum = 0, seed, 0
    for _ in range(games):
        here, there = at(start, words), at(start, 2 * words)
        for word in range(words):
            here[word] = start[word]
        count = moves_of(where, here, moves)
        while count != 0:
            state = mix(state, _STEP)
            chosen = np.int64(((state & _LOW) * np.uint64(count)) >> _HALF)
            play_into(where, here, moves[chosen], there)
            here, there = there, here
            plies += 1
            if evaluating != 0:
                checksum += evaluate_of(where, here)
            count = moves_of(where, here, moves)
    context[CHECKSUM] = checksum
    return plies


def our_playouts(text: str, games: int, *, evaluating: bool = False) -> tuple[int, float]:
    """The plies of random games, and the seconds of the best round."""
    context = GAME.context(evaluation=True)
    evaluation = GAME.evaluation
    context.attach(WEIGHTS, evaluation.engine(evaluation.starting()))
    context.attach(BLEND, np.array(evaluation.blend, dtype=np.int32).reshape(-1))
    context.row[SCALE], context.row[WIDTH] = evaluation.scale, evaluation.size
    rows = np.zeros(3 * GAME.words, dtype=np.uint64)
    rows[: GAME.words] = GAME.parse(text)
    buffer = np.zeros(context.row[MAX_MOVES], dtype=np.int64)
    taken, plies = [], 0
    for _ in range(ROUNDS):
        began = time.process_time()
        plies = playouts(context.row, rows, buffer, games, SEED, int(evaluating))
        taken.append(time.process_time() - began)
    return plies, min(taken)


def our_perft(text: str, depth: int) -> tuple[int, float]:
    """The leaves below a position, and the seconds of the best round."""
    taken, nodes = [], 0
    for _ in range(ROUNDS):
        began = time.process_time()
        nodes = perft(GAME, GAME.parse(text), depth).nodes
        taken.append(time.process_time() - began)
    return nodes, min(taken)


def naive_rate() -> float:
    """Plies a second of the plain Python game of the tests."""
    place = HERE.parent / "tests" / "naive" / "dvonn.py"
    spec = importlib.util.spec_from_file_location("naive_dvonn", place)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    began = time.process_time()
    plies = sum(module.random_game(seed) for seed in range(NAIVE_GAMES))
    return plies / (time.process_time() - began)


def built(folder: Path) -> Path | None:
    """The C++ peer, compiled; None where there is no compiler."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    program = folder / "dvonn_moves"
    source = HERE / "dvonn_moves.cpp"
    subprocess.run([compiler, "-O3", "-march=native", "-o", str(program), str(source)], check=True)
    return program


def peer(program: Path, *arguments: str) -> tuple[int, float]:
    """What the C++ peer counted, and the seconds of its best round."""
    rounds = [
        subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True).stdout.split()
        for _ in range(ROUNDS)
    ]
    return int(rounds[0][0]), min(float(seconds) for _, seconds in rounds)


def line(what: str, ours: float, other: float | None, name: str) -> None:
    """Our rate, the peer's, and the ratio."""
    compared = f"{name} {other:>14,.0f}/s   ratio {ours / other:8.2f}" if other else f"{name} is absent"
    print(f"{what:<34} {ours:>14,.0f}/s   {compared}", flush=True)


def main() -> None:
    """Print one line a measurement."""
    plies, seconds = our_playouts("start", GAMES)
    line("plies, random games", plies / seconds, naive_rate(), "naive twin")
    plain_plies, plain = our_playouts(FULL, GAMES)
    with tempfile.TemporaryDirectory() as folder:
        program = built(Path(folder))
        theirs = peer(program, "playouts", FULL, str(GAMES)) if program else None
        rate = theirs[0] / theirs[1] if theirs else None
        line("plies, random stacking", plain_plies / plain, rate, "C++")
        for name, text, depth in (("full board", FULL, 4), ("open board", OPEN, 6)):
            nodes, seconds = our_perft(text, depth)
            theirs = peer(program, "perft", text, str(depth)) if program else None
            if theirs and theirs[0] != nodes:
                raise SystemExit(f"{name}: {nodes} leaves here, {theirs[0]} in C++")
            line(f"perft {depth}, {name}", nodes / seconds, theirs[0] / theirs[1] if theirs else None, "C++")
    _, evaluated = our_playouts(FULL, GAMES, evaluating=True)
    print(f"{'evaluations, random stacking':<34} {plain_plies / (evaluated - plain):>14,.0f}/s")


if __name__ == "__main__":
    main()
