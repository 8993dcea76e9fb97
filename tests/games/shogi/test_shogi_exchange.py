"""Static exchange evaluation of shogi: a known exchange, and random positions against captures made one by one."""

from __future__ import annotations

import random

import pytest

from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.evaluation.values import IN_HAND, ON_BOARD
from evalsmith.games.shogi.squares import KINDS, NAMES
from naive.shogi import START, Shogi

_LETTERS = {"pawn": "P", "lance": "L", "knight": "N", "silver": "S", "gold": "G", "bishop": "B", "rook": "R"}
_LETTERS |= {"tokin": "+P", "promoted lance": "+L", "promoted knight": "+N", "promoted silver": "+S"}
_LETTERS |= {"horse": "+B", "dragon": "+R", "king": "K"}
KIND_OF = {_LETTERS[NAMES[kind]]: kind for kind in KINDS}


def price(piece: str) -> int:
    """What it costs to lose a piece to the enemy's hand."""
    kind = KIND_OF[piece.upper()]
    return 100_000 if piece.upper() == "K" else ON_BOARD[kind] + IN_HAND[kind & 7]


def gain(position: Shogi, square: tuple[int, int]) -> int:
    """What the mover wins by capturing on a square, or 0; the cheapest piece captures first."""
    capturers = [
        (price(piece), origin)
        for origin, piece in position.board.items()
        if position.owner(piece) == position.side and square in position.targets(origin)
    ]
    if not capturers:
        return 0
    _, origin = min(capturers)
    after = Shogi(dict(position.board), {}, "w" if position.side == "b" else "b")
    won, after.board[square] = price(after.board[square]), after.board.pop(origin)
    return max(0, won - gain(after, square))


def value(position: Shogi, name: str) -> int:
    """What a move wins once both sides have captured on its target."""
    after, target = position.play(name), (int(name[2]), "abcdefghi".index(name[3]) + 1)
    won = price(position.board[target]) if target in position.board else 0
    if name.endswith("+"):
        kind = KIND_OF[after.board[target].upper()]
        won += max(0, ON_BOARD[kind] - ON_BOARD[kind & 7])
    return won - gain(after, target)


def test_a_pawn_that_is_guarded_costs_a_rook() -> None:
    position = GAME.parse("4k4/9/4g4/4p4/9/9/4R4/9/4K4 b - 1")
    move = GAME.parse_move(position, "5g5d")
    expected = ON_BOARD[1] + IN_HAND[1] - ON_BOARD[6] - IN_HAND[6]
    assert GAME.exchange(position, move, expected) and not GAME.exchange(position, move, expected + 1)


@pytest.mark.parametrize("seed", range(4))
def test_random_games(seed: int) -> None:
    source = random.Random(seed)
    board = Shogi.parse(START)
    for _ in range(60):
        names = board.moves()
        if not names:
            break
        position = GAME.parse(board.format())
        for name in source.sample(names, min(40, len(names))):
            move, expected = GAME.parse_move(position, name), value(board, name)
            for least in (expected - 1, expected, expected + 1, 0):
                assert GAME.exchange(position, move, least) == (expected >= least), (board.format(), name, least)
        captures = [name for name in names if (int(name[2]), "abcdefghi".index(name[3]) + 1) in board.board]
        board = board.play(source.choice(captures if captures and source.random() < 0.4 else names))
