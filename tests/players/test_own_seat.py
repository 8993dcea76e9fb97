"""Our own search and random moves at the board."""

from __future__ import annotations

import pytest
from programs import clocked

from evalsmith.engine import Limit, Searcher
from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.players import Failure, PlayLimit, parse_player, take_seat
from evalsmith.players.own_seat import OwnSeat
from evalsmith.run import InputError

FOUR = find_game("connect_four")


def seat_of(text: str, limit: Limit, seed: int = 1) -> OwnSeat:
    seat = take_seat(parse_player(text, FOUR), limit, seed)
    assert isinstance(seat, OwnSeat)
    return seat


def game_of(seat: OwnSeat, plies: int = 12) -> list[int]:
    board = Board(FOUR)
    seat.begin(board.start, 0)
    for _ in range(plies):
        if FOUR.status(board.position) == 2:
            break
        board.push(seat.choose(board).move)
    seat.end()
    return board.move_stack


@pytest.mark.parametrize("text", ["self;nodes=200", "self;nodes=200;method=mcts;memory=4000000"])
def test_fixed_nodes_repeat_from_game_to_game(text: str) -> None:
    seat = seat_of(text, Limit(nodes=1))
    first = game_of(seat)
    assert first == game_of(seat) == game_of(seat_of(text, Limit(nodes=1)))


def test_random_moves_come_from_the_seed_and_differ_between_games() -> None:
    seat = seat_of("random", Limit(nodes=1), 7)
    games = [game_of(seat), game_of(seat)]
    assert games[0] != games[1]
    again = seat_of("random", Limit(nodes=1), 7)
    assert [game_of(again), game_of(again)] == games
    assert seat.bytes_used() == 0


def test_a_move_with_its_account() -> None:
    seat, board = seat_of("self", Limit(nodes=300)), Board(FOUR)
    seat.begin(board.start, 0)
    choice = seat.choose(board)
    assert choice.move in FOUR.moves(board.position)
    assert choice.nodes and choice.depth and choice.score is not None
    assert choice.reported_seconds is not None and choice.reported_seconds <= choice.seconds


@pytest.mark.parametrize("limit", [PlayLimit(base=4, increment=0.02), PlayLimit(byoyomi=0.4), PlayLimit(budget=4)])
def test_a_clock_is_shared_out(limit: PlayLimit) -> None:
    seat, board = seat_of("self", limit), Board(FOUR)
    share = seat._share(clocked(board, limit.start, limit.start))
    assert share.seconds is not None and share.soft_seconds is not None
    assert 0 < share.soft_seconds <= share.seconds <= limit.start + limit.byoyomi
    less = seat._share(clocked(board, limit.start / 4, limit.start / 4))
    assert less.seconds is not None and (less.seconds < share.seconds or not limit.start)


def test_whoever_has_no_time_left_loses_on_it() -> None:
    """Not even our own search may take longer than its clock says, whatever the margin."""
    seat, board = seat_of("self;nodes=200000", PlayLimit(base=10, margin=0)), Board(FOUR)
    seat.limit = PlayLimit(nodes=200_000, base=1e-9, margin=0)
    seat.begin(board.start, 0)
    with pytest.raises(Failure, match=r"time: .* s late, 0 s allowed"):
        seat.choose(clocked(board, 1e-9, 1e-9))


def test_memory_is_bounded_and_told() -> None:
    small, large = seat_of("self;memory=700000", Limit(depth=3)), seat_of("self", Limit(depth=3))
    assert 0 < (small.bytes_used() or 0) <= 700_000 < (large.bytes_used() or 0)
    tree = seat_of("self;method=mcts;memory=3000000", Limit(nodes=3))
    assert 0 < (tree.bytes_used() or 0) <= 3_000_000
    with pytest.raises(
        InputError, match=r"player 'self': a search of connect_four needs .* bytes with 1 thread, not 1,"
    ):
        seat_of("self;memory=1000", Limit(depth=3))


def test_memory_counts_what_the_search_command_counts() -> None:
    """Table and work arrays; the weights come beside them."""
    seat = seat_of("self;memory=700000", Limit(depth=3))
    memory = Searcher(FOUR, memory_bytes=700_000).memory
    assert seat.bytes_used() == memory.bounded == memory.table + memory.work
    few = seat_of("self;memory=100000000", Limit(nodes=100))
    assert (few.bytes_used() or 0) < 1_500_000, "a small search does not clear a large table before each game"


@pytest.mark.parametrize("method", ["alphabeta", "mcts"])
def test_a_seat_may_have_several_threads(method: str) -> None:
    text = f"self;threads=2;method={method};memory=4000000"
    assert not parse_player(text, FOUR).in_kernel
    seat = seat_of(text, Limit(nodes=500))
    assert seat._searcher is not None and seat._searcher.threads == 2
    assert (seat.bytes_used() or 0) <= 4_000_000
    moves = game_of(seat, 4)
    assert len(moves) == 4


@pytest.mark.parametrize("threads", ["0", "-1", "257", "two", "1.5"])
def test_a_number_of_threads_that_cannot_be(threads: str) -> None:
    with pytest.raises(InputError, match="threads must be"):
        parse_player(f"self;threads={threads}", FOUR)
