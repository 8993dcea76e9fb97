"""The weights file: what is saved is loaded, and whatever does not fit is refused by name."""

from __future__ import annotations

import base64
import copy
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.run.errors import EvalsmithError, InputError, MismatchError, UnknownGame
from evalsmith.weights import Layout, Weights, read_weights_file, save_weights, starting_weights
from evalsmith.weights.file import PACKED_FROM, PACKING

FOUR = find_game("connect_four")
OTHELLO = find_game("othello")
LIMITS = np.iinfo(np.int32)
ELEVEN = list(range(1, 12))  # one short of a column of the feature "threat"

Document = dict[str, Any]


def random_weights(seed: int) -> Weights:
    shape = starting_weights(FOUR).values.shape
    values = np.random.default_rng(seed).integers(LIMITS.min, LIMITS.max, shape, dtype=np.int32, endpoint=True)
    values[0, 0], values[1, -1] = LIMITS.min, LIMITS.max
    return Weights(FOUR, values, "random «Gewichte»", {"made": "test", "seed": seed, "note": "ü\n\"'"})


@pytest.fixture(scope="module")
def othello_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of Othello, with the features that are packed."""
    path = tmp_path_factory.mktemp("othello") / "weights.json"
    save_weights(starting_weights(OTHELLO), path)
    return path


def saved(path: Path) -> Document:
    save_weights(random_weights(1), path)
    return dict(json.loads(path.read_text(encoding="utf-8")))


def refused(path: Path, document: object, kind: type[EvalsmithError] = InputError) -> str:
    """What is said of a file with this content."""
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(kind) as caught:
        read_weights_file(path, FOUR)
    assert str(path) in str(caught.value)
    return str(caught.value)


# ── Round trips ──


@pytest.mark.parametrize("seed", range(3))
def test_what_is_saved_is_loaded(tmp_path: Path, seed: int) -> None:
    weights = random_weights(seed)
    save_weights(weights, tmp_path / "deep" / "weights.json")
    for game in (FOUR, None):
        loaded = read_weights_file(tmp_path / "deep" / "weights.json", game)
        assert loaded.game is FOUR
        assert (loaded.values == weights.values).all()
        assert loaded.values.dtype == np.int32
        assert (loaded.name, loaded.provenance) == (weights.name, weights.provenance)


def test_packed_features_too(othello_file: Path) -> None:
    loaded = read_weights_file(othello_file)
    assert (loaded.values == starting_weights(OTHELLO).values).all()
    blocks = json.loads(othello_file.read_text())["weights"]
    for name, size in loaded.layout.features:
        assert isinstance(blocks[name], list) == (size < PACKED_FROM)


def test_a_person_can_edit_small_features(tmp_path: Path) -> None:
    document = saved(tmp_path / "w.json")
    document["weights"]["move"] = [[7], [-8]]
    (tmp_path / "w.json").write_text(json.dumps(document))
    loaded = read_weights_file(tmp_path / "w.json")
    assert loaded.values[:, loaded.layout.slice_of("move")].tolist() == [[7], [-8]]


def test_weights_have_their_shape_and_kind() -> None:
    good = starting_weights(FOUR).values
    for bad in (good[:1], good[:, :-1], good.astype(np.int64), good.reshape(-1)):
        with pytest.raises(ValueError, match="weights of connect_four are int32"):
            Weights(FOUR, bad)


# ── Refusals ──


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no weights file .*nothing\.json"):
        read_weights_file(tmp_path / "nothing.json")
    with pytest.raises(InputError, match="cannot read"):
        read_weights_file(tmp_path)


def test_another_game(tmp_path: Path, othello_file: Path) -> None:
    with pytest.raises(MismatchError, match="holds weights of othello, not of connect_four"):
        read_weights_file(othello_file, FOUR)
    document = saved(tmp_path / "w.json") | {"game": "ludo"}
    assert "holds weights of ludo" in refused(tmp_path / "w.json", document, MismatchError)
    with pytest.raises(UnknownGame, match="'ludo'"):
        read_weights_file(tmp_path / "w.json")


def test_another_rules_version(tmp_path: Path) -> None:
    save_weights(random_weights(1), tmp_path / "w.json")
    newer = replace(FOUR, rules_version=9)
    with pytest.raises(MismatchError, match="rules version 1 of connect_four; this is version 9"):
        read_weights_file(tmp_path / "w.json", newer)


def test_another_version_of_the_file(tmp_path: Path) -> None:
    document = saved(tmp_path / "w.json") | {"version": 2}
    assert "version 2 of the weights file" in refused(tmp_path / "w.json", document, MismatchError)


def _without(document: Document, *keys: str) -> Document:
    return {key: value for key, value in document.items() if key not in keys}


def _layout(change: Callable[[Document], None]) -> Callable[[Document], Document]:
    def changed(document: Document) -> Document:
        change(document["layout"])
        return document

    return changed


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda document: _without(document, "layout"), "its columns differ"),
        (lambda document: document | {"layout": 3}, "its columns differ"),
        (_layout(lambda layout: layout["columns"].append("late")), "its columns differ"),
        (_layout(lambda layout: layout["blend"].pop()), "its blend differ"),
        (_layout(lambda layout: layout.update(scale=41)), "its scale differ"),
        (_layout(lambda layout: layout["features"].pop()), "it lacks move (1) and adds none"),
        (_layout(lambda layout: layout["features"][1].update(size=5)), "it lacks threat (12) and adds threat (5)"),
        (_layout(lambda layout: layout["features"][1].update(name=["a"])), "it lacks threat (12) and adds ['a'] (12)"),
        (_layout(lambda layout: layout["features"].append(7)), "stand in another order"),
        (_layout(lambda layout: layout["features"].reverse()), "stand in another order"),
        (_layout(lambda layout: layout.update(features="many")), "its features differ"),
    ],
)
def test_another_layout(tmp_path: Path, change: Callable[[Document], Document], reason: str) -> None:
    told = refused(tmp_path / "w.json", change(saved(tmp_path / "w.json")), MismatchError)
    assert "does not fit connect_four" in told
    assert reason in told


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (None, "should be 2 lists of 12 whole numbers"),
        ([[*ELEVEN, 12]], "should be 2 lists of 12 whole numbers"),
        ([[*ELEVEN, 12], ELEVEN], "is damaged"),
        ([[*ELEVEN, 12], [*ELEVEN, 4.5]], "should be 2 lists of 12 whole numbers"),
        ([[*ELEVEN, 12], [*ELEVEN, "4"]], "should be 2 lists of 12 whole numbers"),
        ([[*ELEVEN, 12], [*ELEVEN, None]], "should be 2 lists of 12 whole numbers"),
        ([[*ELEVEN, 12], [*ELEVEN, 2**31]], "has a weight beyond 32 bits"),
        ([[*ELEVEN, 12], [*ELEVEN, -(2**31) - 1]], "has a weight beyond 32 bits"),
        ([[*ELEVEN, 12], [*ELEVEN, 2**70]], "should be 2 lists of 12 whole numbers"),
        ([[*ELEVEN, 12], [*ELEVEN, float("nan")]], "should be 2 lists of 12 whole numbers"),
        ([[True] * 12] * 2, "should be 2 lists of 12 whole numbers"),
        ({"packing": "rot13", "data": ""}, "has an unknown packing: 'rot13'"),
        ({"packing": PACKING}, "is damaged"),
        ({"packing": PACKING, "data": 7}, "is damaged"),
        ({"packing": PACKING, "data": "no base 64!"}, "is damaged"),
        ({"packing": PACKING, "data": "AAAA"}, "is damaged"),
        ({"packing": PACKING, "data": ""}, "does not have 2 × 12 weights"),
    ],
)
def test_damaged_numbers(tmp_path: Path, block: object, reason: str) -> None:
    document = saved(tmp_path / "w.json")
    document["weights"]["threat"] = block
    told = refused(tmp_path / "w.json", document)
    assert "feature threat" in told
    assert reason in told


def packed(raw: bytes) -> Document:
    return {"packing": PACKING, "data": base64.b64encode(raw).decode()}


def test_packed_numbers_must_be_whole(tmp_path: Path) -> None:
    numbers = np.arange(24, dtype="<i4").tobytes()
    whole = zlib.compress(numbers)
    document = saved(tmp_path / "w.json")

    def told(raw: bytes) -> str:
        document["weights"]["threat"] = packed(raw)
        return refused(tmp_path / "w.json", document)

    document["weights"]["threat"] = packed(whole)
    (tmp_path / "w.json").write_text(json.dumps(document))
    loaded = read_weights_file(tmp_path / "w.json")
    assert loaded.values[:, loaded.layout.slice_of("threat")].reshape(-1).tolist() == list(range(24))
    for length in range(len(whole)):
        assert "does not have 2 × 12 weights" in told(whole[:length])
    assert "does not have 2 × 12 weights" in told(zlib.compress(numbers[:-1]))
    assert "does not have 2 × 12 weights" in told(zlib.compress(numbers + b"\0"))
    for place in range(len(whole)):
        broken = bytearray(whole)
        broken[place] ^= 0x10
        assert "feature threat" in told(bytes(broken))


def test_a_small_file_cannot_fill_the_memory(tmp_path: Path) -> None:
    """A hundred megabytes of zeros pack into a hundred kilobytes; only what is wanted is unpacked."""
    squeeze = zlib.compressobj(9)
    bomb = b"".join(squeeze.compress(bytes(1 << 20)) for _ in range(100)) + squeeze.flush()
    document = saved(tmp_path / "w.json")
    document["weights"]["threat"] = packed(bomb)
    assert "does not have 2 × 12 weights" in refused(tmp_path / "w.json", document)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"{}",
        b'"evalsmith-weights"',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"format": "evalsmith-weights", "version": ' + b"9" * 5000 + b"}",
    ],
    ids=["nothing", "brace", "null", "list", "object", "text", "bytes", "deep", "digits"],
)
def test_what_is_no_weights_file(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "w.json").write_bytes(raw)
    with pytest.raises(InputError, match=r"w\.json is not a weights file"):
        read_weights_file(tmp_path / "w.json", FOUR)


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    save_weights(random_weights(1), tmp_path / "w.json")
    whole = (tmp_path / "w.json").read_bytes()
    for length in range(0, len(whole.rstrip()), 23):
        (tmp_path / "w.json").write_bytes(whole[:length])
        with pytest.raises(InputError, match="is not a weights file"):
            read_weights_file(tmp_path / "w.json", FOUR)


GOOD = {
    "format": "evalsmith-weights",
    "version": 1,
    "game": FOUR.name,
    "rules_version": FOUR.rules_version,
    "name": "good",
    "provenance": {},
    "layout": Layout.of(FOUR).to_json(),
    "weights": {name: [[0] * size] * 2 for name, size in Layout.of(FOUR).features},
}
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None, database=None)
@given(st.data())
def test_any_change_gives_weights_or_an_error(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    document = copy.deepcopy(GOOD)
    place: Any = document
    key: Any = data.draw(st.sampled_from(sorted(document)))
    while isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(PLAIN)
    path.write_text(json.dumps(document))
    try:
        loaded = read_weights_file(path, FOUR)
    except InputError as error:
        assert str(path) in str(error)
    else:
        assert loaded.values.shape == (2, Layout.of(FOUR).size)


def test_the_smallest_weights_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text(json.dumps(GOOD))
    assert not read_weights_file(tmp_path / "w.json").values.any()
