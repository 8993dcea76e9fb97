"""Packed weights: what goes in comes out, and what is damaged or made for something else is refused by name."""

from __future__ import annotations

import functools
import json
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game, game_names
from evalsmith.run import InputError, MismatchError
from evalsmith.weights import Weights, starting_weights
from evalsmith.weights.fitted import MAGIC, fitted_weights, pack, ships_fitted, unpack, write_fitted

DVONN = find_game("dvonn")  # small weights, so that packing is quick
OTHELLO = find_game("othello")


def drawn(seed: int, most: int = 3000) -> Weights:
    rng = np.random.default_rng(seed)
    shape = starting_weights(DVONN).values.shape
    return Weights(DVONN, rng.integers(-most, most, shape).astype(np.int32), "drawn", {"seed": seed})


@functools.cache
def packed() -> bytes:
    return pack(drawn(1))


def with_header(**changes: object) -> bytes:
    content = packed()
    (length,) = struct.unpack_from("<I", content, len(MAGIC))
    begin = len(MAGIC) + 4
    header = json.loads(content[begin : begin + length]) | changes
    head = json.dumps(header).encode()
    return MAGIC + struct.pack("<I", len(head)) + head + content[begin + length :]


@given(seed=st.integers(0, 1000), quantum=st.integers(1, 50))
@settings(max_examples=20, deadline=None)
def test_what_is_packed_comes_back_to_the_quantum(seed: int, quantum: int) -> None:
    weights = drawn(seed)
    back = unpack(pack(weights, quantum), DVONN, "here")
    assert back.values.dtype == np.int32
    assert np.abs(back.values - weights.values).max() <= quantum / 2
    assert not (back.values % quantum).any()
    assert (back.name, back.provenance) == ("drawn", {"seed": seed})


def test_with_a_quantum_of_one_nothing_is_lost() -> None:
    weights = drawn(2)
    assert np.array_equal(unpack(pack(weights, 1), DVONN, "here").values, weights.values)


def test_the_same_weights_give_the_same_bytes() -> None:
    assert pack(drawn(1)) == packed()


def test_weights_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="do not fit into 16 bits"):
        pack(drawn(1, most=10_000_000))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "does not begin with FITTED01"),
        (b"PK\x03\x04 something else", "does not begin with FITTED01"),
        (MAGIC + b"\x01", "cut off in its header"),
        (MAGIC + b"\xff\xff\xff\xff", "cut off in its header"),
        (MAGIC + b"\x04\x00\x00\x00nope", "damaged header"),
        (MAGIC + b"\x02\x00\x00\x00[]", "damaged header"),
    ],
)
def test_what_is_no_such_file_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=f"somewhere.*{message}"):
        unpack(content, DVONN, "somewhere")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "othello"}, "holds weights of othello, not of dvonn"),
        ({"rules_version": 99}, "made for rules version 99 of dvonn"),
        ({"layout": "0"}, "other features or columns than dvonn has now"),
    ],
)
def test_weights_for_something_else_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(MismatchError, match=message):
        unpack(with_header(**changes), DVONN, "here")


@pytest.mark.parametrize("quantum", [0, -4, "4", None, True, 1 << 40])
def test_a_quantum_that_is_none_is_refused(quantum: object) -> None:
    with pytest.raises(InputError, match="the quantum is"):
        unpack(with_header(quantum=quantum), DVONN, "here")


def test_a_file_that_was_cut_is_refused() -> None:
    content = packed()
    for length in range(0, len(content), max(1, len(content) // 40)):
        with pytest.raises(InputError):
            unpack(content[:length], DVONN, "here")


@given(place=st.integers(0, 10_000_000), bit=st.integers(0, 7))
@settings(max_examples=60, deadline=None)
def test_a_flipped_bit_never_gives_other_weights(place: int, bit: int) -> None:
    content = bytearray(packed())
    content[place % len(content)] ^= 1 << bit
    try:
        back = unpack(bytes(content), DVONN, "here")
    except InputError:
        return
    # What a header says of the weights may be changed; the weights themselves may not.
    assert np.array_equal(back.values, unpack(packed(), DVONN, "here").values)


def test_a_body_that_would_fill_the_memory_is_refused() -> None:
    (length,) = struct.unpack_from("<I", packed(), len(MAGIC))
    bomb = packed()[: len(MAGIC) + 4 + length] + zlib.compress(bytes(50_000_000), 1)
    with pytest.raises(InputError, match="does not hold the expected"):
        unpack(bomb, DVONN, "here")


def test_a_game_without_fitted_weights_has_none() -> None:
    assert fitted_weights(find_game("connect_four")) is None


def test_dr_mario_ships_weights_that_say_how_they_were_made() -> None:
    weights = fitted_weights(find_game("drmario"))
    assert weights is not None and weights.name == "fitted"
    assert weights.provenance["made"] == "make weights-drmario"
    assert weights.provenance["target"] == "alternatives"


def test_othello_ships_other_weights_than_the_hand_set_ones() -> None:
    weights = fitted_weights(OTHELLO)
    assert weights is not None
    assert not np.array_equal(weights.values, starting_weights(OTHELLO).values)


SHIPPED = [name for name in game_names() if ships_fitted(find_game(name))]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_weights_have_a_card(name: str) -> None:
    weights = fitted_weights(find_game(name))
    assert weights is not None
    card = weights.provenance
    assert card["made"] in (f"make weights-{name}", f"python tools/make_weights.py {name} --continue")
    assert card["command"].startswith("evalsmith ")
    assert {"data", "loss", "rules_version"} <= card.keys()
    assert "against hand-set weights" in card["match"] and "games at" in card["match"]


def test_the_shipped_file_is_packed_as_it_would_be_again(tmp_path: Path) -> None:
    weights = fitted_weights(OTHELLO)
    assert weights is not None
    size = write_fitted(replace(weights), tmp_path / "again")
    assert size < 10_000_000
    again = unpack((tmp_path / "again").read_bytes(), OTHELLO, "again")
    assert np.array_equal(again.values, weights.values)
