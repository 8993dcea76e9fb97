"""The command line as a user types it: answers, JSON keys, exit codes, and one line for every mistake."""

import importlib
import json
import os
import pkgutil
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer.main

from evalsmith.cli.common.help import first_sentence
from evalsmith.cli.main import app

START = "---------------------------OX------XO--------------------------- X"


def hear_ctrl_c():
    """A shell in the background hands down that Ctrl-C is ignored; the program under test must hear it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def answer(run, *words):
    """The JSON document of a command that must succeed."""
    code, out, err = run(*words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_help_names_every_verb(run):
    code, out, _ = run("--help")
    assert code == 0
    for verb in typer.main.get_group(app).commands:
        assert f"  {verb} " in out


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (("perft",), "Usage: evalsmith perft [OPTIONS] GAME\n"),
        (("data", "import"), "Usage: evalsmith data import [OPTIONS] FILES…\n"),
        (("data", "merge"), "Usage: evalsmith data merge [OPTIONS] [DATASETS…]\n"),
        (("weights", "export"), "Usage: evalsmith weights export [OPTIONS] WEIGHTS [OUTPUT]\n"),
    ],
)
def test_usage_is_plain(run, words, usage):
    code, out, _ = run(*words, "--help")
    assert code == 0 and out.startswith(usage)


def files_of(package):
    """The modules of the verbs below a package."""
    files = set()
    for entry in pkgutil.iter_modules(importlib.import_module(package).__path__):
        name = f"{package}.{entry.name}"
        groups = entry.ispkg and not hasattr(importlib.import_module(name), "VERBS")
        files |= files_of(name) if groups else {name}
    return {file for file in files if not file.startswith(("evalsmith.cli.main", "evalsmith.cli.common"))}


@pytest.mark.parametrize("package", [f"evalsmith.cli{part}" for part in ("", ".data", ".net", ".weights")])
def test_the_list_of_verbs_is_what_the_files_hold(package):
    """Every file is listed, with the first sentence of its verb; folders without verbs of their own only group them."""
    group = getattr(importlib.import_module(package), "VERBS", None) or typer.main.get_group(app)
    assert {verb.module for verb in group.commands.values()} == files_of(package)
    for verb in group.commands.values():
        assert first_sentence(verb.load().help) == verb.help


def test_only_the_verb_that_is_called_is_imported():
    code = (
        "import sys; from evalsmith.cli.main import app; app(['games', '--help'], standalone_mode=False); "
        "print(*(name for name in sys.modules if name.startswith('evalsmith.cli.')), file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert set(found.stderr.split()) <= {
        f"evalsmith.cli.{name}" for name in ("main", "games", "common", "common.calls", "common.help", "common.output")
    }


# Shows the help of every verb in one process, and after each names what is loaded that help does not need.
_HELPS = """
import contextlib, io, sys
import typer.main
from evalsmith.cli.main import app
def show(group, words):
    for name, verb in group.commands.items():
        loaded = verb.load()
        if hasattr(loaded, "commands"):
            show(loaded, [*words, name])
            continue
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            app([*words, name, "--help"], standalone_mode=False)
        assert "--help" in shown.getvalue()
        heavy = [one for one in ("numpy", "scipy", "pyarrow", "numba", "llvmlite", "rich") if one in sys.modules]
        print(*words, name, *heavy, sep=" ")
show(typer.main.get_group(app), [])
"""


def test_help_of_no_verb_loads_anything_heavy():
    found = subprocess.run([sys.executable, "-c", _HELPS], capture_output=True, check=True, text=True)
    lines = found.stdout.splitlines()
    assert {"match", "tune", "data import", "weights check"} <= set(lines)
    folders = ("data ", "net ", "probcut ", "suite ", "weights ")
    assert not [line for line in lines if len(line.split()) > 1 + line.startswith(folders)]


_STATS = """
import contextlib, io, sys
from evalsmith.cli.main import app
with contextlib.redirect_stdout(io.StringIO()) as shown:
    app(["stats", "--wdl", "10,5,3", "--sprt", "0,5"], standalone_mode=False)
