"""``evalsmith suite``: build, run, compare, export; exit codes, JSON, and one line for whatever is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from evalsmith.suite.store import write_suite
from suite_cases import EPD, PGN, START, mock, scored_suite


@pytest.fixture
def games(tmp_path):
    (tmp_path / "games.pgn").write_text(PGN)
    return "games.pgn"


@pytest.fixture
def suite(tmp_path):
    return write_suite(scored_suite(), tmp_path / "small.parquet").path


def test_from_games_to_a_verdict(run, games, tmp_path):
    code, out, _ = run("suite", "build", games, "-o", "suite", "--player", mock(), "--depth", 3, "--json")
    assert code == 0
    assert json.loads(out)["positions"] == 22
    code, out, _ = run("suite", "run", "suite", "--player", mock(), "--depth", 3, "-o", "best", "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["positions"], document["loss_mean"], document["failed"]) == (22, 0, 0)
    assert {"positions", "loss_mean", "loss_total", "error", "by_tag", "failed", "run"} <= set(document)
    code, out, err = run("suite", "run", "suite", "--player", "random", "-o", "random")
    assert code == 0
    assert "mean loss" in out
    assert "evalsmith report random" in err
    code, out, _ = run("suite", "compare", "best", "random", "--fail-if-worse", "--report", "page.html")
    assert code == 1
    assert "random is worse than mock" in out
    assert (tmp_path / "page.html").exists()
    code, out, _ = run("suite", "compare", "random", "best", "--fail-if-worse", "--json")
    assert code == 0
    assert json.loads(out)["verdict"] == "better"
    assert run("report", "best")[0] == 0


def test_a_run_that_is_not_worse_does_not_fail(run, suite):
    for name in ("a", "b"):
        assert run("suite", "run", suite, "--player", mock(), "--depth", 3, "-o", name)[0] == 0
    assert run("suite", "compare", "a", "b", "--fail-if-worse")[0] == 0


def test_the_static_evaluation(run, suite):
    code, out, _ = run("suite", "run", suite, "--static", "-o", "static", "--json")
    assert code == 0
    assert {"rank_correlation", "error", "parts", "terms", "failed"} <= set(json.loads(out))


def test_export(run, suite, tmp_path):
    assert run("suite", "export", suite, "small.epd")[0] == 0
    assert "bm Ra8#" in (tmp_path / "small.epd").read_text()
    code, _, err = run("suite", "export", suite, "small.epd")
    assert (code, err.count("\n")) == (2, 1)
    assert "--overwrite" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("suite", "run", "nothing"), "there is no suite nothing"),
        (("suite", "run", "notes.txt"), "is not a suite"),
        (("suite", "run", "cut.parquet"), "is not a complete Parquet file"),
        (("suite", "run", "sts.epd", "--player", "nboard:cat"), "nboard is a protocol for othello"),
        (("suite", "run", "sts.epd", "--player", "uci:/no/engine"), "is not there"),
        (("suite", "run", "sts.epd", "--player", "uci:true"), "true cannot be started: crash: exit code 0"),
        (("suite", "run", "sts.epd", "--nodes", "0"), "nodes must be"),
        (("suite", "compare", "sts.epd", "notes.txt"), "answers.parquet"),
        (("suite", "build", "notes.txt", "-o", "x"), "notes.txt"),
        (("suite", "build", "nothing.pgn", "-o", "x"), "nothing.pgn"),
        (("suite", "build", "games.pgn", "-o", "x", "--exact"), "Chess has no solver"),
        (("suite", "build", "games.pgn", "-o", "x", "--player", "gtp:cat"), "gtp"),
        (("suite", "build", "games.pgn", "-o", "x", "--balance", "9,5"), "ascending order"),
    ],
)
def test_bad_input_is_one_line(run, games, suite, tmp_path, words, message):
    (tmp_path / "notes.txt").write_text("hello\n")
    (tmp_path / "sts.epd").write_text(EPD)
    (tmp_path / "cut.parquet").write_bytes(suite.read_bytes()[:200])
    code, out, err = run(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("evalsmith: ")
    assert message in err


def test_an_existing_page_is_not_overwritten(run, suite, tmp_path):
    run("suite", "run", suite, "--player", mock(), "--depth", 2, "-o", "a")
    (tmp_path / "page.html").write_text("mine")
    code, _, err = run("suite", "compare", "a", "a", "--report", "page.html")
    assert code == 2
    assert "--overwrite" in err
    assert (tmp_path / "page.html").read_text() == "mine"
    assert run("suite", "compare", "a", "a", "--report", "page.html", "--overwrite")[0] == 0


def test_ctrl_c_ends_a_search_that_is_under_way_and_says_what_is_saved(games, tmp_path):
    """The program hangs, so that only a kill ends its search."""
    player = mock("hang", START.split()[0])
    words = ["suite", "build", games, "-o", "suite", "--player", player, "--depth", "2", "--concurrency", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "evalsmith", *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    journal = tmp_path / "suite" / "scores.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "run the same command to resume" in err
    assert "Traceback" not in err
