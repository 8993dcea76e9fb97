"""The verbs of ``evalsmith data``, one after another, as a user types them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evalsmith.cli.main import app
from evalsmith.games import OVER, find_game
from evalsmith.games.othello.rules import PASS
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.run.errors import EvalsmithError

OTHELLO = find_game("othello")


def lines(seeds: range) -> str:
    texts = []
    for seed in seeds:
        choose, position, text = random.Random(seed), OTHELLO.start(), ""
        while OTHELLO.status(position) != OVER:
            move = choose.choice(OTHELLO.moves(position))
            text += "" if move == PASS else OTHELLO.format_move(position, move)
            position = OTHELLO.play_unchecked(position, move)
        texts.append(text)
    return "\n".join(texts) + "\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(lines(range(8)))
    (tmp_path / "b.txt").write_text(lines(range(6, 12)))
    return tmp_path


def run(*arguments: object) -> Any:
    result = CliRunner().invoke(app, ["data", *map(str, arguments)])
    if isinstance(result.exception, EvalsmithError):
        raise result.exception
    assert result.exit_code == 0, (result.output, result.exception)
    return result


def answer(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def test_the_whole_path(here: Path) -> None:
    first = answer("import", "a.txt", "-o", "a")
    assert (first["games"], first["rejected"]) == (8, {})
    chosen = answer("import", "a.txt", "b.txt", "-o", "ab", "--dedup", "--skip-first", 6, "--text", "--per-game", 20)
    assert chosen["games"] == 14
    assert chosen["rejected_positions"] == chosen["rejected"]
    assert set(chosen["rejected"]) == {
        "position in the opening", "position beyond those of its game", "position that came before",
    }  # fmt: skip
    assert answer("label", "ab", "--by", "search", "--nodes", 20)["labelled"] == chosen["positions"]
    told = answer("info", "ab")
    assert told["labels"] == {"search": chosen["positions"]}
    both = answer("info", "a", "ab", "--report", "page.html")
    assert list(both["datasets"]) == ["a", "ab"]
    assert "<svg" in (here / "page.html").read_text()
    assert answer("merge", "a", "ab", "-o", "m")["positions"] == first["positions"] + chosen["positions"]
    (here / "mix.toml").write_text("mix = { a = 50, ab = 70 }\n")
    assert answer("merge", "--mix", "mix.toml", "-o", "mixed")["positions"] == 120
    parts = answer("split", "a", "-o", "s", "--into", "train=0.5", "--into", "rest=0.5")
    assert sum(part["positions"] for part in parts.values()) == first["positions"]
    assert answer("sample", "a", "-o", "few", "--positions", 30, "--shuffle")["positions"] == 30
    assert answer("export", "ab", "ab.csv", "-f", "csv")["positions"] == chosen["positions"]
    assert len((here / "ab.csv").read_text().splitlines()) == chosen["positions"] + 1


def test_what_a_person_sees(here: Path) -> None:
    shown = run("import", "a.txt", "-o", "a", "--min-plies", 61).stdout
    assert "rejected: too short or too long" in shown
    assert "bytes per position" in run("info", "a").stdout
    assert "positions in m" in run("merge", "a", "-o", "m").stdout
    result = run("split", "a", "-o", "s", "--by", "position")
    assert "flattered by 4 to 6 %" in result.stderr
    assert "have a label by result" in run("label", "a", "--by", "result").stdout
    assert "without a place in the format" in run("export", "a", "x.bin", "-f", "othello20").stdout


def test_a_selection_by_file_and_flags(here: Path) -> None:
    (here / "s.toml").write_text("[select]\nskip_first = 10\nper_game = 3\n")
    told = answer("import", "a.txt", "-o", "a", "--select", "s.toml", "--per-game", 5)
    assert told["positions"] == 40
    assert load_dataset(here / "a").made["selection"] == {"skip_first": 10, "per_game": 5}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["merge", "-o", "m"], "give the datasets to merge"),
        (["merge", "a", "-o", "m"], "there is no dataset a"),
        (["split", "a", "-o", "s", "--by", "luck"], "by must be game or position"),
        (["split", "a", "-o", "s", "--into", "half"], "as train=0.9"),
        (["split", "a", "-o", "s", "--into", "x=0.5", "--into", "x=0.5"], "names 'x' twice"),
        (["label", "a", "--by", "search", "--stages", "x-3"], "as 10-20"),
        (["label", "absent", "--by", "search"], "there is no dataset absent"),
        (["import", "a.txt", "-o", "d", "--quiet", "soon"], "at least 0, or position or line"),
        (["import", "a.txt", "-o", "d", "--min-seconds", "nan"], "min_seconds must be a number of at least 0, not nan"),
        (["import", "a.txt", "-o", "d", "--max-seconds", "inf"], "max_seconds must be a number of at least 0, not inf"),
        (["label", "a", "--by", "search", "--movetime", "nan"], "movetime must be a number above 0, not nan"),
        (["sample", "a", "-o", "x", "--share", "nan"], "share must be a number above 0 and at most 1"),
        (["generate", "othello", "-o", "x", "--noise", "nan"], "noise must be a number of at least 0 and below 1"),
        (["generate", "othello", "-o", "x", "--temperature", "inf"], "temperature must be a number of at least 0"),
        (["label", "a", "--by", "playout", "--multipv", "2"], "have no lines"),
        (["import", "a.txt", "-o", "d", "--format", "xyz"], "xyz"),
        (["export", "absent", "x", "-f", "csv"], "there is no dataset absent"),
        (["sample", "absent", "-o", "x"], "there is no dataset absent"),
        (["generate", "othello", "-o", "x", "--temperature", "-1"], "temperature"),
        (["generate", "othello", "-o", "x", "--seed", str(10**22)], "seed must be a whole number from"),
        (["generate", "othello", "-o", "x", "--book", "absent"], "absent"),
    ],
)
def test_bad_input_is_one_sentence(here: Path, arguments: list[str], told: str) -> None:
    with pytest.raises(EvalsmithError, match=told):
        run(*arguments)


def test_a_killed_import_is_never_taken_for_a_dataset(here: Path) -> None:
    """Whenever it is killed: what is there is refused, or it is whole; and the same command makes it."""
    (here / "many.txt").write_text(lines(range(60)) * 40)
    command = [sys.executable, "-m", "evalsmith", "data", "import", "many.txt", "-o", "d", "--game", "othello"]
    positions = None
    for delay in (0.0, 0.05, 0.3):
        process = subprocess.Popen(command, cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not (here / "d" / "dataset.json").exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        if (here / "d" / "dataset.json").exists():
            dataset = load_dataset(here / "d")
            if dataset.complete:
                positions = len(dataset.read())
                break
            with pytest.raises(EvalsmithError, match="is incomplete"):
                dataset.read()
    told = answer("import", "many.txt", "-o", "d", "--game", "othello")
    assert told["games"] == 2400
    assert len(load_dataset(here / "d").read()) == told["positions"]
    assert positions in (None, told["positions"])
    assert not list((here / "d").glob(".part*"))


def test_quiet_positions_from_the_command_line(here: Path) -> None:
    (here / "g.pgn").write_text('[Result "1-0"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 Nf6 1-0\n')
    every = answer("import", "g.pgn", "-o", "every")["positions"]
    quiet = answer("import", "g.pgn", "-o", "quiet", "--quiet", "position")
    # After 2. exd5 a pawn is to be won back; 1... d5 only offers an exchange, which wins nothing.
    assert (every, quiet["positions"], quiet["rejected"]) == (8, 7, {"position not quiet": 1})
    plies = answer("import", "g.pgn", "-o", "a", "--quiet", 2)
    named = answer("import", "g.pgn", "-o", "b", "--quiet-threshold", 2)
    assert plies["positions"] == named["positions"] < every
    assert answer("sample", "every", "-o", "s", "--quiet")["positions"] == 7
    assert answer("label", "every", "--by", "search", "--nodes", 20, "--quiet")["labelled"] == 7
    made = answer("generate", "chess", "-o", "g", "--games", 2, "--nodes", 5, "--quiet", "--no-scores")
    assert made["positions"] > 0 and load_dataset(here / "g").made["quiet"] is True
    assert "scores" not in load_dataset(here / "g").made
