"""The search: bare alpha-beta against C++, nodes a second with a profile, two threads against one, how fast it stops.

    python benchmarks/bench_search.py [bare] [profile] [threads] [stop]

Without names all four run. ``bare`` and ``profile`` count seconds of the processor, so other programs disturb them
little; ``threads`` and ``stop`` need a machine with two idle cores, and print its load.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from bench_techniques import mean_ratio, positions
from search_profile import shares

from evalsmith.compile import at, driver, helper, int64, kernel, pointer, popcount
from evalsmith.engine import Limit, Searcher
from evalsmith.engine.alphabeta import slots
from evalsmith.games import Position, find_game
from evalsmith.games.contract import (
    EVALUATE,
    FIRST_FREE,
    MAX_MOVES,
    WORDS,
    evaluate_of,
    mover_of,
    moves_of,
    play_into,
    result_of,
)

HERE = Path(__file__).parent
NODES = FIRST_FREE  # the slot that counts
OPEN = 1 << 22

BARE_DEPTH, BARE_POSITIONS, BARE_ROUNDS = 9, 6, 7
PROFILE_GAMES, PROFILE_POSITIONS, COUNTED_NODES, TIMED_NODES = ("chess", "shogi"), 4, 1000, 400_000
THREAD_GAMES, THREAD_POSITIONS, THREAD_NODES = ("chess", "othello"), 30, 400_000
STOPS, QUITS = 200, 10


# ── Bare alpha-beta ─────────────────────────────────────────────────────────────────────────────


@kernel("int64(words, indices)")
def discs(position, weights):
    """The disc difference, in the place of Othello's evaluation."""
    return 100 * (popcount(position[0]) - popcount(position[1]))


@helper("int64(integers, words, integers, int64, int64, int64)")
def search(context, position, buffer, depth, alpha, beta):
    """Alpha-beta over the contract and nothing else."""
    context[NODES] += 1
    if depth == 0:
        return evaluate_of(context, position)
    count = moves_of(context, position, buffer)
    if count == 0:
        return result_of(context, position)
    below, deeper = at(position, context[WORDS]), at(buffer, context[MAX_MOVES])
    side = mover_of(context, position)
    best = -OPEN
    for i in range(count):
        play_into(context, position, buffer[i], below)
        if mover_of(context, below) == side:
            value = search(context, below, deeper, depth - 1, alpha, beta)
        else:
            value = -search(context, below, deeper, depth - 1, -beta, -alpha)
        if value > best:
            best = value
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    return best


@driver("int64(int64[::1], uint64[::1], int64[::1], int64)")
def bare(context, rows, buffer, depth):
    """The value of the first row; the nodes stand in the context."""
    context[NODES] = 0
    return search(pointer(context), pointer(rows), pointer(buffer), depth, -int64(OPEN), int64(OPEN))


def random_positions(count: int) -> list[Position]:
    """Othello some random plies from the start, where there is a choice."""
    game, source, found = find_game("othello"), random.Random(3), []
    while len(found) < count:
        position = game.start()
        for _ in range(source.randrange(6, 36)):
            legal = game.moves(position)
            position = game.play(position, source.choice(legal)) if legal else position
        if len(game.moves(position)) > 2:
            found.append(position)
    return found


