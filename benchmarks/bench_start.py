"""How long a user waits: help, a warm command, and everything the demo needs compiled from nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

ROUNDS = 5
DEMO = """
import importlib
for room in ("games.perft", "search.playing", "positions.samples", "fit.matrix", "records"):
    importlib.import_module(f"evalsmith.{room}")
from evalsmith.games import find_game
find_game("othello").context(evaluation=True)
"""


def seconds(command: list[str], **environment: str) -> float:
    """The wall time of a command."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=os.environ | environment)
    return time.perf_counter() - began


def main() -> None:
    evalsmith = [sys.executable, "-m", "evalsmith"]
    bare = min(seconds([sys.executable, "-c", "pass"]) for _ in range(ROUNDS))
    numba = min(seconds([sys.executable, "-c", "import numba"]) for _ in range(ROUNDS))
    help_ = min(seconds([*evalsmith, "--help"]) for _ in range(ROUNDS))
    seconds([*evalsmith, "perft", "othello", "--depth", "6"])
    warm = min(seconds([*evalsmith, "perft", "othello", "--depth", "6"]) for _ in range(ROUNDS))
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds([sys.executable, "-c", DEMO], EVALSMITH_CACHE_DIR=folder)
    print(f"python itself                     {bare:6.2f} s")
    print(f"import numba                      {numba:6.2f} s")
    print(f"evalsmith --help                  {help_:6.2f} s   (wanted: below 0.5)")
    print(f"evalsmith perft othello, warm     {warm:6.2f} s   (wanted: below 2)")
    print(f"all the demo needs, compiled cold {cold:6.2f} s   (wanted: below 60)")


if __name__ == "__main__":
    main()
