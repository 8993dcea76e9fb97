"""Once an engine says that it is ready, no move waits for compiled code: a clock may run."""

from __future__ import annotations

import subprocess
import sys

import pytest

# In a process of its own, where nothing is loaded yet. What is loaded late would be compiled late on a new machine.
SCRIPT = """
import sys
from evalsmith.compile.kernels import KERNELS
from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, find_game
from evalsmith.protocols.engine import Engine

game = find_game(sys.argv[1])
engine = Engine(game)
engine.searcher
loaded = {entry.name for entry in KERNELS if entry._address}
engine.new_game()
moves = []
for _ in range(4):
    board = engine.board
    if board.status == CHANCE:
        board.draw(1)
    if board.status == OVER:
        break
    move = engine.think(Limit(nodes=50)).lines[0].move
    name = game.format_move(board.position, move)
    engine.info(0.0)
    board.push(name)
    moves.append(name)
    board.outcome()
if not game.max_outcomes:
    engine.set_position(game.parse(game.format(game.start())), moves)
    engine.think(Limit(seconds=0.01, soft_seconds=0.005))
print(sorted({entry.name for entry in KERNELS if entry._address} - loaded))
"""


@pytest.mark.parametrize("game", ["chess", "shogi", "othello", "dvonn", "drmario", "connect_four"])
def test_nothing_is_loaded_after_the_engine_is_ready(game: str) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, game], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
