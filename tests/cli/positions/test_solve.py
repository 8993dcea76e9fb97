"""``evalsmith solve`` as a user types it."""

import json
import os
import signal
import subprocess
import sys

import pytest

# 6 empty squares, black to move; h5 wins by 6 discs, other moves lose.
LATE = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"
OVER = "X" * 40 + "O" * 24 + " X"


def answer(run, *words):
    """The JSON document of a command that must succeed."""
    code, out, err = run(*words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_the_exact_score(run):
    document = answer(run, "solve", "othello", "--position", LATE)
    assert list(document)[:6] == ["score", "unit", "bestmove", "pv", "nodes", "seconds"]
    assert (document["solved"], document["lower"], document["upper"]) == (True, 600, 600)
    assert (document["score"], document["unit"]) == (600, "centidisc")
    # After h5 neither side can move, and 5 squares stay empty.
    assert (document["bestmove"], document["pv"]) == ("h5", ["h5"])
    assert answer(run, "solve", "othello", "--position", LATE, "--memory", 640)["score"] == 600


def test_for_a_person(run):
    code, out, _ = run("solve", "othello", "--position", LATE)
    assert code == 0
    assert "+6 " in out and "score (discs)" in out and "h5" in out and "nodes in" in out


def test_a_finished_game_has_a_score_and_no_move(run):
    document = answer(run, "solve", "othello", "--position", OVER)
    assert (document["score"], document["bestmove"], document["pv"]) == (1600, None, [])
    assert "the game is over" in run("solve", "othello", "--position", OVER)[1]


def test_a_pass_is_a_move(run):
    document = answer(run, "solve", "othello", "--position", "-" + "O" * 6 + "X" + "-" * 56 + " O")
    assert (document["score"], document["pv"]) == (-6400, ["pass", "a1"])


def test_weights_change_the_nodes_and_not_the_score(run):
    late = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"  # 14 empties
    words = ("solve", "othello", "--position", late)
    plain, fitted = (answer(run, *words, "--weights", name) for name in ("none", "fitted"))
    assert plain["score"] == fitted["score"] == 1800
    assert plain["nodes"] != fitted["nodes"] == answer(run, *words)["nodes"]


@pytest.mark.parametrize("limit", [("--nodes", 3000), ("--movetime", 0.2)])
def test_what_a_limit_leaves_unsolved_is_a_no(run, limit):
    code, out, _ = run("solve", "othello", "--position", "start", *limit, "--json")
    document = json.loads(out)
    assert code == 1
    assert (document["solved"], document["score"], document["bestmove"], document["pv"]) == (False, None, None, [])
    assert document["lower"] < document["upper"] and document["nodes"] > 0
    code, out, _ = run("solve", "othello", "--position", "start", *limit)
    assert code == 1
    assert "not solved: the score lies from -64 to +64 discs" in out and "nodes in" in out


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["chess", "--position", "e4 e5"], "Chess has no solver; games that have one: othello"),
        (["othello", "--position", "XO?"], "'?' at character 3"),
        (["othello", "--position", LATE, "--weights", "absent.json"], "absent.json"),
        (["othello", "--position", LATE, "--memory", "1"], "the table needs from 64 to"),
        (["othello", "--position", LATE, "--memory", str(1 << 60)], "not 1,152,921,504,606,846,976"),
        (["othello", "--position", LATE, "--nodes", "0"], "above 0 and finite, not 0"),
        (["othello", "--position", LATE, "--movetime", "inf"], "not inf"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, words, wanted):
    code, out, err = run("solve", *words)
    message = err.splitlines()
    assert code == 2 and out == ""
    assert len(message) == 1 and message[0].startswith("evalsmith: ") and wanted in message[0]


def test_a_position_must_be_given(run):
    assert run("solve", "othello")[0] == 2


def test_ctrl_c_ends_a_long_solve_after_it_told_how_far_it_is(tmp_path):
    command = [sys.executable, "-m", "evalsmith", "solve", "othello", "--position", "start"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    told = next(line for line in process.stderr if "nodes" in line)
    assert "million/s" in told and "the score lies from -64 to +64 discs" in told
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130 and out == ""
    assert "interrupted" in err
