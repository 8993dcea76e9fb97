"""GTP and NBoard from the runner's side."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.protocols.client import gtp, nboard
from evalsmith.protocols.client.nboard import Reply
from evalsmith.records.othello.ggf import Ggf
from evalsmith.records.record import Faults


@pytest.mark.parametrize(
    ("data", "ok", "text"),
    [
        (b"=3 D6\n\n", True, "D6"),
        (b"=3\n\n", True, ""),
        (b"= D6\n\n", True, "D6"),
        (b"=3 D6\r\n\r\n", True, "D6"),
        (b"?3 illegal move\n\n", False, "illegal move"),
        (b"=2 no\n\n=3 yes\n\n", True, "yes"),
        (b"=3 first\nsecond\n\n", True, "first\nsecond"),
    ],
)
def test_gtp_answers(data: bytes, ok: bool, text: str) -> None:
    match = gtp.response_to(3).search(data)
    assert match is not None and match.end() == len(data)
    assert gtp.parse_response(match) == gtp.Response(ok, text)


@pytest.mark.parametrize("data", [b"=3 D6\n", b"=31 D6\n\n", b"=2 D6\n\n", b"D6\n\n", b""])
def test_no_gtp_answer_yet(data: bytes) -> None:
    assert gtp.response_to(3).search(data) is None


def test_gtp_times_are_whole_seconds() -> None:
    assert gtp.time_settings(90.9) == "time_settings 90 0 0"
    assert gtp.time_settings(0, 1.5, 1) == "time_settings 0 1 1"
    assert gtp.time_left(1, 0.4) == "time_left w 1 0"


@pytest.mark.parametrize(
    ("data", "reply"),
    [
        (b"=== E6/-0.26/0.01\n", Reply("e6", -26, 0.01)),
        (b"status x\n=== PA\r\n", Reply("pass")),
        (b"===d3//1.5\n", Reply("d3", None, 1.5)),
        (b"=== d3/1e99/nan\n", Reply("d3")),
        (b"===\n", Reply("")),
    ],
)
def test_nboard_moves(data: bytes, reply: Reply) -> None:
    match = nboard.MOVE.search(data)
    assert match is not None
    assert nboard.parse_move(match[1]) == reply


def test_nboard_games_are_read_back() -> None:
    game = find_game("othello")
    start = game.parse("f5d6")
    board = Board(game, start, ["c3", "d3"])
    text = nboard.format_game(board, 75)
    assert "TI[1:15]" in text
    faults = Faults()
    [record] = Ggf().games(io.BytesIO(text.encode()), Path("told"), faults)
    assert not faults.examples and list(record.moves) == board.move_stack
    assert record.start is not None and (game.parse(record.start) == start).all()


@settings(max_examples=200, deadline=None, database=None)
@given(st.binary(max_size=100))
def test_whatever_is_printed_is_survived(data: bytes) -> None:
    nboard.parse_move(data)
    match = gtp.response_to(1).search(data)
    assert match is None or gtp.parse_response(match).ok == match[0].lstrip().startswith(b"=")
