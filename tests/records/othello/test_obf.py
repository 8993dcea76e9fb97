from __future__ import annotations

import io
from pathlib import Path

import pytest

from evalsmith.games import find_game
from evalsmith.records import Faults, Obf, Record
from evalsmith.records.format import ILLEGAL, LONG_LINE, NOT_POSITION
from evalsmith.records.othello.obf import NOT_SCORE

BOARD = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
LINE = BOARD + "; G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;"
START = "---------------------------OX------XO--------------------------- X"


def read(text: str | bytes) -> tuple[list[Record], Faults]:
    faults = Faults()
    stream = io.BufferedReader(io.BytesIO(text if isinstance(text, bytes) else text.encode()))
    return list(Obf().games(stream, Path("list.obf"), faults)), faults


def test_a_position_with_the_scores_of_its_moves() -> None:
    [record], faults = read(LINE + "\n")
    assert (record.start, record.moves, record.result, record.finished) == (BOARD, (), None, False)
    assert record.labels == {0: 1800}
    assert record.annotations == {
        "g8": 1800, "h1": 1200, "h7": 600, "a2": 600, "a3": 400, "b1": -400, "a4": -2200, "g2": -2400,
    }  # fmt: skip
    game = find_game("othello")
    position = game.parse(BOARD)
    assert set(record.annotations) == {game.format_move(position, move) for move in game.moves(position)}
    assert not faults.counts


def test_other_letters_comments_and_blank_lines() -> None:
    other = BOARD.lower().replace("x", "*").replace("-", ".")
    text = f"% list\n\n{other};+18;% known\r\n   {BOARD}\n{START}; -0.5"
    records, faults = read(text)
    assert not faults.counts
    assert [record.start for record in records] == [BOARD, BOARD, None]
    assert [record.labels for record in records] == [{0: 1800}, {}, {0: -50}]
    assert [(record.number, record.offset) for record in records] == [(1, 3), (2, 4), (3, 5)]


def test_a_pass_has_a_score_too() -> None:
    blocked = "OX" + "-" * 62 + " X"
    [record], faults = read(f"{blocked}; PA:-64;")
    assert not faults.counts
    assert record.annotations == {"pass": -6400}


def test_a_finished_position_is_known_as_such() -> None:
    [record], _ = read("X" * 64 + " O; -64;")
    assert (record.finished, record.labels) == (True, {0: -6400})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (BOARD[1:], NOT_POSITION),
        (BOARD[:-2], NOT_POSITION),
        (BOARD.replace("X", "q"), NOT_POSITION),
        ("f5d6", NOT_POSITION),
        ("; +4", NOT_POSITION),
        (BOARD + "; G8:", NOT_SCORE),
        (BOARD + "; G8:+65", NOT_SCORE),
        (BOARD + "; nan", NOT_SCORE),
        (BOARD + "; A1:+2", ILLEGAL),
        (BOARD + "; PA:+2", ILLEGAL),
        (BOARD + "; \0:+2", ILLEGAL),
        (BOARD + ";" * 70000, LONG_LINE),
    ],
)
def test_a_broken_line_costs_only_itself(line: str, reason: str) -> None:
    records, faults = read(f"{LINE}\n{line}\n{LINE}")
    assert [record.number for record in records] == [1, 3]
    assert [(fault.reason, fault.place, fault.game) for fault in faults.examples] == [(reason, "line 2", 2)]


def test_sniffing_wants_a_board_first() -> None:
    assert Obf().sniff(b"% problems\n\n" + LINE.encode())
    assert Obf().sniff(BOARD.encode())
    assert not Obf().sniff(BOARD.replace(" X", " Black 32 -34").encode())
    assert not Obf().sniff(b"f5d6c3")
    assert not Obf().sniff(b"")
