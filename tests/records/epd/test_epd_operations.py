"""Operations of EPD, as the standard and as real files have them."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games.chess import GAME
from evalsmith.records.epd.operations import EpdLine, format_epd, parse_epd
from evalsmith.run.errors import InputError, MoveError

STS = (
    '1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id "STS(v1.0) Undermine.001"; '
    'c0 "f5=10, Be5+=2, Bf2=3, Bg4=2"; c7 "f5 Be5+ Bf2 Bg4"; c8 "10 2 3 2"; c9 "f4f5 d4e5 d4f2 f3g4";'
)
WAC = (
    '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - acd 5; bm Qg6; id "WAC.001"; ce 32764; dm 2; '
    "pv Qg6 h5 Qh7#;"
)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def names(line: EpdLine, moves: tuple[int, ...]) -> list[str]:
    return [GAME.format_move(line.position, move) for move in moves]


def test_suites() -> None:
    line = parse_epd(STS)
    assert line.name == "STS(v1.0) Undermine.001"
    assert names(line, line.best) == ["f4f5"]
    assert {GAME.format_move(line.position, move): points for move, points in line.points.items()} == {
        "f4f5": 10, "d4e5": 2, "d4f2": 3, "f3g4": 2,
    }  # fmt: skip
    line = parse_epd(WAC)
    assert (names(line, line.best), line.mate, line.operations["ce"]) == (["g3g6"], 2, ("32764",))
    assert line.operations["pv"] == ("Qg6", "h5", "Qh7#")
    assert line.points == {}


@pytest.mark.parametrize("text", [STS, WAC])
def test_as_python_chess_has_it(text: str) -> None:
    board = chess.Board()
    operations = board.set_epd(text)
    line = parse_epd(text)
    assert set(line.operations) == set(operations)
    assert names(line, line.best) == [move.uci() for move in operations["bm"]]
    assert line.name == operations["id"]
    again, second = chess.Board(), chess.Board()
    assert again.set_epd(format_epd(line)) == second.set_epd(text)


@pytest.mark.parametrize(
    ("tail", "best"),
    [
        ("bm e4;", ["e2e4"]),
        ("bm e4", ["e2e4"]),
        ("; bm e4 ; id BK.01", ["e2e4"]),
        ("0 1 ; bm e4", ["e2e4"]),
        ("bm e4 dm 26", ["e2e4"]),
        ("bm e2e4 g1f3;", ["e2e4", "g1f3"]),
        ("bm e4! Nf3 + ; id x", ["e2e4", "g1f3"]),
        ('bm c4 c3 c9 "1-0";', ["c2c4", "c2c3"]),
        ("bm #1;", []),
        ('id "bm; d4"; bm e4;\r\n', ["e2e4"]),
        ("", []),
    ],
)
def test_real_files_break_the_rules(tail: str, best: list[str]) -> None:
    line = parse_epd(f"{START} {tail}")
    assert names(line, line.best) == best
    assert line.mate == {"bm e4 dm 26": 26, "bm #1;": 1}.get(tail)


def test_counters() -> None:
    assert GAME.format(parse_epd(f"{START} hmvc 7; fmvn 30;").position).endswith("7 30")
    assert GAME.format(parse_epd(f"{START} 7 30 bm e4;").position).endswith("7 30")
    assert GAME.format(parse_epd(START).position).endswith("0 1")


def test_bytes_that_are_not_utf8() -> None:
    assert parse_epd(START.encode() + b' id "M\xfcller";').name == "Müller"


@pytest.mark.parametrize("text", ["", "x", "8/8/8/8/8/8/8/8 w - - bm e4;", "\0", START.replace("w", "x")])
def test_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a line of EPD"):
        parse_epd(text)


def test_illegal_moves_are_named() -> None:
    with pytest.raises(MoveError, match="e5"):
        _ = parse_epd(f"{START} bm e5;").best


@settings(max_examples=200, deadline=None)
@given(tail=st.text(alphabet='bmid "c9;#+e4N\t0x', max_size=60))
def test_whatever_follows_a_position(tail: str) -> None:
    line = parse_epd(f"{START} {tail}")
    try:
        again = parse_epd(format_epd(line))
    except InputError:
        return
    assert again.operations.keys() == line.operations.keys()
