"""DVONN keeps the contract, compiled and not."""

import os
import subprocess
import sys

from evalsmith.compile import COMPILED
from evalsmith.games.conformance import require, require_evaluate
from evalsmith.games.dvonn import GAME

_ALONE = """
from evalsmith.games.conformance import require
from evalsmith.games.dvonn import GAME
print(require(GAME, positions=25, seed=3))
"""


def test_the_contract() -> None:
    require(GAME, positions=200 if COMPILED else 25)


def test_evaluate_is_the_sum_of_the_terms() -> None:
    require_evaluate(GAME, positions=100_000 if COMPILED else 500)


def test_the_contract_without_compilation() -> None:
    surroundings = os.environ | {"EVALSMITH_COMPILE": "0"}
    done = subprocess.run([sys.executable, "-c", _ALONE], env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "dvonn keeps the contract" in done.stdout
