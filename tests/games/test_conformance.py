"""The conformance kit passes games that keep the contract, and names the law that a broken one breaks."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evalsmith.compile import COMPILED
from evalsmith.games import find_game
from evalsmith.games.conformance import FAULTS_PER_LAW, check, require, require_evaluate
from evalsmith.run.errors import ConformanceError, InputError

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from broken import base  # noqa: E402
from broken.slips import SLIPS  # noqa: E402

BROKEN = {
    "wrong_key": "keys apart",
    "aliasing_play": "aliasing",
    "illegal_move": "move texts",
    "endless_game": "ending",
    "asymmetric_terms": "symmetry terms",
    "wrong_chance_sum": "probabilities",
}


def test_the_base_game_keeps_every_law():
    report = check(base.GAME)
    assert report.faults == ()
    assert report.ok
    assert all(report.checked.values()), "a law was never tried"


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_named_by_its_law(name):
    game = importlib.import_module(f"broken.{name}").GAME
    report = check(game, positions=60)
    assert report.broken == (BROKEN[name],)
    assert not report.ok
    assert all(base.parse(fault.position_text) is not None and fault.message for fault in report.faults)


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_named_by_its_laws(name):
    game, laws = SLIPS[name]
    assert set(check(game, positions=60).broken) == laws


def test_every_law_can_be_broken():
    shown = set(BROKEN.values()).union(*(laws for _, laws in SLIPS.values()))
    assert set(check(base.GAME, positions=5).checked) == shown


def test_a_few_faults_of_each_law_are_kept():
    report = check(SLIPS["noise"][0])
    assert len(report.faults) == FAULTS_PER_LAW


def test_the_seed_chooses_the_positions():
    game = SLIPS["noise"][0]
    assert check(game, seed=3) == check(game, seed=3)
    assert check(game, seed=3).faults != check(game, seed=4).faults


def test_at_least_the_start_is_checked():
    assert check(base.GAME, positions=1).checked["position text"] == 1
    with pytest.raises(InputError, match="at least 1 position"):
        check(base.GAME, positions=0)


def test_require_lists_the_faults():
    assert require(base.GAME, positions=20).ok
    with pytest.raises(ConformanceError, match=r"noise breaks the contract(.|\n)*noisy moves: noisy lists what is not"):
        require(SLIPS["noise"][0], positions=20)


def test_require_evaluate_compares_alone():
    assert require_evaluate(base.GAME, positions=500).checked["fused evaluate"] > 800
    with pytest.raises(ConformanceError, match="fused evaluate: evaluate is"):
        require_evaluate(SLIPS["fused"][0], positions=50)


def test_othello_keeps_the_contract():
    require(find_game("othello"), positions=100)


def test_othello_evaluates_what_its_terms_say():
    positions = 100_000 if COMPILED else 200
    report = require_evaluate(find_game("othello"), positions=positions)
    assert report.checked["fused evaluate"] >= 1.9 * positions


def test_the_kit_runs_uncompiled():
    script = """
import sys
from broken import base, wrong_key
from evalsmith.compile import COMPILED
from evalsmith.compile import COMPILED
from evalsmith.games import find_game
from evalsmith.games.conformance import check
print(COMPILED, "numba" in sys.modules)
for game in (base.GAME, wrong_key.GAME, find_game("othello")):
    print(game.name, check(game, positions=12).broken)
"""
    environment = os.environ | {"EVALSMITH_COMPILE": "0", "PYTHONPATH": str(HERE)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["False False", "heaps ()", "wrong_key ('keys apart',)", "othello ()"]
