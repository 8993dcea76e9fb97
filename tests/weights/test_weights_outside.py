"""The file of an outside engine's weights: it reads back equal, and what is wrong in it is named with its line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evalsmith.games import find_game
from evalsmith.run.errors import InputError
from evalsmith.weights import (
    load_any_weights,
    load_weights,
    read_outside_weights,
    starting_weights,
    write_outside_weights,
)
from evalsmith.weights.file import Weights, save_weights

TEXT = """name,group,mg,eg,kind
pawn,material,82,94,
knight,material,337,281,
"a, b",squares,-5,0.5,fixed
tempo,tempo,12,12,single
"""


def given(tmp_path: Path, text: str, name: str = "features.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_what_is_written_reads_back_equal(tmp_path: Path, suffix: str) -> None:
    weights = read_outside_weights(given(tmp_path, TEXT))
    assert weights.columns == ("mg", "eg") and weights.groups == ("material", "squares", "tempo")
    assert weights.values.tolist() == [[82, 337, -5, 12], [94, 281, 0.5, 12]]
    assert [feature.kind for feature in weights.features] == ["", "", "fixed", "single"]
    assert [weights.unknown_name(unknown) for unknown in (1, 3, 5, 7)] == [
        "knight (mg)",
        "tempo",
        "knight (eg)",
        "tempo",
    ]
    write_outside_weights(weights, tmp_path / f"again{suffix}")
    again = read_outside_weights(tmp_path / f"again{suffix}")
    assert again.features == weights.features and (again.values == weights.values).all()
    if suffix == ".csv":
        assert (tmp_path / "again.csv").read_text() == TEXT


def test_an_engine_without_phases_has_one_value(tmp_path: Path) -> None:
    weights = read_outside_weights(given(tmp_path, "name,value\npawn,100\nrook,500\n"))
    assert weights.columns == ("value",) and weights.values.tolist() == [[100, 500]]
    assert weights.groups == ("pawn", "rook") and weights.unknown_name(1) == "rook"


def test_a_list_of_objects_is_enough(tmp_path: Path) -> None:
    rows = [{"name": "pawn", "mg": 82, "eg": 94}, {"name": "rook", "mg": 477, "eg": 512}]
    path = given(tmp_path, json.dumps(rows), "w.json")
    assert read_outside_weights(path).values.tolist() == [[82, 477], [94, 512]]
    assert load_any_weights(path).values.shape == (2, 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty; expected the columns name,group,mg,eg,kind"),
        ("pawn,material,82,94\n", "line 1: expected a line with the names of the columns"),
        ("name,mg,eg\n", "names no feature"),
        ("name,mg,eg\npawn,82,94\npawn,1,2\n", r"line 3: the feature 'pawn' stands in .*line 2 already"),
        ("name,mg,eg\npawn,82\n", r"line 2: eg is missing; expected 3 fields \(name,mg,eg\)"),
        ("name,mg,eg\npawn,nan,3\n", "line 2: mg must be a number below 2\\^31, not 'nan'"),
        ("name,mg,eg\npawn,1,x\n", "line 2: eg must be a number, not 'x'"),
        ("name,mg,eg\npawn,1,99999999999\n", "line 2: eg must be a number below"),
        ("name,mg,eg\n,1,2\n", "line 2: a feature needs a name"),
        ("name,mg,eg\npawn,1,2,3\n", "line 2: 4 fields, and the first line names 3"),
        ("name,mg,eg,kind\npawn,1,2,double\n", "line 2: unknown kind 'double'; expected nothing, single or fixed"),
        ("name,mg,eg,kind\ntempo,1,2,single\n", "line 2: 'tempo' is single, so mg and eg must be the same"),
        (
            "name,group,mg,eg\na,g,1,1\nb,h,1,1\nc,g,1,1\n",
            r"line 4: the group 'g' begins in .*line 2 and was left; list the features of a group one after another",
        ),
        (
            "name,group,mg,eg,kind\na,g,1,1,single\nb,g,1,1,\n",
            "line 3: 'b' is tapered, the group 'g' in .*line 2 is not",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_outside_weights(given(tmp_path, text))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file of features .*absent\.csv"):
        read_outside_weights(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        path = tmp_path / "wide.csv"
        path.write_bytes("name,mg,eg\n".encode("utf-16"))
        read_outside_weights(path)
    with pytest.raises(InputError, match="is not JSON"):
        read_outside_weights(given(tmp_path, "{", "w.json"))
    with pytest.raises(InputError, match="feature 1: expected an object"):
        read_outside_weights(given(tmp_path, "[3]", "w.json"))


def test_weights_of_a_game_are_still_recognised(tmp_path: Path) -> None:
    save_weights(starting_weights(find_game("connect_four")), tmp_path / "w.json")
    assert isinstance(load_any_weights(tmp_path / "w.json"), Weights)
    assert isinstance(load_any_weights("hand-set", "chess"), Weights)


def test_its_layout_names_groups_and_features(tmp_path: Path) -> None:
    weights = read_outside_weights(given(tmp_path, TEXT))
    layout = weights.layout
    assert layout.features == (("material", 2), ("squares", 1), ("tempo", 1)) and layout.columns == ("mg", "eg")
    assert layout.slice_of("squares") == slice(2, 3) and layout.size == 4 and not layout.sliced
    assert [weights.describe("material", index) for index in range(2)] == ["pawn", "knight"]


def test_other_verbs_say_whose_weights_these_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds weights of an outside engine; `weights export` and `weights patch`"):
        load_weights(given(tmp_path, TEXT))


def test_other_values_for_the_same_features(tmp_path: Path) -> None:
    weights = read_outside_weights(given(tmp_path, TEXT))
    doubled = weights.with_values(2 * weights.values.reshape(-1), "doubled")
    assert doubled.values.tolist() == (2 * weights.values).tolist() and doubled.name == "doubled"
    with pytest.raises(ValueError, match="cannot reshape"):
        weights.with_values(np.zeros(3))