def built(folder: Path) -> Path | None:
    """The C++ peer, compiled for this machine; None where there is no compiler."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    folder.mkdir(exist_ok=True)
    program = folder / "othello_alphabeta"
    source = HERE / "othello_alphabeta.cpp"
    subprocess.run([compiler, "-O3", "-march=native", "-o", str(program), str(source)], check=True)
    return program


def bench_bare() -> None:
    """The ratio to C++, by the best round of each."""
    game = find_game("othello")
    context = game.context()
    context.bind(EVALUATE, discs)
    rows = np.zeros((BARE_DEPTH + 1) * game.words, dtype=np.uint64)
    buffer = np.zeros((BARE_DEPTH + 1) * game.max_moves, dtype=np.int64)
    roots = random_positions(BARE_POSITIONS)
    program = built(HERE / "build")
    ours, theirs = [], []
    for _ in range(BARE_ROUNDS):  # in turns, so that both see the same machine
        found, nodes, seconds = [], 0, 0.0
        for root in roots:
            rows[: game.words] = root
            began = time.process_time()
            value = bare(context.row, rows, buffer, BARE_DEPTH)
            seconds += time.process_time() - began
            nodes += int(context.row[NODES])
            found.append((int(value), int(context.row[NODES])))
        ours.append(nodes / seconds)
        if program:
            command = [str(program), str(BARE_DEPTH), *(f"{int(word):x}" for root in roots for word in root)]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            assert found == list(zip(map(int, said[0::3]), map(int, said[1::3]), strict=True))
            theirs.append(nodes / sum(map(float, said[2::3])))
    print(f"bare alpha-beta, Othello to depth {BARE_DEPTH}   ours {max(ours) / 1e6:6.1f} million nodes/s")
    if theirs:
        print(f"{'':40}C++ {max(theirs) / 1e6:6.1f} million nodes/s (-O3 -march=native), same nodes and values")
        print(f"{'':38}ratio {max(ours) / max(theirs):6.2f}   (wanted: at least 0.60)")
    else:
        print(f"{'':40}C++ absent: no compiler found, so there is no ratio")


# ── Where the time goes ─────────────────────────────────────────────────────────────────────────


def bench_profile() -> None:
    """Nodes a second of the full search, and what a node costs in each function of the game."""
    for name in PROFILE_GAMES:
        game = find_game(name)
        roots = positions(game, PROFILE_POSITIONS)
        searcher = Searcher(game)
        best = math.inf
        for _ in range(3):
            seconds, nodes = 0.0, 0
            for root in roots:
                searcher.new_game()
                began = time.process_time()
                nodes += searcher.think(root, Limit(nodes=TIMED_NODES)).nodes
                seconds += time.process_time() - began
            best = min(best, seconds / nodes)
        print(f"{name}: {1e-6 / best:.2f} million nodes/s, {best * 1e9:.0f} ns a node")
        left = best * 1e9
        for share in shares(game, roots, COUNTED_NODES):
            left -= share.cost
            print(
                f"  {share.name:<20} {share.calls:6.2f} calls a node × {share.nanoseconds:6.1f} ns"
                f" = {share.cost:6.1f} ns {share.cost / best * 1e-7:5.1f} %"
            )
        print(f"  {'search and table':<42} {left:13.1f} ns {left / best * 1e-7:5.1f} %", flush=True)


# ── Two threads ─────────────────────────────────────────────────────────────────────────────────


def bench_threads(games: tuple[str, ...]) -> None:
    """Time to depth by one thread and by two, in turns over the same positions."""
    for name in games:
        game = find_game(name)
        one, two = Searcher(game), Searcher(game, threads=2)
        times: dict[int, list[float]] = {1: [], 2: []}
        nodes: dict[int, list[int]] = {1: [], 2: []}
        depths = []
        for root in positions(game, THREAD_POSITIONS):
            one.new_game()
            depth = max(1, one.think(root, Limit(nodes=THREAD_NODES)).depth)
            depths.append(depth)
            for searcher in (one, two):
                searcher.new_game()
                thought = searcher.think(root, Limit(depth=depth))
                times[searcher.threads].append(thought.seconds)
                nodes[searcher.threads].append(int(searcher.context.row[slots.NODES]))
        faster, less = mean_ratio(times[1], times[2]), mean_ratio(nodes[2], nodes[1])
        print(
            f"{name}: two threads reach depth {min(depths)}…{max(depths)} {faster:.2f} times as fast (wanted: 1.30)\n"
            f"  the thread that answers visits {less:.2f} of the nodes; {sum(times[1]):.1f} s by one, "
            f"{sum(times[2]):.1f} s by two; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


# ── Stopping ────────────────────────────────────────────────────────────────────────────────────


class Program:
    """An engine process that is driven by lines."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "evalsmith", "engine", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def tell(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, words: str) -> None:
        for line in self.process.stdout:
            if words in line:
                return
        raise SystemExit(f"the engine ended before it said {words}")


def milliseconds(taken: list[float]) -> str:
    """The middle and the upper end of some times."""
    ranked = sorted(taken)
    middle, high = ranked[len(ranked) // 2], ranked[math.ceil(0.95 * len(ranked)) - 1]
    return f"50 % within {middle * 1000:6.1f} ms, 95 % within {high * 1000:6.1f} ms"


def bench_stop() -> None:
    """From ``stop`` to the move, and from ``quit`` to the end of the process, while it searches."""
    source = random.Random(1)
    for name, hello, *words in (
        ("UCI", "uci", "chess"),
        ("UCI, 2 threads", "uci", "chess", "--threads", "2"),
        ("USI", "usi", "shogi"),
    ):
        program, taken = Program(*words), []
        program.tell(hello)
        program.hear(f"{hello}ok")
        program.tell("isready")
        program.hear("readyok")
        for _ in range(STOPS):
            program.tell("position startpos")
            program.tell("go infinite")
            time.sleep(source.uniform(0.01, 0.1))
            began = time.perf_counter()
            program.tell("stop")
            program.hear("bestmove")
            taken.append(time.perf_counter() - began)
        program.tell("quit")
        program.process.wait()
        print(f"stop  {name:<16} {milliseconds(taken)} of {STOPS}   (wanted: 20 ms)", flush=True)
    for name, ready, answer, begin, *words in (
        ("UCI", "isready", "readyok", "go infinite", "chess"),
        ("NBoard", "ping 1", "pong 1", "set depth 60\ngo", "othello"),
        ("GTP", "showboard", "=", "time_settings 3000 0 0\ngenmove b", "othello", "--protocol", "gtp"),
        ("states", "nodes 10\nstart", "speed:", "nodes 1000000000\nstart", "drmario"),
    ):
        taken = []
        for _ in range(QUITS):
            program = Program(*words)
            program.tell(ready)
            program.hear(answer)
            program.tell(begin)
            time.sleep(source.uniform(0.1, 0.3))
            began = time.perf_counter()
            program.tell("quit")
            program.process.wait()
            taken.append(time.perf_counter() - began)
        print(f"quit  {name:<16} {milliseconds(taken)} of {QUITS}   (wanted: 20 ms)", flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--game", action="append", help="games for threads; chess and othello if left out")
    arguments = parser.parse_args()
    parts = {
        "bare": bench_bare,
        "profile": bench_profile,
        "threads": lambda: bench_threads(tuple(arguments.game or THREAD_GAMES)),
        "stop": bench_stop,
    }
    for part in arguments.parts or parts:
        if part not in parts:
            parser.error(f"the parts are {', '.join(parts)}, not {part!r}")
        parts[part]()


if __name__ == "__main__":
    main()
