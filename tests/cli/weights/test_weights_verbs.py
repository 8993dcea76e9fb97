"""``evalsmith weights``, and weights in the other verbs, as a user types them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cof_files import write_set
from evalsmith.games import find_game
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.weights import Weights, read_cof, save_weights, starting_weights

OTHELLO = find_game("othello")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "d"
    generate(OTHELLO, path, games=6, seed=1, concurrency=1)
    return path


def test_check_by_stage_with_a_search_and_a_page(run, dataset, tmp_path):
    code, out, err = run(
        "weights", "check", "self", "--on", dataset, "-d", "1,2", "--sample", 30, "-o", "p.html", "--json"
    )
    assert code == 0, err
    found = json.loads(out)
    assert found["game"] == "othello" and found["unit"] == "discs" and found["depths"] == [1, 2]
    assert [one["positions"] for one in found["searches"]] == [30, 30]
    assert sum(stage["static"]["positions"] for stage in found["stages"]) == found["static"]["positions"]
    assert found["static"]["ratio"] == pytest.approx(found["static"]["error"] / found["static"]["zero"])
    page = (tmp_path / "p.html").read_text()
    assert "<svg" in page and "depth 2" in page and "By depth" in page
    code, out, _ = run("weights", "check", "self", "--on", dataset, "-o", "p.svg")
    assert code == 0 and "mean absolute error in discs" in out and "all" in out
    assert (tmp_path / "p.svg").read_text().lstrip().startswith("<svg")


def test_check_of_a_file_that_agrees_with_itself(run, dataset, tmp_path):
    save_weights(starting_weights(OTHELLO), tmp_path / "w.json")
    names = ("hand-set", "w.json")
    own, file = (json.loads(run("weights", "check", name, "--on", dataset, "--json")[1]) for name in names)
    assert own["stages"] == file["stages"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("absent.json", "--on", "DATASET"), "absent.json"),
        (("self", "--on", "absent"), "there is no dataset absent"),
        (("self", "--on", "DATASET", "-o", "p.pdf"), "-o must end in .html (a page) or .svg (a picture)"),
        (("self", "--on", "DATASET", "-d", "0"), "depths must be a whole number of at least 1"),
        (("self", "--on", "DATASET", "-d", "1;2"), "depths must be a whole number of at least 1, not '1;2'"),
        (("self", "--on", "DATASET", "--exact"), "no position with an exact value"),
        (("self", "--on", "DATASET", "--stages", "x"), "stages must be a number or a range"),
    ],
)
def test_what_is_wrong_is_one_line(run, dataset, words, reason):
    code, out, err = run("weights", "check", *(dataset if word == "DATASET" else word for word in words))
    assert code == 2 and not out and reason in err and len(err.strip().splitlines()) == 1


def test_diff(run, tmp_path):
    values = starting_weights(OTHELLO).values.copy()
    place = starting_weights(OTHELLO).layout.slice_of("mobility").start + 5
    values[20, place] += 777
    save_weights(Weights(OTHELLO, values.astype(np.int32)), tmp_path / "w.json")
    for words, sign in ((("hand-set", "w.json"), 1), (("w.json", "hand-set"), -1)):
        code, out, err = run("weights", "diff", *words, "--json")
        assert code == 0, err
        [change] = json.loads(out)["largest"]
        assert (change["feature"], change["index"], change["column"]) == ("mobility", 5, "20 empties")
        assert change["after"] - change["before"] == 777 * sign
    code, out, _ = run("weights", "diff", "w.json", "w.json")
    assert code == 0 and "the weights are the same" in out
    code, _, err = run("weights", "diff", "hand-set", "self")
    assert code == 2 and "hand-set weights of which game? name it with --game" in err
    for words in (("hand-set", "self", "--game", "connect_four"), ("fitted", "self", "--game", "othello")):
        code, out, _ = run("weights", "diff", *words)
        assert code == 0 and "the weights are the same" in out


def test_slices_there_and_back(run, tmp_path):
    code, out, err = run(
        "weights", "export", "hand-set", "s32", "--game", "othello", "--format", "othello-slices", "--json"
    )
    assert code == 0, err
    assert len(json.loads(out)["files"]) == 64
    assert run("weights", "export", "slices:s32", "s16", "--format", "othello-slices16")[0] == 0
    assert (tmp_path / "s16" / "slice-63.bin").stat().st_size == 2 * 143_947
    assert run("weights", "export", "slices:s16", "back.json")[0] == 0
    code, out, _ = run("weights", "diff", "hand-set", "back.json", "--json")
    assert code == 0 and json.loads(out)["largest"] == []
    (tmp_path / "s16" / "slice-20.bin").unlink()
    code, _, err = run("weights", "show", "slices:s16")
    assert code == 2 and "s16 has no slice-20.bin" in err


def test_rare_weights(run, dataset, tmp_path):
    words = ("weights", "show", "self", "--on", dataset, "--column", 20, "--rare", "--top", 3)
    code, out, err = run(*words, "--table", "seen.csv", "--json")
    assert code == 0, err
    assert [each["seen"] for each in json.loads(out)["rarest"]] == [1, 1, 1]
    assert (
        (tmp_path / "seen.csv").read_text().startswith('"column","feature","index","is","weight","seen"\n"20 empties"')
    )
    code, out, _ = run(*words)
    assert code == 0 and "rarest weights, centidiscs" in out
    code, _, err = run("weights", "show", "self", "--on", dataset, "--game", "dvonn")
    assert code == 2 and "holds positions of othello, not of dvonn" in err


# ── NTest's tables ──


@pytest.fixture
def tables(tmp_path):
    write_set(tmp_path / "tables", largest=300)
    return read_cof(tmp_path / "tables")


def test_tables_in_every_verb(run, dataset, tables):
    text = "-----X-----OXO---XOXOXOXXOXOXOXOOXOXOX---OXOX------XO------O---- X"
    position = OTHELLO.parse(text)
    value = int(tables.evaluate(position[None])[0])
    code, out, err = run("explain", "othello", "-p", text, "--weights", "cof:tables", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["score"] == value == sum(part["part"] for part in found["terms"])
    best = max(-int(tables.evaluate(OTHELLO.play(position, move)[None])[0]) for move in OTHELLO.moves(position))
    code, out, err = run("search", "othello", "-p", text, "-w", "cof:tables", "--depth", 1, "--json")
    assert code == 0 and json.loads(out)["lines"][0]["score"] == best, err
    code, out, err = run("weights", "check", "cof:tables", "--on", dataset, "--json")
    assert code == 0, err
    samples = load_dataset(dataset).read()
    errors = np.abs(tables.evaluate(samples.words) - samples.target) / 100
    assert json.loads(out)["static"]["error"] == pytest.approx(float(errors.mean()))
    assert json.loads(out)["weights"] == "JA"
    code, out, _ = run("weights", "show", "cof:tables", "--column", 60, "--json")
    assert code == 0 and json.loads(out)["features"][0]["feature"] == "row 1"
    code, _, err = run("weights", "diff", "cof:tables", "self")
    assert code == 2 and "cannot be compared weight by weight" in err


def test_tables_play_a_match(run, tables):
    """In the kernel, and in a process that reads the tables again."""
    for words in (("--depth", 1), ("--tc", "10+0.1")):
        players = ("--player", "cof:tables;depth=1", "--player", "weights:hand-set;depth=1")
        code, out, err = run("match", "othello", *players, "--games", 2, *words, "-o", f"run{words[0]}", "--json")
        assert code == 0, err
        found = json.loads(out)
        assert [player["name"] for player in found["players"]] == ["JA", "hand-set"]
        assert sum(player["fail"] for player in found["players"]) == 0 and found["games"] == 2


@pytest.mark.usefixtures("tables")
def test_tables_that_cannot_be_read_are_one_line(run, tmp_path):
    with open(tmp_path / "tables" / "JAd.cof", "r+b") as file:
        file.truncate(1000)
    for words in (
        ("search", "othello", "-w", "cof:tables", "--depth", 1),
        ("explain", "othello", "-w", "cof:tables"),
        ("match", "othello", "--player", "cof:tables", "--player", "self"),
        ("weights", "show", "cof:tables"),
    ):
        code, out, err = run(*words)
        assert code == 2 and not out and "JAd.cof has 1000 bytes, not the 574628" in err
        assert len(err.strip().splitlines()) == 1
    code, _, err = run("search", "chess", "-w", "cof:tables", "--depth", 1)
    assert code == 2 and "NTest's tables are for othello, not for chess" in err
    code, _, err = run("engine", "othello", "-w", "cof:nowhere")
    assert code == 2 and "there is no folder nowhere" in err