assert "LLR" in shown.getvalue(), shown.getvalue()
print(*(one for one in ("scipy", "pyarrow", "numba", "llvmlite") if one in sys.modules))
"""


def test_stats_loads_no_compiler_and_no_scipy():
    """It answers in a quarter of a second of the processor; each of these would take longer to load than to answer."""
    found = subprocess.run([sys.executable, "-c", _STATS], capture_output=True, check=True, text=True)
    assert found.stdout.split() == []


def test_what_verbs_call_is_there():
    """The names that are imported at their first use, as the verbs write them."""
    folder = Path(importlib.import_module("evalsmith.cli").__file__).parent
    names = {name for file in folder.rglob("*.py") for name in re.findall(r"\bcalls\.(\w+)", file.read_text("utf-8"))}
    calls = importlib.import_module("evalsmith.cli.common.calls")
    assert len(names) > 30
    assert [name for name in sorted(names) if not hasattr(calls, name)] == []


def test_a_verb_with_a_slip_is_corrected(run):
    code, _, err = run("mach")
    assert code == 2 and "Did you mean 'match'" in err


def test_games_lists_what_is_installed(run):
    found = {entry["name"]: entry for entry in answer(run, "games")["games"]}
    assert found["othello"]["unit"] == "centidisc"
    assert "othello" in run("games")[1]


def test_perft_counts(run):
    document = answer(run, "perft", "othello", "--depth", 5)
    assert document["nodes"] == 1396
    assert sum(document["divide"].values()) == 1396
    code, out, _ = run("perft", "othello", "--depth", 3, "--divide")
    assert code == 0 and "56 nodes" in out and "f5" in out


def test_perft_of_depth_zero_is_one(run):
    assert answer(run, "perft", "othello", "--depth", 0)["nodes"] == 1


def test_show_tells_who_moves_and_what_is_legal(run, tmp_path):
    document = answer(run, "show", "othello", "--position", "f5d6c3", "--svg", tmp_path / "board.svg")
    assert document["mover"] == "white" and document["over"] is False and document["result"] is None
    assert sorted(document["moves"]) == ["d3", "f3", "f4", "g5"]
    assert (tmp_path / "board.svg").read_text().lstrip().startswith("<svg")


def test_show_of_a_finished_game_gives_the_margin(run):
    document = answer(run, "show", "othello", "--position", "X" * 50 + "-" * 14 + " O")
    assert document["over"] is True and document["moves"] == [] and document["result"] == -6400


def test_search_gives_lines_that_begin_with_their_move(run):
    document = answer(run, "search", "othello", "--nodes", 2000, "--multipv", 3)
    assert document["nodes"] <= 2000 and len(document["lines"]) == 3
    for line in document["lines"]:
        assert line["pv"][0] == line["move"] and line["unit"] == "centidisc" and line["depth"] >= 1
    assert document["bestmove"] == document["lines"][0]["move"]


def test_search_of_a_finished_game(run):
    document = answer(run, "search", "othello", "--position", "X" * 64 + " O", "--nodes", 10)
    assert document["bestmove"] is None and document["lines"] == []


def test_explain_adds_up(run):
    document = answer(run, "explain", "othello", "--position", "f5d6c3")
    assert round(sum(part["part"] for part in document["terms"])) == document["score"]
    assert {"term", "feature", "value", "weight", "part"} <= set(document["terms"][0])


def test_the_whole_path(run, tmp_path):
    made = answer(run, "data", "generate", "othello", "-o", "positions", "--games", 60, "--nodes", 30)
    assert made["games"] == 60 and made["positions"] > 500
    info = answer(run, "data", "info", "positions")
    assert info["positions"] == made["positions"] == info["won"] + info["tied"] + info["lost"]
    tuned = answer(run, "tune", "positions", "-o", "weights.json")
    assert {"loss_before", "loss_after", "validation", "passes", "seconds"} <= set(tuned)
    shown = answer(run, "weights", "show", "weights.json", "--column", 20)
    assert shown["game"] == "othello" and len(shown["largest"]) == 20
    slices = answer(run, "weights", "export", "weights.json", "slices", "--format", "othello-slices")["files"]
    assert len(slices) == 64 and (tmp_path / "slices" / "slice-20.bin").stat().st_size == 4 * 143_947
    words = ("match", "othello", "--player", "weights:weights.json", "--player", "self", "--games", 6, "--nodes", 50)
    played = answer(run, *words, "-o", "match")
    assert sum(played["pentanomial"]) == 3 and played["players"][0]["name"] == "weights"
    assert {"points", "won", "tied", "lost", "fail", "time_avg", "time_max"} <= set(played["players"][0])
    assert {"elo", "elo_error", "nelo", "los", "p_value", "sprt"} <= set(played)
    again = answer(run, *words, "-o", "match")
    assert again == played
    for folder in ("match", "weights.run"):
        page = answer(run, "report", folder)["report"]
        assert "<svg" in (tmp_path / page).read_text()


def test_tune_from_transcripts_needs_no_dataset(run, tmp_path):
    from evalsmith.games import find_game
    from evalsmith.positions.openings.drawing import random_opening  # a random game is an opening that goes to the end

    game = find_game("othello")
    import random

    source, lines = random.Random(5), []
    while len(lines) < 40:
        opening = random_opening(game, 40, source)
        if opening is not None:
            position, moves = opening
            while game.status(position) != 2:
                moves.append(source.choice(game.moves(position)))
                position = game.play(position, moves[-1])
            lines.append("".join(f"{'abcdefgh'[m % 8]}{m // 8 + 1}" for m in moves if m < 64))
    lines.insert(3, "f5f5")
    (tmp_path / "games.txt").write_text("\n".join(lines) + "\n")
    code, out, err = run("tune", "games.txt", "-o", "weights.json", "--json")
    assert code == 0, err
    assert json.loads(out)["games"] == 40
    assert "games.txt" in err and "f5" in err  # the broken game is named, and costs itself only
    imported = answer(run, "data", "import", "games.txt", "-o", "positions")
    assert imported["games"] == 40 and sum(imported["rejected"].values()) == 1


def test_demo_ends_with_a_verdict(run, tmp_path):
    code, out, err = run("demo", "-o", "demo", "--games", 40, "--match-games", 4)
    assert code == 0, err
    assert out.count("\n") == 1 and ("stronger" in out or "cannot be told apart" in out)
    page = (tmp_path / "demo" / "report.html").read_text()
    assert page.count("<svg") > 10


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["perft", "nosuch", "--depth", "3"], "no game has the name 'nosuch'"),
        (["perft", "othello", "--depth", "-1"], "depth"),
        (["perft", "othello", "--depth", "1000"], "depth"),
        (["show", "othello", "--position", "XO?"], "'?' at character 3"),
        (["show", "othello", "--position", "f5f5"], "move 2, f5, is illegal"),
        (["show", "othello", "--svg", "/proc/nowhere/x.svg"], "/proc/nowhere"),
        (["search", "othello", "--nodes", "0"], "nodes"),
        (["search", "othello", "--depth", "101"], "depth"),
        (["search", "othello", "--nodes", "5", "--multipv", "0"], "multipv"),
        (["search", "othello", "--weights", "absent.json"], "absent.json"),
        (["tune", "absent", "-o", "w.json"], "absent"),
        (["tune", ".", "-o", "w.json"], "no file of games"),
        (["data", "generate", "othello", "-o", "/proc/nowhere", "--games", "2"], "/proc/nowhere"),
        (["data", "generate", "othello", "-o", "d", "--games", "0"], "games"),
        (["data", "info", "."], "not a dataset"),
        (["data", "import", "absent.wtb", "-o", "d"], "absent.wtb"),
        (["match", "othello", "--player", "self"], "twice"),
        (["match", "othello", "--player", "self", "--player", "self"], "name="),
        (["match", "othello", "--player", "self", "--player", "uci"], "'uci'"),
        (["match", "othello", "--player", "self", "--player", "random", "--sprt", "5"], "sprt must be two numbers"),
        (["weights", "show", "absent.json"], "absent.json"),
        (["report", "."], "not a run folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path, words, wanted):
    code, out, err = run(*words)
    message = err.splitlines()
    assert code == 2 and out == ""
    assert len(message) == 1 and message[0].startswith("evalsmith: ") and wanted in message[0]


def test_usage_errors_are_exit_code_2(run):
    assert run("perft", "othello")[0] == 2
    assert run("nosuchverb")[0] == 2


def test_a_dataset_of_another_game_or_of_older_rules_is_refused(run, tmp_path):
    assert run("data", "generate", "othello", "-o", "d", "--games", 2, "--nodes", 10)[0] == 0
    head = tmp_path / "d" / "dataset.json"
    whole = json.loads(head.read_text())
    for key, value, wanted in (("rules_version", 0, "rules version 0"), ("game", "nosuch", "nosuch")):
        head.write_text(json.dumps(whole | {key: value}))
        code, _, err = run("tune", "d", "-o", "w.json")
        assert code == 2 and wanted in err
        assert not (tmp_path / "w.json").exists()


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(tmp_path):
    command = [sys.executable, "-m", "evalsmith", "data", "generate", "othello", "-o", "d", "--games", "3000"]
    command += ["--nodes", "60", "--concurrency", "1"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c
    )
    patience = time.monotonic() + 120
    while not list((tmp_path / "d").glob("part-*")) and time.monotonic() < patience:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    saved = len(list((tmp_path / "d").glob("part-*")))
    assert f"{saved} of 12 parts are saved" in err and "Traceback" not in err
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "d").glob("part-*")}
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300)
    assert "3,000 games" in again.stdout
    after = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "d").glob("part-*")}
    assert len(after) == 12 and all(after[name] == stamp for name, stamp in before.items())


def test_bench_prints_one_count(run, monkeypatch):
    from evalsmith.engine import bench

    lines = (bench.BenchLine("chess", "alphabeta", 1200, 0.5), bench.BenchLine("chess", "mcts", 30, 0.5))
    monkeypatch.setattr("evalsmith.cli.common.calls.run_bench", lambda: bench.BenchResult(lines))
    assert answer(run, "bench") == {"nodes": 1200, "games": {"chess": {"alphabeta": 1200, "mcts": 30}}}
    code, out, _ = run("bench")
    assert code == 0
    assert "2,400" in out
    assert "bench: 1,200 nodes in 0.50 s (2,400/s)" in out
