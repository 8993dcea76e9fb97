"""Programs that behave: what they are told, what is understood of their answers, and how they come and go."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import HASTE, after, clocked, command, engine, fresh, nothing_left, processes_with, seated

from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.players import Failure, PlayLimit, parse_player, take_seat
from evalsmith.players.uci_seat import UciSeat
from evalsmith.run import InputError


def line_player(protocol: str, mode: str, token: str, *answers: str, options: str = "") -> str:
    return ";".join(
        filter(None, [f"{protocol}:{command('lines.py', protocol, mode, token, *answers)}", HASTE, options])
    )


def said(logs: Path) -> list[str]:
    """What the mock has noted on standard error, in the order of its games."""
    return [line for log in sorted(logs.iterdir()) for line in log.read_text().splitlines()]


# ── UCI and USI ──


def test_a_move_with_what_the_engine_said_of_it() -> None:
    token = fresh()
    with seated(engine("ok", token=token), token=token) as (seat, board):
        choice = seat.choose(board)
        assert board.game.format_move(board.position, choice.move) == "e2e4"
        assert (choice.score, choice.depth, choice.nodes, choice.reported_seconds) == (31, 9, 1234, 0.045)
        assert choice.seconds > 0 and not choice.resigns
        after(board, "e2e4", "e7e5")
        assert board.game.format_move(board.position, seat.choose(board).move) == "g1f3"


@pytest.mark.parametrize(("mode", "score"), [("split", 30000 - 3), ("crlf", -7), ("garbage", 31)])
def test_odd_but_right_answers(mode: str, score: int) -> None:
    token = fresh()
    with seated(engine(mode, token=token), token=token) as (seat, board):
        choice = seat.choose(board)
        assert board.game.format_move(board.position, choice.move) == "e2e4"
        assert choice.score == score


def test_options_are_set_and_one_thread_is_the_rule(tmp_path: Path) -> None:
    token = fresh()
    text = engine("echo", token=token, options="option.Hash=8;option.Clear Hash=")
    with seated(text, logs=tmp_path, token=token):
        pass
    assert said(tmp_path) == [
        "setoption name Hash value 8",
        "setoption name Clear Hash",
        "setoption name Threads value 1",
    ]


def test_options_change_between_games_without_a_new_program(tmp_path: Path) -> None:
    token = fresh()
    with seated(engine("echo", token=token, options="option.Hash=8"), logs=tmp_path, token=token) as (seat, board):
        assert isinstance(seat, UciSeat)
        [running] = processes_with(token)
        seat.set_options((("Hash", "8"), ("Clear Hash", "")))
        seat.set_options((("Hash", "32"),))
        seat.begin(board.start, 1)
        seat.begin(board.start, 0)
        assert processes_with(token) == [running]
    assert sorted(said(tmp_path)) == [
        "setoption name Clear Hash",
        "setoption name Hash value 32",
        "setoption name Hash value 8",
        "setoption name Threads value 1",
    ]


def test_threads_are_what_a_user_says(tmp_path: Path) -> None:
    token = fresh()
    with seated(engine("echo", token=token, options="option.threads=3"), logs=tmp_path, token=token):
        pass
    assert said(tmp_path) == ["setoption name threads value 3"]


def test_an_option_that_the_engine_lacks_is_a_mistake_of_the_user() -> None:
    token = fresh()
    with (
        pytest.raises(InputError, match="the engine has no option 'Hsh'; it has: Hash, Threads, Clear Hash"),
        seated(engine("ok", token=token, options="option.Hsh=8"), token=token),
    ):
        pass


def test_chess960_is_switched_on_and_off(tmp_path: Path) -> None:
    token, game = fresh(), find_game("chess")
    seat = take_seat(parse_player(engine("echo", token=token), game), Limit(nodes=1), logs=tmp_path)
    shuffled = game.parse("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1")
    for start in (shuffled, shuffled, game.start()):
        seat.begin(start, 0)
        seat.end()
    seat.close()
    assert [line for line in said(tmp_path) if "960" in line] == [
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_Chess960 value false",
    ]


def test_a_usi_engine_may_resign() -> None:
    token = fresh()
    text = engine("resign", token=token, protocol="usi")
    with seated(text, game="shogi", token=token) as (seat, board):
        choice = seat.choose(board)
        assert choice.resigns and choice.move == -1


def test_a_usi_engine_may_declare_a_win() -> None:
    token = fresh()
    with seated(engine("win", token=token, protocol="usi"), game="shogi", token=token) as (seat, board):
        choice = seat.choose(board)
        assert choice.declares and not choice.resigns and choice.move == -1
    token = fresh()
    with seated(engine("win", token=token), token=token) as (seat, board), pytest.raises(Failure, match="illegal"):
        seat.choose(board)


def test_one_process_plays_all_games_unless_each_needs_a_new_one(tmp_path: Path) -> None:
    for restart, count in (("never", 1), ("game", 3)):
        token, game, seen = fresh(), find_game("chess"), set()
        seat = take_seat(parse_player(engine("ok", token=token, options=f"restart={restart}"), game), Limit(nodes=1))
        for side in (0, 1, 0):
            seat.begin(game.start(), side)
            seen |= set(processes_with(token))
            seat.end()
        seat.close()
        nothing_left(token)
        assert len(seen) == count


def test_standard_error_has_a_file_for_each_game(tmp_path: Path) -> None:
    token, game = fresh(), find_game("chess")
    seat = take_seat(
        parse_player(engine("stderr", 1, token=token, options="name=a/b"), game), Limit(nodes=1), 1, tmp_path
    )
    for number in range(2):
        seat.label = f"game {number}"  # type: ignore[attr-defined]
        board = Board(game)
        seat.begin(board.start, 0)
        seat.choose(board)
        seat.end()
    seat.close()
    assert sorted(log.name for log in tmp_path.iterdir()) == ["game_0-a_b-0.err", "game_1-a_b-0.err"]


def test_a_clock_is_told_and_kept() -> None:
    token = fresh()
    limit = PlayLimit(base=10, increment=0.5, control_moves=40)
    with seated(engine("ok", token=token), limit, token=token) as (seat, board):
        assert seat.go_command(clocked(board, 9.5, 8.25)) == (  # type: ignore[attr-defined]
            "go wtime 9500 btime 8250 winc 500 binc 500 movestogo 40\n"
        )
        seat.choose(clocked(board, 9.5, 8.25))
        after(board, "e2e4", "e7e5")
        assert seat.go_command(clocked(board, 9.5, None)).endswith(  # type: ignore[attr-defined]
            "btime 9500 winc 500 binc 500 movestogo 39\n"
        )


def test_where_chance_moves_only_the_position_is_told() -> None:
    token, game = fresh(), find_game("drmario")
    seat = take_seat(parse_player(engine("ok", token=token), game), Limit(nodes=1))
    board = Board(game)
    board.play(game.moves(board.position)[0])
    board.draw(1)
    written = seat.position_command(board)  # type: ignore[attr-defined]
    assert b"moves" not in written


# ── NBoard ──


def test_nboard(tmp_path: Path) -> None:
    token = fresh()
    text = line_player("nboard", "ok", token, "F5/-1.5/0.25", "d6")
    with seated(text, Limit(depth=7), game="othello", logs=tmp_path, token=token) as (seat, board):
        choice = seat.choose(board)
        assert board.game.format_move(board.position, choice.move) == "f5"
        assert (choice.score, choice.reported_seconds) == (-150, 0.25)
        after(board, "f5", "f6")
        with pytest.raises(Failure, match="illegal: 'd6' in"):
            seat.choose(board)
    lines = said(tmp_path)
    assert lines[0] == "set depth 7"
    assert lines[1].startswith("set game (;GM[Othello]") and lines[2].endswith("B[F5]W[F6];)")


@pytest.mark.parametrize(("mode", "reason"), [("mute", "stall"), ("hang", "stall"), ("exit", "crash")])
def test_nboard_faults(mode: str, reason: str) -> None:
    token = fresh()
    text = line_player("nboard", mode, token, options="handshake=0.5;watchdog=0.5")
    with pytest.raises(Failure) as caught, seated(text, game="othello", token=token) as (seat, board):
        seat.choose(board)
    assert caught.value.reason == reason


# ── GTP ──


@pytest.mark.parametrize("mode", ["ok", "unnumbered", "windows"])
def test_gtp(mode: str, tmp_path: Path) -> None:
    token = fresh()
    text = line_player("gtp", mode, token, "F5", "C3", "resign")
    limit = PlayLimit(base=100)
    with seated(text, limit, game="othello", logs=tmp_path, token=token) as (seat, board):
        for answer, reply in (("f5", "d6"), ("c3", "d3")):
            choice = seat.choose(clocked(board, 99.0, 99.0))
            assert board.game.format_move(board.position, choice.move) == answer
            after(board, answer, reply)
        assert seat.choose(clocked(board, 99.0, 99.0)).resigns
    assert said(tmp_path) == [
        "protocol_version", "boardsize 8", "clear_board", "time_settings 100 0 0",
        "time_left b 99 0", "genmove b", "play w d6", "time_left b 99 0", "genmove b",
        "play w d3", "time_left b 99 0", "genmove b", *(["left"]),
    ]  # fmt: skip


def test_gtp_is_told_an_opening(tmp_path: Path) -> None:
    token = fresh()
    text = line_player("gtp", "ok", token, "C3")
    with seated(text, game="othello", logs=tmp_path, token=token) as (seat, board):
        seat.choose(after(board, "f5", "d6"))
    assert said(tmp_path)[3:6] == ["play b f5", "play w d6", "genmove b"]


def test_gtp_that_refuses_a_move_breaks_the_protocol() -> None:
    token = fresh()
    text = line_player("gtp", "refuses", token, "C3")
    with (
        pytest.raises(Failure, match="protocol: 'play b f5' is answered by 'illegal move'"),
        seated(text, game="othello", token=token) as (seat, board),
    ):
        seat.choose(after(board, "f5", "d6"))


@pytest.mark.parametrize("protocol", ["gtp", "codecup"])
def test_protocols_without_positions_say_so(protocol: str) -> None:
    token = fresh()
    game = find_game("othello")
    seat = take_seat(parse_player(line_player(protocol, "ok", token), game), Limit(nodes=1))
    with pytest.raises(InputError, match="has no positions"):
        seat.begin(game.parse("f5d6"), 0)
    seat.close()
    nothing_left(token)


# ── CodeCup ──


@pytest.mark.parametrize("mode", ["ok", "windows"])
def test_codecup_in_small_letters_and_with_any_line_ending(mode: str, tmp_path: Path) -> None:
    token = fresh()
    text = line_player("codecup", mode, token, "f3", "I3", "z9")
    with seated(text, PlayLimit(budget=20), game="dvonn", logs=tmp_path, token=token) as (seat, board):
        for answer, reply in (("F3", "C3"), ("I3", "A1")):
            choice = seat.choose(clocked(board, 20.0, 20.0))
            assert board.game.format_move(board.position, choice.move) == answer
            after(board, answer, reply)
        seat.end()
    assert said(tmp_path) == ["Start", "C3", "left"]


def test_codecup_as_the_second_player_reads_the_move_instead_of_start(tmp_path: Path) -> None:
    token = fresh()
    text = line_player("codecup", "ok", token, "C3")
    with seated(text, game="dvonn", side=1, logs=tmp_path, token=token) as (seat, board):
        seat.choose(after(board, "F3"))
        seat.end()
    assert said(tmp_path) == ["F3", "left"]


@pytest.mark.parametrize(("mode", "reason"), [("hang", "time"), ("exit", "crash")])
def test_codecup_faults(mode: str, reason: str) -> None:
    token = fresh()
    text = line_player("codecup", mode, token)
    with (
        pytest.raises(Failure) as caught,
        seated(text, PlayLimit(budget=0.3), game="dvonn", token=token) as (seat, board),
    ):
        seat.choose(clocked(board, 0.3, 0.3))
    assert caught.value.reason == reason


def test_codecup_programs_choose_their_own_openings() -> None:
    token = fresh()
    text = line_player("codecup", "ok", token, "F3")
    with (
        pytest.raises(InputError, match="openings are impossible"),
        seated(text, game="dvonn", token=token) as (seat, board),
    ):
        seat.choose(after(board, "F3", "C3"))


# ── Limits that a protocol has no word for ──


def test_what_a_program_is_not_told_is_named() -> None:
    game = find_game("othello")
    limit = PlayLimit(nodes=5, depth=3, seconds=1, base=10)
    untold = {}
    for protocol in ("uci", "nboard", "gtp", "codecup"):
        seat = take_seat(parse_player(f"{protocol}:python3", game), limit)
        untold[protocol] = seat.untold  # type: ignore[attr-defined]
    assert untold == {
        "uci": (),
        "nboard": ("nodes", "movetime", "clock"),
        "gtp": ("depth", "nodes"),
        "codecup": ("depth", "nodes", "movetime", "clock"),
    }
