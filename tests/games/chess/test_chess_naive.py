"""Chess against its naive twin: random games and composed positions, moves, results and texts."""

import random

import pytest
from chess_composed import KINDS, composed

from evalsmith.games.chess import GAME
from evalsmith.games.game import OVER, Position
from evalsmith.run.errors import PositionError
from naive import chess as naive

# The first two need an en passant capture that resolves a check no game can reach.
_COMPOSED = [
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "1b1k4/8/8/1rPpK3/8/8/8/8 w - d6 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "7k/8/8/8/8/8/8/RR1K4 w A - 0 1",
    "rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2R2R b E - 1 20",
    "1r2k3/8/8/8/8/8/8/qR1K3R w BH - 0 1",
]


def agree(position: Position, board: naive.Board) -> None:
    legal = naive.legal(board)
    ours = sorted(GAME.format_move(position, move) for move in GAME.moves(position))
    assert ours == sorted(naive.uci(board, move) for move in legal)
    result = naive.result(board)
    assert (GAME.status(position) == OVER) == (result is not None)
    if result is not None:
        assert GAME.result(position) == result * GAME.win
    assert GAME.check(position) == naive.in_check(board, board.white)
    assert GAME.format(position) == naive.write(board)


@pytest.mark.parametrize("seed", range(3))
def test_random_games(seed: int) -> None:
    choose = random.Random(seed)
    position, board = GAME.start(), naive.read(GAME.format(GAME.start()))
    for _ in range(120):
        agree(position, board)
        if naive.result(board) is not None:
            break
        move = choose.choice(naive.legal(board))
        position = GAME.play(position, GAME.parse_move(position, naive.uci(board, move)))
        board = naive.make(board, move)


@pytest.mark.parametrize("text", _COMPOSED)
def test_composed_by_hand(text: str) -> None:
    board = naive.read(text)
    agree(GAME.parse(text), board)
    for move in naive.legal(board):
        position = GAME.play(GAME.parse(text), GAME.parse_move(GAME.parse(text), naive.uci(board, move)))
        agree(position, naive.make(board, move))


@pytest.mark.parametrize("kind", [maker.__name__ for maker in KINDS])
def test_composed_positions(kind: str) -> None:
    compared = 0
    for text in composed(kind, 150, seed=2):
        try:
            position = GAME.parse(text)
        except PositionError:
            continue
        agree(position, naive.read(text))
        compared += 1
    assert compared > 30
