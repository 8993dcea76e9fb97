"""The 20-byte records of Othello positions with values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.records.packed.othello import OthelloValues
from evalsmith.records.packed.positions import FIRST, MOVER, UNKNOWN, Positions
from evalsmith.run import InputError, RecordError

OTHELLO = find_game("othello")
words = st.integers(0, 2**64 - 1)


def test_a_worked_example() -> None:
    after = OTHELLO.parse("f5")  # white to move
    packed = OthelloValues().pack(Positions.of(after[None], [-150]))
    white, black = 1 << 27, 1 << 28 | 1 << 35 | 1 << 36 | 1 << 37  # d4; e4, d5, e5, f5
    assert packed.content.tobytes() == white.to_bytes(8, "big") + black.to_bytes(8, "big") + b"\xff\xff\xff\x6a"
    assert packed.lost == {"side to move": 1}
    read = OthelloValues().unpack(packed.content).positions
    assert read.words[0].tolist() == [int(after[0]), int(after[1]), 0]
    assert read.scores.tolist() == [-150]


def test_the_bit_order_is_a_setting() -> None:
    corner = np.array([[1, 1 << 9, 0]], dtype=np.uint64)  # a1 and b2
    content = OthelloValues(a1="high").pack(Positions.of(corner, [0])).content
    assert content.tobytes().hex() == "8000000000000000" + "0040000000000000" + "00000000"
    assert np.array_equal(OthelloValues(a1="high").unpack(content).positions.words, corner)
    with pytest.raises(InputError, match="low or high end of a word, not 'middle'"):
        OthelloValues(a1="middle")


@given(st.lists(st.tuples(words, words, st.integers(-6400, 6400)), min_size=1), st.sampled_from(["low", "high"]))
def test_round_trips(rows: list[tuple[int, int, int]], a1: str) -> None:
    table = np.array([(mover | 1, enemy & ~(mover | 1), 0) for mover, enemy, _ in rows], dtype=np.uint64)
    given = Positions.of(table, [value for _, _, value in rows])
    read = OthelloValues(a1).unpack(OthelloValues(a1).pack(given).content.tobytes()).positions
    assert np.array_equal(read.words, table)
    assert np.array_equal(read.scores, given.scores)


def test_a_result_stands_in_for_a_score() -> None:
    white = OTHELLO.parse("f5")
    given = Positions.of(np.stack([white] * 3), [UNKNOWN, 300, UNKNOWN], [600, 600, UNKNOWN])
    packed = OthelloValues().pack(given, scores=MOVER, results=FIRST, strict=False)
    assert [int.from_bytes(row[16:].tobytes(), "big", signed=True) for row in packed.content] == [-600, 300]
    assert [wrong.reason for wrong in packed.refused] == ["neither a score nor a result is known"]
    assert packed.lost["that the value is a result"] == 1


def test_impossible_records_are_named() -> None:
    sound = OthelloValues().pack(Positions.of(np.stack([OTHELLO.start()] * 2), [0, 6400])).content
    for place, value, message in (
        (18, 0x40, "record 2, byte 36: a value beyond ±6400 centidiscs"),
        (4, 0x18, "record 2, byte 28: a square has a disc of both sides"),
    ):
        content = sound.copy()
        content[1, place] = value
        with pytest.raises(RecordError, match=f"^{message}"):
            OthelloValues().unpack(content)
    with pytest.raises(RecordError, match="record 1, byte 0: the board is empty"):
        OthelloValues().unpack(bytes(20))
    with pytest.raises(InputError, match="position 1 does not fit into othello20: a value beyond ±6400"):
        OthelloValues().pack(Positions.of(OTHELLO.start()[None], [6401]))
    with pytest.raises(InputError, match="2 positions need as many scores"):
        Positions.of(np.stack([OTHELLO.start()] * 2), [0])
