"""``evalsmith tournament``, ``placements`` and ``lockstep`` from the command line."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

THREE = ("--player", "self;name=strong;nodes=60", "--player", "self;name=weak;nodes=5", "--player", "random")


@pytest.mark.parametrize(("form", "games"), [("round-robin", 12), ("gauntlet", 8), ("swiss", 8)])
def test_formats(run, form, games):
    code, out, err = run("tournament", "connect_four", *THREE, "--format", form, "--games", 4, "--nodes", 20, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["games"] == games and len(found["players"]) == 3
    assert sum(map(sum, found["played"])) == 2 * games
    assert all(0 <= one["p_value"] <= 1 for one in found["comparisons"])


def test_a_knockout_has_a_winner(run):
    code, out, _ = run(
        "tournament", "connect_four", *THREE, "--format", "knockout", "--games", 2, "--nodes", 20, "--json"
    )
    assert code == 0 and json.loads(out)["winner"] in ("strong", "weak", "random")
    again = run("tournament", json.loads(out)["run"], "--json")[1]
    assert json.loads(again)["winner"] == json.loads(out)["winner"]
    assert f"{json.loads(out)['winner']} wins the knockout" in run("tournament", json.loads(out)["run"])[1]


@pytest.mark.parametrize("verb", ["match", "tournament"])
def test_a_file_that_cannot_be_saved_is_refused_before_the_first_game(run, tmp_path, verb):
    code, _, err = run(verb, "drmario", *THREE[2:], "--nodes", 5, "--games", 2, "-o", "run", "--save", "games.json")
    assert code == 2 and "two boards" in err and not (tmp_path / "run").exists()


def test_absurd_numbers_of_games_and_rounds_are_refused(run):
    code, _, err = run("match", "connect_four", *THREE[2:], "--games", 10**21, "--nodes", 5)
    assert code == 2 and "from 1 to 1,000,000" in err
    code, _, err = run("tournament", "connect_four", *THREE, "--format", "swiss", "--rounds", 10**9, "--nodes", 5)
    assert code == 2 and "from 0 to 1,000" in err


def test_an_event_in_a_file_its_table_its_losses_and_its_page(run, tmp_path):
    (tmp_path / "event.toml").write_text(
        'game = "dvonn"\ngames = 2\nformat = "round-robin"\n[players]\nours = "self"\nother = "random"\n'
        "[limit]\nnodes = 30\n"
    )
    code, out, _ = run("tournament", "event.toml", "-o", "run", "--save", "games.txt", "--json")
    found = json.loads(out)
    assert code == 0 and found["players"][0]["name"] == "ours"
    games = [json.loads(line) for line in (tmp_path / "run" / "games.jsonl").read_text().splitlines()]
    stones = sum(game["counts"][game["sides"].index("ours")] for game in games)
    assert found["players"][0]["points"] == stones + 90 * found["players"][0]["won"]
    assert (tmp_path / "games.txt").read_text().count("# Player 1") == 2

    assert "Won (row beat column)" in run("tournament", "run")[1]
    assert json.loads(run("tournament", "run", "--json")[1])["wins"] == found["wins"]
    lost = json.loads(run("tournament", "run", "--lost", "other", "--to", "ours", "--json")[1])["games"]
    assert len(lost) == found["players"][0]["won"]
    assert f"{len(lost)} games" in run("tournament", "run", "--lost", "other")[1]
    code, _, err = run("tournament", "run", "--lost", "nobody")
    assert code == 2 and "the players are other, ours" in err

    code, out, _ = run("report", "run")
    page = (tmp_path / "run" / "report.html").read_text()
    assert code == 0 and "Who beat whom" in page and "<svg" in page

    words = ("placements", "run", "--ply", 49, "--referee", "self;nodes=20", "--referee", "random", "--times", 2)
    code, out, _ = run(*words, "--json")
    table = json.loads(out)
    assert code == 0 and table["placements"] == 2 and len(table["players"]) == 4 and len(table["agreement"]) == 1
    assert "prefer the same side" in run(*words)[1]


def test_the_same_command_goes_on(run, tmp_path):
    words = ("tournament", "connect_four", *THREE, "--games", 2, "--nodes", 20, "-o", "run", "--json")
    first = json.loads(run(*words)[1])
    log = tmp_path / "run" / "games.jsonl"
    log.write_bytes(log.read_bytes()[:-400])
    again = json.loads(run(*words, "--concurrency", 1)[1])
    assert again["wins"] == first["wins"] and again["games"] == first["games"] == 6


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["connect_four", "--player", "self"], "at least two"),
        (["connect_four", "--player", "self", "--player", "self"], "have the name 'self'"),
        (["connect_four", *THREE, "--format", "fair"], "match, round-robin"),
        (["connect_four", *THREE, "--points", "contest"], "no contest points"),
        (["connect_four", *THREE, "--lost", "self"], "run folder"),
        (["nosuch", *THREE], "no game has the name 'nosuch'"),
        (["nosuch.toml"], "there is no file"),
    ],
)
def test_bad_asks_are_one_line(run, words, wanted):
    code, out, err = run("tournament", *words)
    assert (code, out) == (2, "") and wanted in err and len(err.splitlines()) == 1


def test_placements_of_nothing(run, tmp_path):
    code, _, err = run("placements", "nosuch", "--ply", 4, "--referee", "self")
    assert code == 2 and "nosuch" in err


def test_lockstep(run):
    words = ("lockstep", "connect_four", "self", "self;name=again")
    code, out, _ = run(*words, "--positions", 8, "--depth", 3)
    assert code == 0 and "the same move on 8, the same nodes on 8" in out
    code, out, _ = run("lockstep", "connect_four", "self", "self;name=b;depth=5", "--positions", 8, "--depth", 3)
    assert code == 1 and "first difference, position" in out
    code, out, _ = run("lockstep", "connect_four", "self", "random", "--positions", 8, "--depth", 3, "--json")
    assert code == 1 and json.loads(out)["difference"]["moves"]
    assert run(*words, "--positions", "nosuch")[0] == 2


def hear_ctrl_c():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_one_ctrl_c_ends_the_running_games_and_the_same_command_goes_on(tmp_path):
    command = [
        sys.executable,
        "-m",
        "evalsmith",
        "match",
        "connect_four",
        "--player",
        "self",
        "--player",
        "self;name=b",
    ]
    command += ["--games", "40", "--tc", "0.3+0", "-o", "m", "--concurrency", "2"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c
    )
    log = tmp_path / "m" / "games.jsonl"
    patience = time.monotonic() + 120
    while (not log.exists() or not log.read_bytes()) and time.monotonic() < patience:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    kept = len(log.read_text().splitlines())
    assert f"saved {kept} of 40 games" in err and "finishing the running games" in err and "Traceback" not in err
    assert 2 <= kept < 40


def test_anchors_fix_ratings_and_are_remembered(run, tmp_path):
    two = ("--player", "self;name=one;nodes=9", "--player", "self;name=two;nodes=7")
    how = ("--games", 12, "--nodes", 5, "-o", "run")
    code, out, _ = run("tournament", "connect_four", *two, *how, "--anchor", "one=2000", "--json")
    assert code == 0
    ratings = {one["name"]: one["elo"] for one in json.loads(out)["ratings"]}
    assert ratings["one"] == 2000 or json.loads(out)["unrated"]
    assert json.loads(run("tournament", "run", "--json")[1])["anchors"] == {"one": 2000}
    assert json.loads(run("tournament", "run", "--anchor", "two=100", "--json")[1])["anchors"] == {"two": 100}
    for text, said in (("x=1", "no player has the name 'x'"), ("one", "NAME=ELO"), ("one=1e9", "at most")):
        code, _, err = run("tournament", "run", "--anchor", text)
        assert code == 2 and said in err


def test_an_odd_number_of_games_is_spoken_of(run):
    code, out, err = run("match", "connect_four", *THREE[2:], "--nodes", 5, "--games", 3, "--json")
    assert code == 0 and json.loads(out)["games"] == 4
    assert "games are played in pairs with sides swapped: 4 instead of 3" in err
    assert "pairs" not in run("match", "connect_four", *THREE[2:], "--nodes", 5, "--games", 4, "--json")[2]


def test_what_is_finished_is_saved_where_an_event_is_interrupted(run, tmp_path, monkeypatch):
    from evalsmith.arena.results.log import GameLog

    append, seen = GameLog.append, []

    def stop_after_five(self, entry):
        append(self, entry)
        seen.append(entry)
        if len(seen) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(GameLog, "append", stop_after_five)
    code, _, err = run(
        *("match", "othello", "--player", "random", "--player", "random;name=other", "--nodes", 2, "--games", 40),
        *("--concurrency", 1, "-o", "run", "--save", "games.ggf"),
    )
    assert code == 130 and "saved 5 of 40 games" in err
    assert (tmp_path / "games.ggf").read_text().count("GM[Othello]") == 5
    assert run("report", "run")[0] == 0 and (tmp_path / "run" / "report.html").exists()
    assert run("tournament", "run", "--save", "again.ggf")[0] == 0
    assert (tmp_path / "again.ggf").read_text() == (tmp_path / "games.ggf").read_text()
