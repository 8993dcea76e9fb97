"""JKF: headings, starts, moves in all their shapes, times, comments, branches, ends, and whatever is no JKF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shogi_samples import WIN, names, only, random_game, read

from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.notation import handicap
from evalsmith.records import Jkf, Record, convert_records, read_games

JKF = Jkf()
CSA_NAMES = dict(enumerate(["FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"], 1))


def place(square: int) -> dict[str, int]:
    return {"x": square // 9 + 1, "y": square % 9 + 1}


def step(x: int, y: int, a: int, b: int, piece: str, **more: Any) -> dict[str, Any]:
    return {"move": {"from": {"x": x, "y": y}, "to": {"x": a, "y": b}, "piece": piece, **more}}


OPENING = [{}, step(7, 7, 7, 6, "FU", color=0), step(3, 3, 3, 4, "FU", color=1)]


def text(moves: list[Any], **more: Any) -> str:
    return json.dumps({"header": {}, "moves": moves} | more, ensure_ascii=False)


def test_a_game_with_everything() -> None:
    header = {"先手": "Alpha(R1500)", "後手": "Beta", "棋戦": "Cup", "開始日時": "2020/01/02", "持ち時間": "15分"}
    moves = [
        {"comments": ["before", "the first move"]},
        OPENING[1] | {"time": {"now": {"m": 1, "s": 2}, "total": {"h": 0, "m": 1, "s": 2}}},
        OPENING[2] | {"comments": ["after two"]},
        step(8, 8, 2, 2, "KA", promote=True, capture="KA", color=0)
        | {"forks": [[step(2, 7, 2, 6, "FU")], [step(9, 7, 9, 6, "FU")]]},
        {"move": {"from": {"x": 3, "y": 1}, "same": True, "piece": "GI", "capture": "UM", "color": 1}},
        {"move": {"to": {"x": 4, "y": 5}, "piece": "KA", "color": 0}},
        {"special": "TORYO"},
    ]
    records, faults = read(JKF, text(moves, header=header))
    (record,) = records
    assert names(record) == ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]
    assert (record.players, record.ratings) == (("Alpha", "Beta"), (1500.0, None))
    assert (record.event, record.date, record.time_control) == ("Cup", "2020/01/02", "15分")
    assert (record.termination, record.result) == ("resigned", WIN)
    assert record.comments == {0: "before\nthe first move", 2: "after two"}
    assert record.scores[0] is not None and record.scores[0].seconds == 62.0 and record.scores[1] is None
    assert faults.warnings == {"a variation, left out": 2} and not faults.examples


@pytest.mark.parametrize(
    ("special", "termination", "result"),
    [
        ("TORYO", "resigned", -WIN),
        ("KACHI", "declared", WIN),
        ("TIME_UP", "time", -WIN),
        ("+ILLEGAL_ACTION", "illegal", -WIN),
        ("SENNICHITE", "repetition", 0),
        ("JISHOGI", "impasse", 0),
        ("CHUDAN", "interrupted", None),
        ("SOMETHING", "", None),
    ],
)
def test_ends(special: str, termination: str, result: int | None) -> None:
    record = only(JKF, text([*OPENING, {"special": special}]))
    assert (record.termination, record.result) == (termination, result)


@pytest.mark.parametrize(
    ("preset", "name"),
    [("HIRATE", None), ("2", "二枚落ち"), ("5_L", "左五枚落ち"), ("7_R", "右七枚落ち"), ("KY", "香落ち")],
)
def test_presets(preset: str, name: str | None) -> None:
    first = OPENING[1] if name is None else step(5, 1, 5, 2, "OU", color=1)
    record = only(JKF, text([{}, first], initial={"preset": preset}))
    assert record.start == (None if name is None else GAME.format(handicap(name)))


def test_a_board_square_by_square() -> None:
    board: list[list[dict[str, Any]]] = [[{} for _ in range(9)] for _ in range(9)]
    board[4][0], board[4][8] = {"color": 1, "kind": "OU"}, {"color": 0, "kind": "OU"}
    board[1][1] = {"color": 0, "kind": "RY"}
    data = {"color": 1, "board": board, "hands": [{"FU": 2, "KI": 1}, {"KA": 1, "GI": 0}]}
    record = only(JKF, text([{}, step(5, 1, 6, 1, "OU")], initial={"preset": "OTHER", "data": data}))
    assert record.start == "4k4/7+R1/9/9/9/9/9/9/4K4 w G2Pb 1"


def test_the_first_entry_may_be_a_move() -> None:
    assert names(only(JKF, text(OPENING[1:]))) == ["7g7f", "3c3d"]


def test_moves_without_an_origin_are_read_as_ki2_writes_them() -> None:
    moves = [{}, {"move": {"to": {"x": 5, "y": 8}, "piece": "KI", "relative": "R"}}, OPENING[2],
             {"move": {"to": {"x": 6, "y": 8}, "piece": "KI", "relative": "U"}}]  # fmt: skip
    assert names(only(JKF, text(moves))) == ["4i5h", "3c3d", "6i6h"]


def test_a_piece_may_be_named_as_it_is_afterwards() -> None:
    moves = [*OPENING, step(8, 8, 2, 2, "UM")]
    assert names(only(JKF, text(moves))) == ["7g7f", "3c3d", "8h2b+"]


def as_jkf(record: Record) -> dict[str, Any]:
    """A game as programs write it, with all that is known of each move."""
    position = GAME.start() if record.start is None else GAME.parse(record.start)
    moves: list[dict[str, Any]] = [{}]
    for move in record.moves:
        target, origin = move & 127, move >> 7 & 127
        color = GAME.mover(position)
        if origin > 80:
            moves.append(
                {"move": {"to": place(target), "piece": CSA_NAMES[origin - 80], "color": color, "relative": "H"}}
            )
        else:
            kind = int(position[origin >> 3]) >> 8 * (origin & 7) & 15
            found = {"from": place(origin), "to": place(target), "piece": CSA_NAMES[kind], "color": color}
            moves.append({"move": found | ({"promote": True} if move & 16384 else {})})
        position = GAME.play(position, move)
    return {"header": {"先手": "a", "後手": "b"}, "moves": moves}


@pytest.mark.parametrize("seed", range(12))
def test_random_games_come_back(seed: int) -> None:
    moves = random_game(seed)
    record = only(JKF, json.dumps(as_jkf(Record("shogi", moves))))
    assert record.moves == moves


@pytest.mark.parametrize(
    ("moves", "reason", "move"),
    [
        ([*OPENING, step(7, 6, 7, 4, "FU")], "illegal move", 3),
        ([*OPENING, step(7, 6, 7, 5, "KA")], "illegal move", 3),
        ([*OPENING, step(7, 6, 7, 5, "XX")], "illegal move", 3),
        ([*OPENING, step(70, 6, 7, 5, "FU")], "illegal move", 3),
        ([*OPENING, step(7, 6, 7, 5, "FU", color=1)], "illegal move", 3),
        ([*OPENING, 5], "not a game in JKF", 3),
        ([{}], "no moves", None),
    ],
)
def test_broken_games_say_where(moves: list[Any], reason: str, move: int | None) -> None:
    records, faults = read(JKF, text(moves))
    assert not records
    assert [(fault.reason, fault.game, fault.move) for fault in faults.examples] == [(reason, 1, move)]


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", "nonsense", '{"moves": 3}', "[" * 100_000])
def test_what_is_no_jkf_is_a_fault(content: str) -> None:
    records, faults = read(JKF, content)
    assert not records and faults.examples


KEYS = (
    "moves", "move", "from", "to", "x", "y", "piece", "initial", "preset", "data", "board", "hands", "header", "time",
    "now", "m", "special", "comments", "forks", "same", "relative", "promote",
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-3, 99) | st.sampled_from(["FU", "2", "OTHER", "TORYO", "H", "x"])
json_values: st.SearchStrategy[Any] = st.deferred(
    lambda: (
        SCALARS | st.lists(json_values, max_size=3) | st.dictionaries(st.sampled_from(KEYS), json_values, max_size=4)
    )
)


@given(json_values)
def test_garbage_raises_nothing(value: Any) -> None:
    read(JKF, json.dumps(value))
    read(JKF, json.dumps({"moves": [{"move": value}, value], "initial": value, "header": value}))


def test_files_are_found_by_content_and_converted(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text([*OPENING, {"special": "KACHI"}, {}]), encoding="utf-8")
    (record,) = read_games(path)
    assert record.result == WIN
    found = convert_records(path, tmp_path / "game.csa")
    assert (found.source, found.written, found.lost) == ("jkf", 1, {})
    assert "%KACHI" in (tmp_path / "game.csa").read_text()
