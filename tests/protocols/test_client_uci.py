"""UCI and USI from the runner's side: commands are written as engines want them, and any line is survived."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.games.scores import MAX_DISTANCE
from evalsmith.protocols.client.uci import (
    BESTMOVE,
    READY,
    Option,
    PositionWriter,
    SearchReport,
    Time,
    go_command,
    greeting,
    last_info,
    parse_bestmove,
    parse_handshake,
    parse_info,
    set_option,
)
from evalsmith.protocols.uci import UCI, USI

WIN = 30000
LINE = b"info depth 7 seldepth 9 multipv 1 score cp 31 nodes 900 nps 1 hashfull 2 time 45 pv e2e4 e7e5\n"


# ── What is written ──


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"depth": 5}, "go depth 5\n"),
        ({"nodes": 100}, "go nodes 100\n"),
        ({"depth": 5, "nodes": 100}, "go depth 5 nodes 100\n"),
        ({"movetime": 0.2504}, "go movetime 250\n"),
        ({"movetime": 0.0001}, "go movetime 1\n"),
        ({}, "go infinite\n"),
        ({"time": Time((10.5, 0.0), 0.1)}, "go wtime 10500 btime 0 winc 100 binc 100\n"),
        ({"time": Time((1, 2), 0, 40)}, "go wtime 1000 btime 2000 winc 0 binc 0 movestogo 40\n"),
    ],
)
def test_uci_limits(options: dict, text: str) -> None:
    assert go_command(UCI, **options) == text


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (Time((10, 20), byoyomi=1.5), "go btime 10000 wtime 20000 byoyomi 1500\n"),
        (Time((10, 20), 0.5), "go btime 10000 wtime 20000 binc 500 winc 500\n"),
        (Time((10, 20)), "go btime 10000 wtime 20000 byoyomi 0\n"),
    ],
)
def test_usi_clocks_begin_with_black(time: Time, text: str) -> None:
    assert go_command(USI, time=time) == text


def test_options_and_buttons() -> None:
    assert set_option("Clear Hash", "") == "setoption name Clear Hash\n"
    assert set_option("Hash", "16") == "setoption name Hash value 16\n"


def test_a_game_is_written_move_by_move() -> None:
    game = find_game("chess")
    writer, board = PositionWriter(game, UCI), Board(game)
    assert writer.command(board) == b"position startpos\n"
    for text in ("e2e4", "e7e5", "g1f3"):
        board.push(text)
    assert writer.command(board) == b"position startpos moves e2e4 e7e5 g1f3\n"
    board.undo()
    board.undo()
    assert writer.command(board) == b"position startpos moves e2e4\n"
    later = Board(game, board.position, ["e7e5", "g1f3"])
    assert writer.command(later) == f"position fen {board.text} moves e7e5 g1f3\n".encode()


def test_castling_in_chess960_is_the_king_on_its_rook() -> None:
    game = find_game("chess")
    start = game.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    board = Board(game, start, ["e1g1"])
    for chess960, text in ((False, "e1g1"), (True, "e1h1")):
        written = PositionWriter(game, UCI, chess960).command(board)
        assert written.endswith(f" moves {text}\n".encode())


# ── What is read ──


def test_a_handshake_names_engine_and_options() -> None:
    name, options = parse_handshake(
        "Banner\nid name A B 1.2\nid author me\noption name Skill Level type spin default 20 min 0 max 20\n"
        "option name Style type combo default Very Solid var Very Solid var Wild\n"
        "option name Clear Hash type button\noption name Log File type string default \noption name X\n"
    )
    assert name == "A B 1.2"
    assert options == {
        "skill level": Option("Skill Level", "spin", "20", "0", "20"),
        "style": Option("Style", "combo", "Very Solid", choices=("Very Solid", "Wild")),
        "clear hash": Option("Clear Hash", "button", ""),
        "log file": Option("Log File", "string", ""),
    }
    assert not any(option.fault() for option in options.values())


@pytest.mark.parametrize(
    "option",
    [
        Option("a", "slider", ""),
        Option("a", "check", "yes"),
        Option("a", "combo", "x", choices=("y",)),
        Option("a", "spin", "x", "0", "1"),
        Option("a", "spin", "2", "0", "1"),
    ],
)
def test_faults_of_options(option: Option) -> None:
    assert option.fault()


def test_an_info_line() -> None:
    told = parse_info(LINE, WIN, UCI)
    assert told == SearchReport(31, None, 7, 900, 0.045, b"e2e4 e7e5\n")
    assert told.line == ("e2e4", "e7e5")


@pytest.mark.parametrize(
    ("text", "dialect", "score", "mate"),
    [
        ("cp -12", UCI, -12, None),
        ("cp 99999", UCI, WIN - MAX_DISTANCE, None),
        ("mate 1", UCI, WIN - 1, 1),
        ("mate 3", UCI, WIN - 5, 3),
        ("mate -1", UCI, 2 - WIN, -1),
        ("mate 0", UCI, -WIN, 0),
        ("mate 3", USI, WIN - 3, 3),
        ("mate -4", USI, 4 - WIN, -4),
        ("mate +", USI, WIN - MAX_DISTANCE, None),
        ("mate -", USI, MAX_DISTANCE - WIN, None),
        ("mate x", UCI, None, None),
        ("cp", UCI, None, None),
        ("cp 5 lowerbound", UCI, 5, None),
    ],
)
def test_scores(text: str, dialect, score: int | None, mate: int | None) -> None:
    told = parse_info(f"info score {text} depth 3".encode(), WIN, dialect)
    assert (told.score, told.mate) == (score, mate)
    assert told.depth == 3 or text == "cp"


def test_a_margin_game_knows_no_mate() -> None:
    assert parse_info(b"info score cp 123456", 0, UCI).score == 123456
    assert parse_info(b"info score mate 2", 0, UCI).score is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b"", b""),
        (LINE + b"info depth 8 currmove a2a3\n", LINE.strip()),
        (LINE + b"info depth 8 multipv 2 score cp 9 pv a2a3\n", LINE.strip()),
        (LINE + b"info depth 8 score cp 77 upperbound pv a2a3\n", LINE.strip()),
        (b"info depth 8 score cp 77 upperbound\n", b"info depth 8 score cp 77 upperbound"),
        (LINE + b"info string the score is bad\nnonsense score cp 3\n", LINE.strip()),
        (LINE + b"info depth 9 score cp 3", b"info depth 9 score cp 3"),
        (b"info multipv 10 score cp 1\n", b""),
    ],
)
def test_the_last_line_of_the_best_move(text: bytes, wanted: bytes) -> None:
    assert last_info(text) == wanted


@pytest.mark.parametrize(
    ("line", "text", "ponder"),
    [
        (b"bestmove e2e4\n", "e2e4", ""),
        (b"bestmove e2e4 ponder e7e5\r\n", "e2e4", "e7e5"),
        (b"info x\nbestmove\te2e4\n", "e2e4", ""),
        (b"bestmove\r\n", "", ""),
        (b"bestmove\n", "", ""),
        (b"bestmove (none)\n", "(none)", ""),
        (b"bestmove resign\n", "resign", ""),
    ],
)
def test_bestmove(line: bytes, text: str, ponder: str) -> None:
    match = BESTMOVE.search(line)
    assert match is not None
    best = parse_bestmove(match[1] or b"")
    assert (best.text, best.ponder, best.resigns) == (text, ponder, text == "resign")


@pytest.mark.parametrize("line", [b"bestmove e2e4", b"xbestmove e2e4\n", b"info string bestmove e2e4\n"])
def test_no_bestmove(line: bytes) -> None:
    assert BESTMOVE.search(line) is None


def test_readiness() -> None:
    assert READY.search(b"info string x\nreadyok\r\n")
    assert not READY.search(b"not readyok\n")
    assert greeting(UCI).search(b"id name x\nuciok\n") and greeting(USI).search(b"usiok\n")
    assert not greeting(UCI).search(b"usiok\n")


WORDS = st.sampled_from(
    ["info", "score", "cp", "mate", "pv", "depth", "nodes", "time", "-", "+", "9" * 30, "-3", "\n", "x"]
)


@settings(max_examples=300, deadline=None, database=None)
@given(st.one_of(st.binary(max_size=200), st.lists(WORDS, max_size=30).map(lambda words: " ".join(words).encode())))
def test_whatever_an_engine_prints_is_survived(data: bytes) -> None:
    for dialect in (UCI, USI):
        told = parse_info(last_info(data), WIN, dialect)
        assert told.score is None or abs(told.score) <= WIN
    parse_bestmove(data)
    parse_handshake(data.decode("utf-8", "replace"))
    for pattern in (BESTMOVE, READY):
        match = pattern.search(data)
        assert match is None or match[0].endswith(b"\n")
    assert isinstance(BESTMOVE, re.Pattern)
