"""What a command costs before it does anything: CPU seconds beside those of ``import numpy``; compiling from nothing.

Each figure is the least of several runs, taken in turns, with the processes that a command starts. A match of two
outside programs is told apart: the command with the process that loads for all workers, and what each worker adds
besides its games. Their memory is what they share with no other process.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 5
GAMES, NODES, WORKERS = 200, 100, 2
COMMAND_GOAL, WORKER_GOAL, MEMORY_GOAL = 1.5, 0.3, 40  # CPU seconds, CPU seconds, megabytes
HELP_GOAL = 3  # times import numpy
EVALSMITH = [sys.executable, "-m", "evalsmith"]
STOCKFISH = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
TICKS = os.sysconf("SC_CLK_TCK")
HELP = {
    f"evalsmith {words}--help": [*EVALSMITH, *words.split(), "--help"] for words in ("", "stats ", "match ", "tune ")
}
WARM = {
    "import numpy": [sys.executable, "-c", "import numpy"],
    "python itself": [sys.executable, "-c", "pass"],
    **HELP,
    "stats --wdl": [*EVALSMITH, "stats", "--wdl", "10,20,5"],
    "perft othello": [*EVALSMITH, "perft", "othello", "--depth", "6"],
    "search chess": [*EVALSMITH, "search", "chess", "--nodes", "1000"],
    "search shogi": [*EVALSMITH, "search", "shogi", "--nodes", "1000"],
}


def cpu(command: list[str], **environment: str) -> float:
    """The CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=os.environ | environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


# ── A match of two outside programs ──


def parent_and_cpu(pid: int) -> tuple[int, float]:
    """The parent of a process, and the CPU seconds that it has spent itself."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS


def private_megabytes(pid: int) -> float:
    """The memory that a process shares with no other."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def descendants(root: int) -> list[int]:
    """A process and all below it."""
    children: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                children.setdefault(parent_and_cpu(int(entry.name))[0], []).append(int(entry.name))
            except OSError:
                continue
    found = [root]
    for pid in found:
        found += children.get(pid, ())
    return found


def match_cost() -> tuple[float, float, float]:
    """CPU seconds of the command, CPU seconds of a worker without its games, and megabytes of a worker."""
    with tempfile.TemporaryDirectory() as folder:
        players = [word for name in "ab" for word in ("--player", f"uci:{STOCKFISH};name={name}")]
        command = [*EVALSMITH, "match", "chess", *players, "--games", str(GAMES), "--nodes", str(NODES)]
        command += ["--concurrency", str(WORKERS), "-o", f"{folder}/run"]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        spent: dict[int, tuple[int, float]] = {}
        memory: dict[int, float] = {}
        programs: set[int] = set()
        while running.poll() is None:
            for pid in descendants(running.pid):
                try:
                    if str(STOCKFISH).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:1]:
                        programs.add(pid)
                    spent[pid] = parent_and_cpu(pid)
                    memory[pid] = max(memory.get(pid, 0.0), private_megabytes(pid))
                except OSError:
                    continue
            time.sleep(0.03)
        if running.returncode != 0:
            raise SystemExit(f"the match ended with exit code {running.returncode}")
        games = sum(json.loads(line)["cpu"] for line in Path(f"{folder}/run/games.jsonl").read_text().splitlines())
    workers = {spent[pid][0] for pid in programs}
    starting = sum(seconds for pid, (parent, seconds) in spent.items() if not {pid, parent} & workers)
    own = sum(spent[pid][1] for pid in workers) - games
    return starting, max(0.0, own / len(workers)), max(memory[pid] for pid in workers)


def match_report(numpy: float) -> None:
    """What a match costs, the least of three."""
    if STOCKFISH is None or not Path("/proc/self/smaps_rollup").exists():
        print("a match: needs stockfish and /proc")
        return
    match_cost()
    command, worker, memory = (min(each) for each in zip(*(match_cost() for _ in range(3)), strict=True))
    print(f"match, {GAMES} games of stockfish at {NODES} nodes, {WORKERS} at once")
    for name, seconds, goal in (("the command", command, COMMAND_GOAL), ("each worker, no games", worker, WORKER_GOAL)):
        print(f"  {name:22} {seconds:6.2f} s  {seconds / numpy:5.1f} × import numpy  {verdict(seconds, goal)}")
    print(f"  memory of a worker     {memory:6.1f} MB  {verdict(memory, MEMORY_GOAL)}")


def verdict(value: float, goal: float) -> str:
    return f"{'met' if value <= goal else 'MISSED'}: at most {goal:g}"


def main() -> None:
    spent: dict[str, float] = {}
    for command in WARM.values():
        cpu(command)
    for _ in range(ROUNDS):
        for name, command in WARM.items():
            spent[name] = min(spent.get(name, float("inf")), cpu(command))
    numpy = spent["import numpy"]
    for name, seconds in spent.items():
        goal = f"  {verdict(seconds / numpy, HELP_GOAL)}" if name in HELP else ""
        print(f"{name:24} {seconds:6.2f} s  {seconds / numpy:5.1f} × import numpy{goal}")
    match_report(numpy)
    for game in ("chess", "shogi"):
        with tempfile.TemporaryDirectory() as folder:
            cold = cpu(WARM[f"search {game}"], EVALSMITH_CACHE_DIR=folder)
        print(f"search {game}, cold       {cold:6.2f} s")


if __name__ == "__main__":
    main()
