"""How fast chess is: perft beside python-chess and Stockfish, terms and FEN, all in one run on one core.

python benchmarks/bench_chess.py
"""

from __future__ import annotations

import random
import shutil
import subprocess
import time

import numpy as np

from evalsmith.compile import Indices, Integers, Values, Words, at, driver, pointer
from evalsmith.games import contract
from evalsmith.games.chess import GAME
from evalsmith.games.perft import perft

POSITIONS = (
    ("start", 6),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
)
PERFT_GOALS = {"python-chess": 100.0, "stockfish": 0.25}
TERMS_GOAL = 500_000
STOCKFISH = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


@driver("int64(int64[::1], uint64[::1], int64, int32[::1], int16[::1])")
def all_terms(context: Integers, rows: Words, count: int, index: Indices, value: Values) -> int:
    """The terms of each position, and how many they were."""
    row, position, words = pointer(context), pointer(rows), context[contract.WORDS]
    total = 0
    for i in range(count):
        total += contract.terms_of(row, at(position, i * words), pointer(index), pointer(value))
    return total


@driver("int64(int64[::1], uint64[::1], int64)")
def all_values(context: Integers, rows: Words, count: int) -> int:
    """The sum of all evaluations."""
    row, position, words = pointer(context), pointer(rows), context[contract.WORDS]
    total = 0
    for i in range(count):
        total += contract.evaluate_of(row, at(position, i * words))
    return total


def ours() -> float:
    """Leaves a second."""
    nodes, seconds = 0, 0.0
    for text, depth in POSITIONS:
        found = perft(GAME, GAME.parse(text), depth)
        nodes, seconds = nodes + found.nodes, seconds + found.seconds
    return nodes / seconds


def stockfish() -> float | None:
    """The same positions by ``go perft``."""
    if STOCKFISH is None:
        return None
    nodes, seconds = 0, 0.0
    with subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        for text, depth in POSITIONS:
            place = "startpos" if text == "start" else f"fen {text}"
            engine.stdin.write(f"position {place}\nisready\n")
            engine.stdin.flush()
            while engine.stdout.readline().strip() != "readyok":
                pass
            began = time.perf_counter()
            engine.stdin.write(f"go perft {depth}\n")
            engine.stdin.flush()
            while not (line := engine.stdout.readline()).startswith("Nodes searched"):
                pass
            seconds += time.perf_counter() - began
            nodes += int(line.split(":")[1])
        engine.stdin.write("quit\n")
    return nodes / seconds


def python_chess() -> float | None:
    """The same positions two plies less deep, making every move."""
    try:
        import chess
    except ImportError:
        return None

    def count(board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    nodes, began = 0, time.perf_counter()
    for text, depth in POSITIONS:
        nodes += count(chess.Board() if text == "start" else chess.Board(text), depth - 2)
    return nodes / (time.perf_counter() - began)


def random_rows(count: int) -> np.ndarray:
    """Positions of random games."""
    choose, rows = random.Random(1), []
    while len(rows) < count:
        position = GAME.start()
        for _ in range(120):
            moves = GAME.moves(position)
            if not moves:
                break
            position = GAME.play_unchecked(position, choose.choice(moves))
            rows.append(position)
    return np.concatenate(rows[:count])


def evaluation_rates(count: int = 20_000, rounds: int = 20) -> tuple[float, float, float]:
    """Positions a second: terms, the whole evaluation; and terms a position."""
    rows = random_rows(count)
    context = GAME.context(evaluation=True)
    evaluation = GAME.evaluation
    context.attach(contract.WEIGHTS, evaluation.engine(evaluation.starting()))
    context.attach(contract.BLEND, np.array(evaluation.blend, dtype=np.int32).reshape(-1))
    context.row[contract.SCALE], context.row[contract.WIDTH] = evaluation.scale, evaluation.size
    index, value = np.zeros(GAME.max_terms + 8, np.int32), np.zeros(GAME.max_terms + 8, np.int16)
    emitted = all_terms(context.row, rows, count, index, value)
    began = time.perf_counter()
    for _ in range(rounds):
        all_terms(context.row, rows, count, index, value)
    middle = time.perf_counter()
    for _ in range(rounds):
        all_values(context.row, rows, count)
    end = time.perf_counter()
    return rounds * count / (middle - began), rounds * count / (end - middle), emitted / count


def main() -> None:
    """Print every rate, and how it compares with its goal."""
    rate = ours()
    print(f"perft                    {rate / 1e6:10.1f} million leaves/s")
    for name, measured in (("python-chess", python_chess()), ("stockfish", stockfish())):
        if measured is None:
            print(f"{name} is not installed: nothing to compare with")
            continue
        ratio, goal = rate / measured, PERFT_GOALS[name]
        verdict = "reached" if ratio >= goal else "MISSED"
        print(f"  {name:22} {measured / 1e6:10.2f} million leaves/s; ours is {ratio:.2f} times as fast "
              f"(goal {goal:g}: {verdict})")  # fmt: skip
    terms, values, emitted = evaluation_rates()
    verdict = "reached" if terms >= TERMS_GOAL else "MISSED"
    print(f"terms                    {terms / 1e6:10.2f} million positions/s, {emitted:.0f} terms each "
          f"(goal {TERMS_GOAL / 1e6:g}: {verdict})")  # fmt: skip
    print(f"evaluation               {values / 1e6:10.2f} million positions/s")
    texts = [GAME.format(row) for row in random_rows(2000).reshape(-1, GAME.words)]
    began = time.perf_counter()
    for text in texts:
        GAME.parse(text)
    print(f"FEN read                 {len(texts) / (time.perf_counter() - began):10,.0f} positions/s")


if __name__ == "__main__":
    main()
