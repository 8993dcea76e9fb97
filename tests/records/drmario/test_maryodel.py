"""Maryodel's examples: read, written, and what is wrong with broken ones."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.games.drmario import dealing, setup, strings
from evalsmith.records import Faults
from evalsmith.records.drmario.maryodel import Example, Maryodel, format_example, read_examples, write_examples
from evalsmith.run import InputError

GAME = find_game("drmario")
NOWHERE = Path("/no/such/folder/examples")
BOARD = strings.write_bottle(strings.bottle_of(setup.start_from(dealing.POWER_ON_SEED, 0)))
MOVES = [[3, 5, 0.5], [6, 7, 0.2, 2, 4, 0.3], [], []]
LINE = json.dumps([BOARD, "qw", 1, 4, 120, MOVES])


def read(content: str | bytes) -> tuple[list[Example], Faults]:
    faults = Faults()
    raw = content.encode() if isinstance(content, str) else content
    return list(read_examples(io.BufferedReader(io.BytesIO(raw)), NOWHERE, faults)), faults


def test_the_worked_example() -> None:
    [example], faults = read(LINE)
    assert not faults.counts
    assert example == Example(
        BOARD, "qw", 1, 4, 120, (((3, 5, 0.5),), ((6, 7, 0.2), (2, 4, 0.3)), (), ()), number=1, line=1
    )
    assert json.loads(format_example(example)) == json.loads(LINE)


def test_as_a_record_it_is_a_position_with_a_result() -> None:
    faults = Faults()
    lost = json.dumps([BOARD, "qw", -1, 4, 120, MOVES])
    found = list(Maryodel().games(io.BufferedReader(io.BytesIO(f"{LINE}\n{lost}\n".encode())), NOWHERE, faults))
    assert [record.result for record in found] == [GAME.win, -GAME.win]
    assert found[0].start == GAME.format(GAME.parse(f"{BOARD} qw --"))
    assert faults.warnings == {"cleared, duration and moves of an example, which records have no place for": 2}
    assert Maryodel().sniff(LINE.encode())
    assert not Maryodel().sniff(b'["a", 1]')
    with pytest.raises(InputError, match="games cannot be written as maryodel"):
        Maryodel().write(io.BytesIO(), found)


@pytest.mark.parametrize(
    "content", [f"[{LINE},\n{LINE},\n{LINE}]", f"[\n{LINE},\n{LINE},\n{LINE}\n]\n", f"[{LINE}\n]\n\n\r\n{LINE}\n{LINE}"]
)
def test_an_outer_array_is_tolerated(content: str) -> None:
    found, faults = read(content)
    assert len(found) == 3
    assert not faults.counts


BROKEN = {
    "x": "not a JSON array: Expecting value",
    "[" * 100_000: "not a JSON array: nested too deep",
    "[1]": "not an example: board, pill, won",
    '{"a": 1}': "not an example",
    LINE.replace("qw", "qx"): "not a position: not a Dr. Mario position, 'x' at byte 2 of the pill",
    LINE.replace("qw", "im"): "not a position: not a Dr. Mario position, the pill 'im' stands",
    LINE.replace("d", "h", 1): "not a position: not a Dr. Mario position, 'h' at byte 1",
    LINE.replace("d", "", 1): "not a position: not a Dr. Mario position, the bottle has 127 bytes",
    LINE.replace('"qw"', "7"): "not a position: a board of 128 bytes and a pill of 2",
    LINE.replace('"qw", 1', '"qw", 0'): "not an example: won is -1 or 1, not '0'",
    LINE.replace('"qw", 1', '"qw", true'): "not an example: won is -1 or 1",
    LINE.replace("120", "-1"): "not an example: duration must be a whole number of at least 0, not '-1'",
    LINE.replace("120", "1.5"): "not an example: duration must be a whole number of at least 0",
    LINE.replace("120", "9" * 5000): "not a JSON array: Exceeds the limit",
    LINE.replace(", [], []]", ", []]"): "not a distribution of moves: expected four lists",
    LINE.replace("0.5", "0.5, 1"): "not a distribution of moves: the list of rotation 0 has 4 numbers",
    LINE.replace("0.5", "0.6"): "not a distribution of moves: the shares of all moves add up to 1.1, not to 1",
    LINE.replace("0.5", "NaN"): "not a distribution of moves: a share must be from 0 to 1, not 'nan'",
    LINE.replace(
        "[3, 5,", "[7, 5,"
    ): "not a distribution of moves: x at rotation 0 must be a number from 0 to 6, not '7'",
    LINE.replace(
        "[3, 5,", "[3, 16,"
    ): "not a distribution of moves: y at rotation 0 must be a number from 0 to 15, not '16'",
    LINE.replace(
        "2, 4, 0.3", "6, 7, 0.3"
    ): "not a distribution of moves: a cell appears twice in the list of rotation 1",
    LINE + " " * 200_000 + "x": "the line is too long",
}


@pytest.mark.parametrize(("broken", "message"), BROKEN.items(), ids=range(len(BROKEN)))
def test_broken_examples_cost_themselves(broken: str, message: str) -> None:
    found, faults = read(f"{LINE}\n{broken}\n{LINE}\n")
    assert [example.number for example in found] == [1, 3]
    [fault] = faults.examples
    assert str(fault).startswith(f"{NOWHERE}, line 2, game 2: {message}")
    assert len(str(fault)) < 500


def test_what_could_not_be_read_back_is_not_written() -> None:
    [example], _ = read(LINE)
    fields = {**example.__dict__, "won": 0}
    with pytest.raises(InputError, match="example 1 cannot be written: not an example: won is -1 or 1"):
        format_example(Example(**fields))


boards = st.integers(1, 0x7FFF).filter(lambda seed: seed > 1)
shares = st.lists(st.integers(1, 100), min_size=1, max_size=20)


@settings(max_examples=40, deadline=None)
@given(seed=boards, level=st.integers(0, 20), pill=st.integers(0, 8), counts=shares, data=st.data())
def test_round_trips(seed: int, level: int, pill: int, counts: list[int], data: st.DataObject) -> None:
    board = strings.write_bottle(strings.bottle_of(setup.start_from(seed, level)))
    cells = data.draw(
        st.lists(
            st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(0, 15)),
            min_size=len(counts),
            max_size=len(counts),
            unique=True,
        )
    )
    turns: list[list[tuple[int, int, float]]] = [[], [], [], []]
    for (turn, x, y), count in zip(cells, counts, strict=True):
        turns[turn].append((x, y, count / sum(counts)))
    example = Example(board, strings.write_pill(pill), 1, 3, 77, tuple(map(tuple, turns)))
    content = io.BytesIO()
    assert write_examples(content, [example]) == 1
    assert read(content.getvalue())[0] == [example]


@settings(max_examples=100, deadline=None)
@given(content=st.binary(max_size=400), place=st.integers(0, len(LINE)))
def test_rubbish(content: bytes, place: int) -> None:
    lines = LINE[:place].encode() + content + LINE[place:].encode()
    for text in (content, lines):
        for example in read(text)[0]:
            assert find_game("drmario").format(find_game("drmario").parse(example.position)).startswith(example.board)
