"""Shogi keeps the game contract, compiled and as plain Python."""

import os
import subprocess
import sys

from evalsmith.games.conformance import require
from evalsmith.games.shogi import GAME, rules, squares

SCRIPT = """
from evalsmith.games.conformance import require
from evalsmith.games.shogi import GAME
require(GAME, positions=8)
"""


def test_conformance():
    require(GAME, positions=120)


def test_conformance_without_the_compiler():
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | {"EVALSMITH_COMPILE": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_numbers_of_the_record_are_those_of_the_rules():
    numbers = (GAME.words, GAME.max_moves, GAME.max_plies, GAME.win)
    assert numbers == (squares.WORDS, rules.MAX_MOVES, rules.LONGEST, rules.WON)
