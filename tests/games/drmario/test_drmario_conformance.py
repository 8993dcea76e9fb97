"""Dr. Mario keeps the game contract, compiled and as plain Python."""

import os
import subprocess
import sys

from evalsmith.games.conformance import require
from evalsmith.games.drmario import GAME

PLAIN = """
from evalsmith.compile import COMPILED
from evalsmith.games.conformance import require
from evalsmith.games.drmario import GAME

assert not COMPILED
require(GAME, positions=40)
quick = GAME.parse("seed:8988 level:8 speed:high pills:350")
print(sorted(GAME.moves(quick)))
"""


def test_the_contract():
    report = require(GAME, positions=150)
    assert report.checked["symmetry of play"] > 0
    assert report.checked["probabilities"] > 0


def test_the_contract_in_plain_python():
    environment = {**os.environ, "EVALSMITH_COMPILE": "0"}
    done = subprocess.run([sys.executable, "-W", "error", "-c", PLAIN], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    quick = GAME.parse("seed:8988 level:8 speed:high pills:350")
    assert done.stdout.strip() == str(sorted(GAME.moves(quick)))
