"""The conformance kit passes games that keep the contract, and names the law that a broken one breaks."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evalsmith.compile import COMPILED
from evalsmith.games import find_game
from evalsmith.games.conformance import FAULTS_PER_LAW, check, require, require_evaluate
from evalsmith.run.errors import ConformanceError, InputError

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from broken import base, counting, side_in_no_key  # noqa: E402
from broken.slips import SIGNS, SLIPS  # noqa: E402

BROKEN = {
    "wrong_key": {"keys apart", "key of side"},
    "aliasing_play": {"aliasing"},
    "illegal_move": {"move texts"},
    "endless_game": {"ending"},
    "asymmetric_terms": {"symmetry terms"},
    "wrong_chance_sum": {"probabilities"},
}
# What a fault says is wrong, and what to do.
SENTENCES = {
    "constant mover": "movers: mover is 0 in all .* positions; it must say whose move it is, 0 or 1",
    "one slot": "slots: moves 0 and 3 share slot 0; slot must give every move of a position its own",
    "exchange": "exchanges: exchange says that move 0 wins more than 0, which is all that it captures at once",
    "one move name": "move texts: several moves are written a1; format_move must tell them apart",
    "moves of two words": "move texts: the move 'a 1' is not one word, as files and protocols need it",
    "refused moves": "move texts: move 0 is written 'a1-stones', and parse_move must read what format_move writes",
    "key without die": "keys apart: the key is the same as that of .*; mix all that tells positions apart into key",
    "counters": "constants: counters is {5: 1}, not masks of 64 bits by word, of 5 words",
    "mixed integers": r"slips.py, line \d+, in _mixed: .*position\[3\] & 1.*write constants as np.uint64",
    "floats": r"slips.py, line \d+, in _halved: .*/ 2.*divide with //",
    "not decorated": r"slips.py, line \d+, in _undecorated: .*decorate it with @contract",
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
    assert set(report.broken) == BROKEN[name]
    assert not report.ok
    assert all(base.parse(fault.position_text) is not None and fault.message for fault in report.faults)


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_named_by_its_laws(name):
    game, laws = SLIPS[name]
    assert set(check(game, positions=60).broken) == laws


@pytest.mark.parametrize("name", SENTENCES)
def test_a_fault_says_what_to_do(name):
    game, laws = SLIPS[name]
    report = check(game, positions=60)
    assert not laws or any(re.search(SENTENCES[name], str(fault)) for fault in report.faults), str(report)


@pytest.mark.parametrize("name", SIGNS)
def test_a_result_with_the_wrong_sign_is_noticed(name):
    report = check(SIGNS[name])
    assert report.broken == ("sign of result",)
    assert "result is for the side to move in the final position (-win for one who has lost)" in str(report)


def test_a_key_without_the_side_is_noticed_where_no_game_shows_it():
    report = check(side_in_no_key.GAME)
    assert report.broken == ("key of side",)
    assert re.search("the same as that of .*, where the other side moves; mix the side to move into key", str(report))


def test_own_positions_are_tried_besides():
    plain, more = check(base.GAME, positions=5), check(base.GAME, positions=["o/o/ second 1", "oo//oo first 2"])
    assert more.ok
    assert more.checked["own positions"] >= 2
    assert more.checked["position text"] > plain.checked["position text"]
    report = check(base.GAME, positions=["o/o/ second 7"])
    assert [str(fault) for fault in report.faults] == ["own positions: PositionError: not three heaps: 'o/o/ second 7'"]


def test_a_slip_that_only_an_own_position_shows():
    assert check(SLIPS["rare text"][0], positions=3).ok
    report = check(SLIPS["rare text"][0], positions=["oooooooo/o/o first 1"])
    assert "position text" in report.broken


def test_own_counts_are_compared():
    right = {1: 18, 2: 2 * 103 + 107}
    report = check(base.GAME, positions=5, counts=right)
    assert report.ok
    assert report.checked["perft counts"] == 2
    assert require(base.GAME, positions=5, counts={"o// first 1": {1: 1}}).ok
    report = check(base.GAME, positions=5, counts={1: 18, 2: 100, 3: 5, "o// first 1": {1: 2}})
    assert [fault.message for fault in report.faults] == [
        "perft 2 counts 313, not 100; below each move: nothing",
        "perft 1 counts 1, not 2; below each move: a1 1",
    ]


def test_counters_are_declared():
    """The die, were it a counter, might be left out of the key; nothing is guessed from the text."""
    game = replace(SLIPS["key without die"][0], counters={4: 3})
    assert set(check(game, positions=60).broken) == {"keys apart"}  # the moves differ
    assert check(counting.GAME, positions=60).ok
    assert check(replace(counting.GAME, counters={}), positions=60).broken == ("keys apart",)


def test_every_law_can_be_broken():
    shown = {"sign of result"}.union(*BROKEN.values()).union(*(laws for _, laws in SLIPS.values()))
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
    assert done.stdout.splitlines() == [
        "False False",
        "heaps ()",
        "wrong_key ('keys apart', 'key of side')",
        "othello ()",
    ]
