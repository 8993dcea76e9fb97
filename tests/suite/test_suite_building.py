"""Building suites from games: by a program, our search and the solver; killed, resumed, and with programs that fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import evalsmith as es
from evalsmith.games import find_game
from evalsmith.run import InputError, MismatchError
from evalsmith.suite.files import load_suite
from evalsmith.suite.tags import Thresholds, tags_of
from suite_cases import PGN, START, mock

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"


@pytest.fixture
def games(tmp_path):
    (tmp_path / "games.pgn").write_text(PGN)
    return tmp_path / "games.pgn"


def build(games, name="suite", player=None, **settings):
    settings = {"depth": 3, "concurrency": 2, **settings}
    return es.build_suite(games, games.parent / name, player=player or mock(), **settings)


def test_every_move_of_every_position_is_scored_and_positions_come_once(games):
    suite = build(games)
    assert len({one.text.rsplit(" ", 2)[0] for one in suite.positions}) == len(suite) == 22
    chess = find_game("chess")
    for one in suite.positions:
        position = chess.parse(one.text)
        assert sorted(one.moves) == sorted(chess.format_move(position, move) for move in chess.moves(position))
        assert list(one.scores) == sorted(one.scores, reverse=True)
        assert one.best == tuple(m for m, s in zip(one.moves, one.scores, strict=True) if s == one.scores[0])
        assert one.tags == tags_of(one.scores, Thresholds())
        assert one.depth == 3
        assert 1 <= one.stable_depth <= 3
    assert not suite.failed


def test_a_program_without_multipv_is_asked_move_by_move(games):
    suite = build(games, player=mock("single"), positions=3, depth=2)
    chess = find_game("chess")
    for one in suite.positions:
        assert len(one.scores) == len(chess.moves(chess.parse(one.text)))
        assert one.depth == 2


def test_the_same_suite_in_every_build(games):
    one, other = build(games), build(games, "again", concurrency=1)
    assert one.path.read_bytes() == other.path.read_bytes()


def test_a_program_that_dies_hangs_or_refuses_costs_that_position_alone(games):
    faults = ["die", AFTER_E4, "hang", START, "refuse", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"]
    suite = build(games, player=mock(*faults, options=";watchdog=2"), concurrency=1)
    reasons = [one.failed.split(":")[0] for one in suite.positions if one.failed]
    assert sorted(reasons) == ["crash", "illegal", "stall"]
    assert (suite.failed, len(suite)) == (3, 22)
    assert "failed" in str(suite)


def test_a_program_that_dies_once_costs_nothing(games, tmp_path):
    suite = build(games, player=mock("once", f"{START};{tmp_path / 'memory'}"), concurrency=1)
    assert suite.failed == 0
    assert (tmp_path / "memory").exists()


def test_a_program_that_always_fails_is_given_up(games):
    with pytest.raises(InputError, match="mock failed on each of its first 5 positions: crash: exit code 3"):
        build(games, player=mock("die", ""))
    assert build(games, player=mock(), overwrite=True).failed == 0


def test_a_killed_build_resumes_to_the_same_file(games):
    whole = build(games)
    code = (
        "import sys, evalsmith as es\n"
        "if __name__ == '__main__':\n"
        "    es.build_suite(sys.argv[1], sys.argv[2], player=sys.argv[3], depth=3, concurrency=2)\n"
    )
    folder = games.parent / "killed"
    # A slow program, so that the kill comes amid the work: it hangs on the position after 1. e4 e5.
    slow = mock("hang", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")
    process = subprocess.Popen([sys.executable, "-c", code, str(games), str(folder), slow])
    journal = folder / "scores.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and (not journal.exists() or journal.read_bytes().count(b"\n") < 4):
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = [json.loads(line) for line in journal.read_text().splitlines()]
    assert 4 <= len(done) < 22
    with open(journal, "a") as file:
        file.write('{"number": 5, "mov')  # what a kill may leave of a line
    config = folder / "config.toml"
    good = (games.parent / "suite" / "config.toml").read_text()
    config.write_text(good)  # the program is the same but for what it was told to do
    again = es.build_suite(games, folder, player=mock(), depth=3)
    assert again.path.read_bytes() == whole.path.read_bytes()
    stored = [json.loads(line)["number"] for line in journal.read_text().splitlines() if line.endswith("}")]
    assert len(stored) == len(set(stored)) == 22


def test_another_build_in_the_same_folder_is_refused_unless_told_to(games):
    build(games, positions=4)
    with pytest.raises(MismatchError, match=r"positions was 4, is now 5.*or use --overwrite"):
        build(games, positions=5)
    assert len(build(games, positions=5, overwrite=True)) == 5
    (games.parent / "mine").mkdir()
    (games.parent / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="is not the folder of a suite build"):
        build(games, "mine", overwrite=True)
    assert (games.parent / "mine" / "thesis.txt").exists()


def test_our_own_search_scores_moves_too(games):
    suite = build(games, player="self", positions=3, depth=None, nodes=3000)
    assert all(one.depth >= 1 and len(one.scores) == len(one.moves) > 1 for one in suite.positions)
    assert build(games, "again", player="self", positions=3, depth=None, nodes=3000).fingerprint == suite.fingerprint


def test_positions_are_drawn_evenly_by_phase(tmp_path):
    es.generate("dvonn", tmp_path / "data", games=6, nodes=50, seed=3)
    suite = es.build_suite(tmp_path / "data", tmp_path / "suite", positions=12, nodes=300, phases=2, balance=[200])
    assert len(suite) == 12
    blend = len(suite.game.evaluation.blend)
    late = sum(one.phase * 2 // blend for one in suite.positions)
    assert 3 <= late <= 9


def test_othello_is_solved_exactly(tmp_path):
    line = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;\n"
    (tmp_path / "ffo.obf").write_text(line)
    suite = es.build_suite(tmp_path / "ffo.obf", tmp_path / "suite", exact=True)
    known = load_suite(tmp_path / "ffo.obf")
    assert dict(zip(suite.positions[0].moves, suite.positions[0].scores, strict=True)) == {
        "h5": 600, "g6": -200, "f6": -400, "h6": -1000,
    }  # fmt: skip
    assert suite.positions[0].best == known.positions[0].best == ("h5",)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"exact": True, "depth": None, "player": "self"}, "Chess has no solver"),
        ({"player": "random"}, "random moves have no scores"),
        ({"balance": [300, 100]}, "ascending order"),
        ({"player": "uci:/nowhere/engine"}, "is not there"),
    ],
)
def test_what_cannot_be_is_refused(games, settings, message):
    with pytest.raises(InputError, match=message):
        build(games, **settings)


def test_files_without_positions_are_refused(tmp_path):
    (tmp_path / "games.pgn").write_text('[Result "*"]\n\n*\n')
    with pytest.raises(InputError):
        es.build_suite(tmp_path / "games.pgn", tmp_path / "suite", depth=1)
