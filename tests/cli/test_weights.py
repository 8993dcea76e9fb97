"""``evalsmith weights check`` and ``diff`` as a user types them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evalsmith.games import find_game
from evalsmith.positions import GenerateConfig, generate
from evalsmith.weights import Weights, save_weights, starting_weights

OTHELLO = find_game("othello")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "d"
    generate(OTHELLO, path, GenerateConfig(games=6, seed=1), concurrency=1)
    return path


def test_check_by_stage_with_a_search_and_a_page(run, dataset, tmp_path):
    code, out, err = run("weights", "check", "self", "--on", dataset, "-d", 1, "--sample", 30, "-o", "p.html", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["game"] == "othello" and found["unit"] == "discs" and found["depth"] == 1
    assert found["search"]["positions"] == 30
    assert sum(stage["static"]["positions"] for stage in found["stages"]) == found["static"]["positions"]
    assert found["static"]["ratio"] == pytest.approx(found["static"]["error"] / found["static"]["zero"])
    page = (tmp_path / "p.html").read_text()
    assert "<svg" in page and "depth 1" in page
    code, out, _ = run("weights", "check", "self", "--on", dataset, "-o", "p.svg")
    assert code == 0 and "mean absolute error in discs" in out and "all" in out
    assert (tmp_path / "p.svg").read_text().lstrip().startswith("<svg")


def test_check_of_a_file_that_agrees_with_itself(run, dataset, tmp_path):
    save_weights(starting_weights(OTHELLO), tmp_path / "w.json")
    own, file = (json.loads(run("weights", "check", name, "--on", dataset, "--json")[1]) for name in ("self", "w.json"))
    assert own["stages"] == file["stages"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("absent.json", "--on", "DATASET"), "absent.json"),
        (("self", "--on", "absent"), "is not a dataset"),
        (("self", "--on", "DATASET", "-o", "p.pdf"), "-o takes a page .html or a picture .svg"),
        (("self", "--on", "DATASET", "-d", "0"), "depth must be above 0"),
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
    for words, sign in ((("self", "w.json"), 1), (("w.json", "self"), -1)):
        code, out, err = run("weights", "diff", *words, "--json")
        assert code == 0, err
        [change] = json.loads(out)["largest"]
        assert (change["feature"], change["index"], change["column"]) == ("mobility", 5, "20 empties")
        assert change["after"] - change["before"] == 777 * sign
    code, out, _ = run("weights", "diff", "w.json", "w.json")
    assert code == 0 and "the weights are the same" in out
    code, _, err = run("weights", "diff", "self", "self")
    assert code == 2 and "one of the two is a weights file" in err
