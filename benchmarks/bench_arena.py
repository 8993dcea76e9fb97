"""How much a runner costs: our games of an outside program beside a bare pipe loop, and games of our own search.

python benchmarks/bench_arena.py [GAMES]

The bare loop plays the very same games: two programs a process, the process and its programs pinned to one core,
nothing but writing, reading and waiting. It knows from our log when a game is over. Both run twice, one after the
other, and the better time of each counts.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from evalsmith.arena.events.competitions import match
from evalsmith.arena.results.log import GAMES
from evalsmith.games import find_game
from evalsmith.players import parse_player
from evalsmith.scale import cores

NODES = 100
RATE_GOAL, CPU_GOAL, KERNEL_GOAL = 0.8, 2.0, 0.7
STOCKFISH = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


# ── The bare loop ──


def bare_worker(core: int, games: list[dict[str, Any]], answers: Any) -> None:
    """Play games by pipes alone; own CPU seconds and plies."""
    os.sched_setaffinity(0, {core})
    programs = [bare_start() for _ in range(2)]
    began, plies = time.process_time(), 0
    for game in games:
        for program in programs:
            os.write(program.stdin.fileno(), b"ucinewgame\nisready\n")
            bare_until(program, b"readyok")
        moves = game["opening"]
        for ply in range(game["plies"]):
            program = programs[(len(game["opening"]) + ply) % 2]
            line = f"position startpos moves {' '.join(moves)}\ngo nodes {NODES}\n"
            os.write(program.stdin.fileno(), line.encode())
            said = bare_until(program, b"bestmove ")
            moves = [*moves, said.rpartition(b"bestmove ")[2].split()[0].decode()]
            plies += 1
    answers.put((time.process_time() - began, plies))
    for program in programs:
        program.kill()
        program.wait()


def bare_start() -> Any:
    program = subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    os.write(program.stdin.fileno(), b"uci\nisready\n")
    bare_until(program, b"readyok")
    return program


def bare_until(program: Any, word: bytes) -> bytes:
    """Everything up to the line that has the word."""
    said = b""
    while word not in said or not said.endswith(b"\n"):
        said += os.read(program.stdout.fileno(), 1 << 16)
    return said


def bare(games: list[dict[str, Any]], workers: int) -> tuple[float, float, int]:
    """Seconds, own CPU seconds, plies."""
    context = get_context("spawn")
    answers = context.Queue()
    allowed = sorted(os.sched_getaffinity(0))
    parts = [games[i::workers] for i in range(workers)]
    processes = [
        context.Process(target=bare_worker, args=(allowed[i % len(allowed)], part, answers))
        for i, part in enumerate(parts)
    ]
    began = time.perf_counter()
    for process in processes:
        process.start()
    found = [answers.get() for _ in processes]
    seconds = time.perf_counter() - began
    for process in processes:
        process.join()
    return seconds, sum(cpu for cpu, _ in found), sum(plies for _, plies in found)


# ── Ours ──


def ours(count: int, workers: int, folder: Path) -> tuple[float, float, int, list[dict[str, Any]]]:
    """Seconds, own CPU seconds, plies, and the games."""
    chess = find_game("chess")
    first, second = (f"uci:{STOCKFISH};name={name}" for name in ("a", "b"))
    began = time.perf_counter()
    match(chess, first, second, output=folder, concurrency=workers, games=count, nodes=NODES)
    seconds = time.perf_counter() - began
    entries = logged(folder)
    games = []
    for entry in entries:
        position, names = chess.start(), []
        for move in entry["opening"]:
            names.append(chess.format_move(position, move))
            position = chess.play(position, move)
        games.append({"opening": names, "plies": len(entry["moves"])})
    return seconds, sum(entry["cpu"] for entry in entries), sum(len(entry["moves"]) for entry in entries), games


def outside(count: int) -> None:
    """Compare the two."""
    if STOCKFISH is None:
        print("stockfish is not installed: nothing to compare with")
        return
    workers = cores()
    best: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(2):
            seconds, cpu, plies, games = ours(count, workers, Path(folder) / str(round_))
            loop_seconds, loop_cpu, loop_plies = bare(games, workers)
            assert loop_plies == plies
            for name, time_, own in (("ours", seconds, cpu), ("bare", loop_seconds, loop_cpu)):
                old = best.get(name, (time_, own))
                best[name] = (min(old[0], time_), min(old[1], own))
    mine, loop = count / best["ours"][0], count / best["bare"][0]
    print(f"stockfish at {NODES} nodes, {count} games of {plies / count:.0f} plies, {workers} at once")
    print(f"  bare pipe loop        {loop:8.1f} games/s   {1e6 * best['bare'][1] / plies:6.0f} µs of its own a ply")
    print(f"  ours                  {mine:8.1f} games/s   {1e6 * best['ours'][1] / plies:6.0f} µs of its own a ply")
    told("games/s, ours of the loop", mine / loop, mine / loop >= RATE_GOAL, f"at least {RATE_GOAL}")
    ratio = best["ours"][1] / best["bare"][1]
    told("own CPU a ply, ours of the loop", ratio, ratio <= CPU_GOAL, f"at most {CPU_GOAL}")


def inside(name: str, count: int) -> None:
    """Games of our own search inside the kernel, and the same search behind UCI."""
    game = find_game(name)
    command = f"{sys.executable} -m evalsmith engine {name} --protocol uci"
    pairs = {
        "kernel": ("self;name=a", "self;name=b"),
        "uci": (f"uci:{command};name=a", f"uci:{command};name=b"),
    }
    rates: dict[str, float] = {}
    for kind, texts in pairs.items():
        games = count if kind == "kernel" else max(8, count // 25)
        players = tuple(parse_player(text, game) for text in texts)
        with tempfile.TemporaryDirectory() as folder:
            play(game, players, 2, Path(folder) / "warm")
            busy = time.process_time()
            began = time.perf_counter()
            play(game, players, games, Path(folder) / "run")
            wall, busy = time.perf_counter() - began, time.process_time() - busy
            entries = logged(Path(folder) / "run")
        # Programs take long to start, so of theirs the usual game counts, and of ours the whole match.
        rates[kind] = cores() / median(entry["wall"] for entry in entries)
        if kind == "kernel":
            rates[kind] = games / wall
            kernel = sum(entry["cpu"] for entry in entries)
            share = kernel / wall / cores()
            told(
                f"{name}: kernel of wall time × cores",
                share,
                share >= KERNEL_GOAL,
                f"{KERNEL_GOAL} if nothing else runs",
            )
            share = kernel / busy
            told(f"{name}: kernel of our CPU time", share, share >= KERNEL_GOAL, f"at least {KERNEL_GOAL}")
    ratio = rates["kernel"] / rates["uci"]
    told(f"{name}: games/s in process of those through UCI", ratio, ratio >= 1, "at least 1")


def play(game: Any, players: Any, count: int, folder: Path) -> None:
    # Which openings are balanced is decided before the games, by searches of its own that are no part of them.
    match(game, *players, output=folder, games=count, nodes=NODES, balance=False)


def logged(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / GAMES).read_text().splitlines()]


def told(what: str, value: float, reached: bool, goal: str) -> None:
    print(f"  {what:48} {value:6.2f}   wanted {goal}: {'reached' if reached else 'MISSED'}", flush=True)


def main() -> None:
    """Print every ratio, and how it compares with its goal."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    outside(count)
    for name, games in (("othello", 400), ("chess", 200), ("shogi", 100), ("dvonn", 400)):
        inside(name, games * count // 200)


if __name__ == "__main__":
    main()
