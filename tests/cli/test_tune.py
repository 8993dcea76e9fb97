"""``evalsmith tune`` as a user types it: flags, a TOML file, and one line for every mistake."""

from __future__ import annotations

import json
import random
import re
import tomllib

import pytest

from evalsmith.games import find_game


@pytest.fixture
def games(tmp_path):
    """Transcripts of a few random games."""
    othello, lines = find_game("othello"), []
    for seed in range(12):
        choose, position, line = random.Random(seed), othello.start(), ""
        while moves := othello.moves(position):
            move = choose.choice(moves)
            line += othello.format_move(position, move).replace("pass", "")
            position = othello.play(position, move)
        lines.append(line)
    (tmp_path / "games.transcript").write_text("\n".join(lines) + "\n")
    return "games.transcript"


QUICK = ("--window", "0", "--validation", "0.3", "--tolerance", "0.1")


def test_a_toml_file_says_everything(run, games, tmp_path):
    (tmp_path / "fits").mkdir()
    (tmp_path / "fits" / "fit.toml").write_text(
        f"""
        sources = "../{games}"
        output = "small.json"
        window = 0
        validation = 0.3
        tolerance = 0.1
        terms = ["mobility", "enemy mobility"]
        dense = "linear"
        """
    )
    code, out, err = run("tune", "fits/fit.toml", "--seed", 3, "--json")
    assert code == 0, err
    document = json.loads(out)
    assert (document["loss"], document["method"]) == ("squared", "cg")
    assert document["settings"]["terms"] == ["mobility", "enemy mobility"]
    assert document["validation_plain"]["count"] == document["validation"]["count"]
    stored = tomllib.loads((tmp_path / "fits" / "small.run" / "config.toml").read_text())
    assert stored["seed"] == 3 and stored["dense"] == "linear" and "penalty" not in stored
    assert stored["loss"] == "auto" and stored["method"] == "auto" and stored["towards"] == "start"
    assert (tmp_path / "fits" / "small.json").exists()
    code, out, err = run("report", "fits/small.run")
    assert code == 0, err
    page = (tmp_path / "fits" / "small.run" / "report.html").read_text()
    assert "How often weights were seen" in page and "with and without" in page
    # A flag overrides the file, and the same run is not another one.
    code, _, err = run("tune", "--config", "fits/fit.toml", "--dense", "none")
    assert code == 2 and "dense was 'linear', is now 'none'" in err


def test_the_penalty_is_chosen_and_drawn(run, games, tmp_path):
    code, out, err = run("tune", games, "-o", "w.json", "--penalty", "auto", *QUICK)
    assert code == 0, err
    assert "chosen by validation (root mean squared error of 0.1: " in out
    result = json.loads((tmp_path / "w.run" / "result.json").read_text())
    [choice] = result["choices"]
    assert choice["setting"] == "penalty" and len(choice["tried"]) >= 6
    figures = dict(re.findall(r"([\d.]+): ([\d.]+)", out.split("root mean squared error of ")[1].splitlines()[0]))
    assert min(figures, key=lambda value: float(figures[value])) == str(float(choice["value"]))
    assert run("report", "w.run")[0] == 0
    assert "Error by penalty" in (tmp_path / "w.run" / "report.html").read_text()


def test_the_page_says_which_targets_are_exact_and_which_are_results(run, games, tmp_path):
    assert run("data", "import", games, "-o", "data")[0] == 0
    assert run("data", "label", "data", "--by", "solve", "--empties", 6)[0] == 0
    code, _, err = run("tune", "data", "-o", "w.json", *QUICK)
    assert code == 0, err
    targets = json.loads((tmp_path / "w.run" / "result.json").read_text())["targets"]
    assert set(targets["5"]) == {"exact"} and set(targets["30"]) == {"result"}
    assert run("report", "w.run")[0] == 0
    page = (tmp_path / "w.run" / "report.html").read_text()
    assert re.search(
        r"Most targets are exact scores in [01] empties to 6 empties, results of games in 7 empties to", page
    )


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--loss", "cubic"), "loss must be auto, logistic, cross-entropy or squared, not 'cubic'"),
        (("--loss", "logistic"), "othello has 64 columns of 143,947 weights, which are fitted one by one"),
        (("--penalty", "lots"), "penalty must be a number of at least 0, or auto, not 'lots'"),
        (("--penalty", "-1"), "penalty must be a number of at least 0, or auto, not -1"),
        (("--window", "2.5"), "window must be a whole number of at least 0, or auto, not '2.5'"),
        (("--dense", "cubic"), "dense must be none, linear, sqrt, monotone or auto"),
        (("--term", "corners"), "othello has no feature 'corners'; its features are"),
        (("--config", "absent.toml"), "there is no file absent.toml"),
    ],
)
def test_what_is_wrong_is_one_line(run, games, tmp_path, words, reason):
    code, out, err = run("tune", games, "-o", "w.json", *words)
    assert code == 2 and not out
    assert reason in err and len(err.strip().splitlines()) == 1
    assert not (tmp_path / "w.json").exists() and not (tmp_path / "w.run").exists()


def test_what_is_missing_is_reported(run, games, tmp_path):
    assert "nothing to fit" in run("tune", "-o", "w.json")[2]
    assert "give the weights file to write with -o" in run("tune", games)[2]
    (tmp_path / "a.toml").write_text("")
    assert "expected one TOML file" in run("tune", "a.toml", "--config", "a.toml", "-o", "w.json")[2]
    (tmp_path / "b.toml").write_text("sauces = 1")
    code, _, err = run("tune", "b.toml", "-o", "w.json")
    assert code == 2 and "there is no setting 'sauces' in b.toml; did you mean sources?" in err
