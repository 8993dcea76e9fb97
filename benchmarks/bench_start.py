"""What a command costs before it does anything: CPU seconds beside those of ``import numpy``; compiling from nothing.

Each figure is the least of several runs, taken in turns, with the processes that a command starts.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

ROUNDS = 5
EVALSMITH = [sys.executable, "-m", "evalsmith"]
WARM = {
    "import numpy": [sys.executable, "-c", "import numpy"],
    "python itself": [sys.executable, "-c", "pass"],
    "evalsmith --help": [*EVALSMITH, "--help"],
    "evalsmith stats --help": [*EVALSMITH, "stats", "--help"],
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


def main() -> None:
    spent: dict[str, float] = {}
    for command in WARM.values():
        cpu(command)
    for _ in range(ROUNDS):
        for name, command in WARM.items():
            spent[name] = min(spent.get(name, float("inf")), cpu(command))
    for name, seconds in spent.items():
        print(f"{name:24} {seconds:6.2f} s  {seconds / spent['import numpy']:5.1f} × import numpy")
    for game in ("chess", "shogi"):
        with tempfile.TemporaryDirectory() as folder:
            cold = cpu(WARM[f"search {game}"], EVALSMITH_CACHE_DIR=folder)
        print(f"search {game}, cold       {cold:6.2f} s")


if __name__ == "__main__":
    main()
