"""Engines of the world, where they are installed: each known fault gives its reason and ends in bounded time."""

from __future__ import annotations

import pytest
from programs import clocked, processes_with

from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.players import Failure, PlayLimit, Seat, parse_player, take_seat
from evalsmith.players.outside import find_program
from evalsmith.run import InputError

HASTE = "handshake=30;newgame=30"


def seat_of(name: str, text: str, game: str, limit: Limit) -> Seat:
    try:
        find_program(name)
    except InputError:
        pytest.skip(f"{name} is not installed")
    return take_seat(parse_player(f"{text};{HASTE}", find_game(game)), limit)


def play(seat: Seat, board: Board, plies: int, clock: float | None = None) -> None:
    """Both sides by one program, as long as the game lasts."""
    seat.begin(board.start, 0)
    for _ in range(plies):
        if board.game.status(board.position) == 2:
            break
        seat._side = board.game.mover(board.position)  # type: ignore[attr-defined]
        board.push(seat.choose(clocked(board, clock, clock)).move)
    seat.end()


@pytest.mark.parametrize(
    ("name", "text", "game", "limit"),
    [
        ("stockfish", "uci:stockfish", "chess", Limit(nodes=100)),
        ("glaurung", "uci:glaurung", "chess", Limit(nodes=500)),
        ("ethereal-chess", "uci:ethereal-chess", "chess", Limit(depth=3)),
        ("toga2", "uci:toga2;option.OwnBook=false", "chess", Limit(depth=3)),
        ("fairy-stockfish", "usi:fairy-stockfish", "shogi", Limit(nodes=100)),
        ("fairy-stockfish", "usi:fairy-stockfish", "shogi", PlayLimit(byoyomi=0.05, margin=5)),
    ],
)
def test_engines_play(name: str, text: str, game: str, limit: Limit) -> None:
    seat = seat_of(name, text, game, limit)
    board = Board(find_game(game))
    try:
        play(seat, board, 12, 0.0 if limit == PlayLimit(byoyomi=0.05, margin=5) else None)
        assert len(board.moves) == 12
        assert (seat.bytes_used() or 0) > 1_000_000
    finally:
        seat.close()


def test_gtp_rhino_plays_a_whole_game() -> None:
    seat = seat_of("gtp-rhino", "gtp:gtp-rhino -b 0 -l 1", "othello", Limit(seconds=60))
    board = Board(find_game("othello"))
    try:
        seat.begin(board.start, 0)
        while board.game.status(board.position) != 2:
            if board.game.mover(board.position) == 0:
                board.push(seat.choose(board).move)
            else:
                board.push(board.game.moves(board.position)[0])
        assert len(board.moves) >= 50
    finally:
        seat.close()


def test_toga_ignores_nodes_and_meets_the_watchdog() -> None:
    seat = seat_of("toga2", "uci:toga2;option.OwnBook=false;watchdog=1.5", "chess", Limit(nodes=100))
    board = Board(find_game("chess"))
    with pytest.raises(Failure) as caught:
        play(seat, board, 1)
    assert caught.value.reason == "stall" and caught.value.detail.startswith("no move in 1.5 s under 100 nodes")
    seat.close()


def test_gnuchess_fails_by_name_or_not_at_all() -> None:
    """It aborts now and then when it prints much: a crash then, with a signal or an exit code."""
    seat = seat_of("gnuchess", "uci:gnuchess -u;option.OwnBook=false;watchdog=20", "chess", Limit(depth=4))
    board = Board(find_game("chess"))
    try:
        play(seat, board, 40)
    except Failure as failure:
        assert failure.reason == "crash" and ("signal" in failure.detail or "exit code" in failure.detail)
    pid = getattr(seat._program, "pid", None)  # type: ignore[attr-defined]
    seat.close()
    assert pid is None or pid not in processes_with("gnuchess")
