"""``evalsmith spsa`` from the command line."""

import json

import pytest

from evalsmith.cli.proof.spsa import ValuesBar

EVENT = """
game = "connect_four"
player = "self"
iterations = 6
output = "tuned"

[parameters.lmr_base]
c_end = 100
r_end = 0.05

[limit]
nodes = 20

[openings]
random_plies = 4
"""


@pytest.fixture
def event(tmp_path):
    path = tmp_path / "event.toml"
    path.write_text(EVENT, encoding="utf-8")
    return path


def test_a_run_from_a_file_its_folder_and_its_page(run, event, tmp_path):
    code, out, err = run("spsa", event, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["run"] == "tuned" and found["games"] == 12 and list(found["values"]) == ["lmr_base"]
    assert json.loads(run("spsa", "tuned", "--json")[1]) == found
    assert "6 of 6 iterations" in run("spsa", event)[1]
    assert run("report", "tuned")[0] == 0 and (tmp_path / "tuned" / "report.html").exists()


def test_a_run_and_its_proof(run, event):
    code, out, err = run(
        "spsa", event, "--prove", "--proof-games", 4, "--nodes", 400, "--iterations", 12, "--seed", 2, "--json"
    )
    assert (code, err) == (0, "")
    proof = json.loads(out)["proof"]
    assert [one["name"] for one in proof["players"]] == ["end", "start"] and proof["sprt"]


def test_the_bar_shows_the_values(capsys, monkeypatch):
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    with ValuesBar("spsa", 100, "iterations") as bar:
        bar.show_values({"lmr_base": 75.123456, "lmr_moves": 3.0})
        bar.resume(40)
        now += 10
        bar.advance(20)
    assert capsys.readouterr().err == "lmr_base 75.12, lmr_moves 3: 60 of 100 iterations, 2/s, 20 s left\n"


def test_flags_override_the_file(run, event):
    code, out, _ = run("spsa", event, "--iterations", 3, "--pairs", 2, "--nodes", 10, "-o", "other", "--json")
    assert code == 0 and json.loads(out)["games"] == 12 and json.loads(out)["run"] == "other"
    code, out, _ = run("spsa", event, "--games", 8, "-o", "shorter", "--json")
    assert code == 0 and json.loads(out)["games"] == 8


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('game = "connect_four"\n', "", "expected game"),
        ('player = "self"\n', "", "expected player"),
        ("[parameters.lmr_base]", "[parameters.lmr_bass]", "did you mean lmr_base"),
        ("c_end", "c_ende", "did you mean c_end"),
        ("iterations", "iteration", "did you mean iterations"),
        ("c_end = 100", "start = 900", "start is 900, which is not from 0 to 400"),
        ('output = "tuned"', "output = 3", "output must be the path"),
        ('"self"', '"uci:no-such-program"', "no program 'no-such-program'"),
    ],
)
def test_a_wrong_file_is_named(run, event, old, new, message):
    event.write_text(EVENT.replace(old, new), encoding="utf-8")
    code, _, err = run("spsa", event)
    assert code == 2 and message in err
    assert "Traceback" not in err


def test_help_names_the_settings(run):
    code, out, _ = run("spsa", "--help")
    assert code == 0 and "--prove" in out and "--iterations" in out and "EVENT.toml" in out
