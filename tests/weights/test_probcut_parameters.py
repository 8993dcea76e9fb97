"""The parameters of ProbCut travel with weights, and those of something else are refused by name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evalsmith.games import find_game
from evalsmith.run import InputError, MismatchError
from evalsmith.weights import Weights, read_weights_file, save_weights, starting_weights
from evalsmith.weights.fitted import pack, unpack
from evalsmith.weights.probcut import DEPTHS, ERROR, OFFSET, SHALLOW, SLOPE, UNIT, Pair, ProbCut, layout_digest

DVONN = find_game("dvonn")
PAIRS = (
    Pair(0, 4, 2, 1.25, -30.5, 200.25, 90),
    Pair(0, 5, 1, 0.75, 10.0, 300.0, 80),
    Pair(0, 5, 3, 1.0, 0.0, 99.0, 80),
)


def parameters(**changes: object) -> ProbCut:
    return replace(ProbCut("dvonn", layout_digest(starting_weights(DVONN).layout), 4, PAIRS), **changes)


def weights(**changes: object) -> Weights:
    return replace(starting_weights(DVONN), probcut=parameters(**changes))


def test_they_come_back_from_a_weights_file(tmp_path: Path) -> None:
    save_weights(weights(), tmp_path / "w.json")
    assert read_weights_file(tmp_path / "w.json", DVONN).probcut == parameters()


def test_they_come_back_from_weights_that_ship() -> None:
    assert unpack(pack(weights(), 1), DVONN, "here").probcut == parameters()


def test_files_without_them_stay_readable(tmp_path: Path) -> None:
    save_weights(starting_weights(DVONN), tmp_path / "w.json")
    assert "probcut" not in json.loads((tmp_path / "w.json").read_text())
    assert read_weights_file(tmp_path / "w.json", DVONN).probcut is None
    assert unpack(pack(starting_weights(DVONN), 1), DVONN, "here").probcut is None


def test_two_sets_that_differ_in_them_alone_are_told_apart() -> None:
    assert len({weights().digest, weights(pairs=PAIRS[:1]).digest, starting_weights(DVONN).digest}) == 3


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "othello"}, "are for othello, not for dvonn"),
        ({"layout": "0123"}, "fitted for other features or columns"),
        ({"stages": 1000}, "1000 stages; dvonn has"),
        ({"pairs": (replace(PAIRS[0], stage=9),)}, "cannot have Pair"),
        ({"pairs": (replace(PAIRS[0], shallow=4),)}, "cannot have Pair"),
        ({"pairs": (replace(PAIRS[0], slope=0.0),)}, "cannot have Pair"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, object], said: str, tmp_path: Path) -> None:
    with pytest.raises((InputError, MismatchError), match=said):
        weights(**changes)
    save_weights(weights(), tmp_path / "w.json")
    document = json.loads((tmp_path / "w.json").read_text())
    document["probcut"] = parameters(**changes).to_json()
    (tmp_path / "w.json").write_text(json.dumps(document))
    with pytest.raises((InputError, MismatchError), match=said):
        read_weights_file(tmp_path / "w.json", DVONN)


@pytest.mark.parametrize("section", [7, {}, {"game": "dvonn", "layout": "x", "stages": 1, "pairs": [{"stage": "a"}]}])
def test_a_damaged_section_is_refused(section: object, tmp_path: Path) -> None:
    save_weights(weights(), tmp_path / "w.json")
    document = {**json.loads((tmp_path / "w.json").read_text()), "probcut": section}
    (tmp_path / "w.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"w\.json: probcut is"):
        read_weights_file(tmp_path / "w.json", DVONN)


def test_the_table_of_the_search() -> None:
    table = parameters().table()
    assert table.shape[:2] == (4, DEPTHS)
    assert table[0, 4, 0].tolist() == [2, round(1.25 * UNIT), -30, 201]
    assert [table[0, 5, number, SHALLOW] for number in (0, 1)] == [1, 3]
    assert table[0, 4, 1, SHALLOW] == table[0, 3, 0, SHALLOW] == -1
    # Deeper searches take the deepest pair of their parity, as much deeper; other stages the nearest one's.
    assert table[0, 8, 0].tolist() == [6, *table[0, 4, 0, [SLOPE, OFFSET, ERROR]]]
    assert [table[0, 9, number, SHALLOW] for number in (0, 1)] == [5, 7]
    assert np.array_equal(table[3], table[0])


def test_phases_are_divided_evenly() -> None:
    stages = parameters().phase_stages(10)
    assert stages.tolist() == sorted(stages.tolist()) and set(stages.tolist()) == {0, 1, 2, 3}
