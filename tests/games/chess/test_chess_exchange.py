"""Static exchange evaluation of chess: known exchanges, and random positions against captures made one by one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from evalsmith.games.chess import GAME
from naive import chess as naive

PRICES = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 950, "k": 100_000}


def gain(board: naive.Board, square: tuple[int, int], white: bool) -> int:
    """What a side wins by capturing on a square, or 0 if it is better left alone; the cheapest piece captures first."""
    capturers = [
        (PRICES[letter.lower()], origin[1], origin[0])
        for origin, letter in board.pieces.items()
        if letter.isupper() == white and square in naive.reach(board, origin)
    ]
    if not capturers:
        return 0
    _, rank, file = min(capturers)
    pieces = dict(board.pieces)
    won, pieces[square] = PRICES[pieces[square].lower()], pieces.pop((file, rank))
    return max(0, won - gain(replace(board, pieces=pieces), square, not white))


def value(board: naive.Board, move: naive.Move) -> int:
    """What a move wins once both sides have captured on its target."""
    if move.castles:
        return 0
    won = PRICES[board.pieces[move.target].lower()] if move.target in board.pieces else 0
    won = PRICES["p"] if naive.is_en_passant(board, move) else won
    won += PRICES[move.promotion] - PRICES["p"] if move.promotion else 0
    return won - gain(naive.make(board, move), move.target, not board.white)


@pytest.mark.parametrize(
    ("fen", "move", "expected"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
        ("8/8/8/3k4/3p4/8/8/3RK3 w - - 0 1", "d1d4", -400),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100),
        ("3rk3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
    ],
)
def test_known_exchanges(fen: str, move: str, expected: int) -> None:
    position = GAME.parse(fen)
    found = GAME.parse_move(position, move)
    assert GAME.exchange(position, found, expected)
    assert not GAME.exchange(position, found, expected + 1)


@pytest.mark.parametrize("seed", range(4))
def test_random_games(seed: int) -> None:
    source = random.Random(seed)
    board = naive.read(GAME.format(GAME.start()))
    for _ in range(80):
        moves = naive.legal(board)
        if not moves or naive.result(board) is not None:
            break
        position = GAME.parse(naive.write(board))
        for move in moves:
            found, expected = GAME.parse_move(position, naive.uci(board, move)), value(board, move)
            for least in (expected - 1, expected, expected + 1, 0):
                assert GAME.exchange(position, found, least) == (expected >= least), (naive.write(board), move, least)
        captures = [move for move in moves if move.target in board.pieces]
        board = naive.make(board, source.choice(captures if captures and source.random() < 0.3 else moves))
