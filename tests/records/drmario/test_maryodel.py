"""Maryodel's examples: read, written, and what is wrong with broken ones."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.games.drmario import dealing, setup, strings
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.exporting import export_dataset
from evalsmith.positions.transform.merging import merge
from evalsmith.records import Faults, convert_records
from evalsmith.records.drmario import maryodel
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


@pytest.mark.parametrize(
    "content", [f"[{LINE},\n{LINE},\n{LINE}]", f"[\n{LINE},\n{LINE},\n{LINE}\n]\n", f"[{LINE}\n]\n\n\r\n{LINE}\n{LINE}"]
)
def test_an_outer_array_is_tolerated(content: str) -> None:
    found, faults = read(content)
    assert len(found) == 3
    assert not faults.counts


def test_many_examples_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maryodel, "_FRAGMENT", 700)  # less than two examples
    found, faults = read(f"[{', '.join([LINE] * 50)}]\n{LINE}")
    assert [(example.number, example.line) for example in found] == [*((n, 1) for n in range(1, 51)), (51, 2)]
    broken = LINE.replace("0.5", "0.6")
    found, faults = read(f"[{LINE},{broken},{LINE}]")
    assert [example.number for example in found] == [1, 3]
    assert "line 1, game 2: not a distribution of moves: the shares" in str(faults.examples[0])
    monkeypatch.setattr(maryodel, "_LINE_LIMIT", 1000)
    found, faults = read(f"[{LINE},{LINE[:-1]}{' ' * 5000}],{LINE}]")
    assert ([example.number for example in found], faults.counts) == ([1, 3], {"the line is too long": 1})


def test_through_a_dataset_and_back(tmp_path: Path) -> None:
    lines = [LINE, LINE.replace('"qw", 1', '"qw", -1'), LINE.replace("0.2", "0.0").replace("0.3", "0.5"), LINE]
    source, target = tmp_path / "examples.json", tmp_path / "back.json"
    source.write_text(f"[{','.join(lines)}]")
    data = import_games([source], tmp_path / "d")
    assert (data.summary.games, data.rows(), data.summary.warnings, data.summary.rejected) == (4, 4, {}, {})
    assert [len(row[row["move"] >= 0]) for row in next(iter(data.batches())).policy] == [3] * 4
    assert export_dataset(data, target, "maryodel").to_json() == {"positions": 4, "rejected": {}, "lost": {}}
    assert [json.loads(line) for line in target.read_text().splitlines()] == [json.loads(line) for line in lines]
    other = import_games([target], tmp_path / "e")  # a line each
    assert export_dataset(other, tmp_path / "again.json", "maryodel").written == 4
    assert (tmp_path / "again.json").read_bytes() == target.read_bytes()
    merged = merge([data, other], tmp_path / "m")
    assert export_dataset(merged, tmp_path / "m.json", "maryodel").written == 8


def test_a_dataset_becomes_one_array_and_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [LINE, LINE.replace('"qw", 1', '"qw", -1'), LINE]
    (tmp_path / "examples.maryodel").write_text("\n".join(lines))
    monkeypatch.setattr("evalsmith.positions.store.parts.ROWS_PER_PART", 2)  # two parts
    data = import_games([tmp_path / "examples.maryodel"], tmp_path / "d")
    target = tmp_path / "array.json"
    assert export_dataset(data, target, "maryodel-array").written == 3
    assert json.loads(target.read_text()) == [json.loads(line) for line in lines]
    again = import_games([target], tmp_path / "e")
    assert (again.rows(), again.summary.rejected) == (3, {})


def test_files_are_converted_without_loss(tmp_path: Path) -> None:
    source, target = tmp_path / "examples.json", tmp_path / "lines.maryodel"
    source.write_text(f"[{LINE},\n{LINE}]")
    converted = convert_records(source, target)
    assert (converted.read, converted.written, converted.lost, converted.refused) == (2, 2, {}, {})
    assert [json.loads(line) for line in target.read_text().splitlines()] == [json.loads(LINE)] * 2


def test_positions_without_what_an_example_tells_are_counted(tmp_path: Path) -> None:
    lines = tmp_path / "positions.txt"
    lines.write_text(f"{BOARD} qw qw [1.0]\n{BOARD} qw -- [0.0]\n")
    data = import_games([lines], tmp_path / "d", game="drmario")
    with pytest.raises(InputError, match=r"as maryodel: cleared and duration not known \(2\)"):
        export_dataset(data, tmp_path / "out", "maryodel")
    with pytest.raises(InputError, match="maryodel is a format of drmario, and the dataset holds othello"):
        export_dataset(generate("othello", tmp_path / "o", games=1, nodes=1), tmp_path / "out", "maryodel")


def test_finished_boards_are_rejected_as_such(tmp_path: Path) -> None:
    source = tmp_path / "examples.json"
    source.write_text(f"{LINE}\n{json.dumps(['d' * 128, 'qw', 1, 0, 0, MOVES])}\n")
    data = import_games([source], tmp_path / "d")
    assert data.summary.rejected_positions == {"position in which the game is over": 1}


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
    one_colour = pill // 3 == pill % 3  # then half a turn changes nothing
    if one_colour:
        cells = list({(turn % 2, x, y): None for turn, x, y in cells})
        counts = counts[: len(cells)]
    for (turn, x, y), count in zip(cells, counts, strict=True):
        for half in (0, 2) if one_colour else (0,):
            turns[(turn + half) % 4].append((x, y, count / sum(counts) / (2 if one_colour else 1)))
    example = Example(board, strings.write_pill(pill), 1, 3, 77, tuple(map(tuple, turns)))
    content = io.BytesIO()
    assert write_examples(content, [example]) == 1
    assert read(content.getvalue())[0] == [example]


def of_one_colour(*moves: list[float]) -> str:
    return json.dumps([BOARD, "rv", 1, 3, 77, list(moves)])


def test_half_a_turn_of_one_colour_changes_nothing() -> None:
    _, faults = read(of_one_colour([0, 0, 0.3], [], [0, 0, 0.2, 1, 0, 0.5], []))
    [detail] = [fault.detail for fault in faults.examples]
    assert "rotations 0 and 2 have equal shares, not 0.3 and 0.2 at x 0, y 0" in detail
    for moves in (([0, 0, 0.5], [], [0, 0, 0.5], []), ([0, 0, 1], [], [], []), ([], [], [0, 0, 1], [])):
        [example], faults = read(of_one_colour(*moves))
        assert not faults.examples
        [batch] = Maryodel().position_batches(io.BytesIO(format_example(example).encode()), NOWHERE, Faults())
        assert batch.policy[0].tolist() == [(0, 1.0)], "listed once, as the game does"
        written = io.BytesIO()
        assert Maryodel().write_positions(written, [batch], Counter(), Counter()) == 1
        assert json.loads(written.getvalue())[5] == [[0, 0, 0.5], [], [0, 0, 0.5], []]


@settings(max_examples=100, deadline=None)
@given(content=st.binary(max_size=400), place=st.integers(0, len(LINE)))
def test_rubbish(content: bytes, place: int) -> None:
    lines = LINE[:place].encode() + content + LINE[place:].encode()
    for text in (content, lines):
        for example in read(text)[0]:
            assert find_game("drmario").format(find_game("drmario").parse(example.position)).startswith(example.board)
