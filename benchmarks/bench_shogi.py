"""Shogi's speed beside its peers, in one run: perft against fairy-stockfish and cshogi, and terms a second.

    python benchmarks/bench_shogi.py [--depth 5]

Needs nothing but the package; a peer that is absent is named and left out.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np

from evalsmith.compile import Indices, Integers, Values, Words, at, driver, pointer
from evalsmith.games.contract import WORDS, terms_of
from evalsmith.games.perft import perft
from evalsmith.games.shogi import GAME

BUSY = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
ENGINE = shutil.which("fairy-stockfish") or "/usr/games/fairy-stockfish"
GOALS = {"fairy-stockfish": 0.5, "cshogi": 3.0, "terms": 300_000}


@driver("int64(int64[::1], uint64[::1], int64, int64, int32[::1], int16[::1])")
def _all_terms(context: Integers, rows: Words, count: int, times: int, index: Indices, value: Values) -> int:
    """Terms of many positions, many times; the sum keeps the work from being left out."""
    total = 0
    for _ in range(times):
        for number in range(count):
            position = at(pointer(rows), number * context[WORDS])
            total += terms_of(pointer(context), position, pointer(index), pointer(value))
    return total


def best(work, times=3):
    """The highest rate of a few runs: others may be using the machine."""
    return max(work() for _ in range(times))


def our_perft(sfen: str, depth: int) -> float:
    position = GAME.parse(sfen)
    perft(GAME, position, 1)
    counted = perft(GAME, position, depth)
    return counted.nodes / counted.seconds


def engine_perft(sfen: str, depth: int) -> float | None:
    if not Path(ENGINE).exists():
        return None
    process = subprocess.Popen(
        [ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )

    def ask(lines: str, until: str) -> str:
        process.stdin.write(lines)
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith(until):
                return line
        raise SystemExit(f"{ENGINE} ended early")

    try:
        place = "startpos" if sfen == "startpos" else f"sfen {sfen}"
        ask("usi\n", "usiok")
        ask(f"setoption name UCI_Variant value shogi\nposition {place}\nisready\n", "readyok")
        began = time.perf_counter()
        answer = ask(f"go perft {depth}\n", "Nodes searched")
        return int(re.search(r"\d+", answer).group()) / (time.perf_counter() - began)
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(10)


def cshogi_perft(sfen: str, depth: int) -> float | None:
    """cshogi pushing every move, as its users walk a tree."""
    try:
        import cshogi
    except ImportError:
        return None
    board = cshogi.Board() if sfen == "startpos" else cshogi.Board(sfen)

    def count(left: int) -> int:
        if left == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(left - 1)
            board.pop()
        return total

    began = time.perf_counter()
    nodes = count(depth)
    return nodes / (time.perf_counter() - began)


def terms_rate(positions: int = 2000, times: int = 30) -> float:
    choose = random.Random(1)
    rows = []
    while len(rows) < positions:
        position = GAME.start()
        for _ in range(150):
            moves = GAME.moves(position)
            if not moves or len(rows) == positions:
                break
            rows.append(position)
            position = GAME.play_unchecked(position, choose.choice(moves))
    table = np.concatenate(rows)
    context = GAME.context(evaluation=True)
    index, value = np.zeros(GAME.max_terms, np.int32), np.zeros(GAME.max_terms, np.int16)
    _all_terms(context.row, table, positions, 1, index, value)
    began = time.perf_counter()
    _all_terms(context.row, table, positions, times, index, value)
    return positions * times / (time.perf_counter() - began)


def compare(name: str, ours: float, theirs: float | None, goal: float) -> None:
    if theirs is None:
        print(f"  {name:<28} not installed: no comparison")
        return
    print(f"  {name:<28} {theirs / 1e6:10.2f} M nodes/s   ratio {ours / theirs:8.2f}   goal {goal}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--depth", type=int, default=5, help="plies from the start; the busy position is two less")
    depth = options.parse_args().depth
    for name, sfen, plies in (("start", "startpos", depth), ("busy", BUSY, depth - 2)):
        ours = best(lambda: our_perft(sfen, plies))  # noqa: B023
        print(f"shogi perft, {name}, depth {plies}: {ours / 1e6:.2f} M nodes/s")
        theirs = best(lambda: engine_perft(sfen, plies) or 0.0) or None  # noqa: B023
        compare("fairy-stockfish go perft", ours, theirs, GOALS["fairy-stockfish"])
        theirs = best(lambda: cshogi_perft(sfen, plies - 1) or 0.0) or None  # noqa: B023
        compare("cshogi pushing every move", ours, theirs, GOALS["cshogi"])
    rate = best(terms_rate)
    print(f"shogi terms: {rate:,.0f} positions/s   goal {GOALS['terms']:,}")


if __name__ == "__main__":
    main()
