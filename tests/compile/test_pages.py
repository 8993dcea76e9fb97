"""Code that was let go of comes back when it runs."""

import subprocess
import sys

PROGRAM = """
import sys
from pathlib import Path
from evalsmith.compile import drop_code

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

import evalsmith.compile
from evalsmith.games import find_game
from evalsmith.engine import Limit, Searcher

game = find_game("othello")
first = Searcher(game).think(game.start(), Limit(depth=4)).lines
before = resident()
dropped = drop_code("libllvmlite")
after = resident()
again = Searcher(game).think(game.start(), Limit(depth=4)).lines
import numba
answer = numba.njit(lambda x: x + 1)(1)  # the compiler itself still works
print(dropped > 0, after < before - 5_000_000, first == again, answer, drop_code("no such library"))
"""


def test_a_library_works_on_after_its_code_was_dropped() -> None:
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["True", "True", "True", "2", "0"], ran.stderr
