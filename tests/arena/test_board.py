"""The board of a referee says what the game itself says, however long the game becomes."""

from __future__ import annotations

import random

import pytest

from evalsmith.arena import board as module
from evalsmith.arena.board import Board
from evalsmith.games import CHANCE, OVER, find_game


def chance_of(game, position, source):
    chances = [float(p) for p in game.chance(position)]
    return source.choices(range(len(chances)), weights=chances)[0]


@pytest.mark.parametrize("name", ["chess", "othello", "drmario"])
@pytest.mark.parametrize("seed", range(3))
def test_it_agrees_with_the_game(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ROOM", 4)  # so that rows have to grow
    game, source = find_game(name), random.Random(seed)
    board, position, seen = Board(game, game.start()), game.start(), []
    while board.ending() is None and len(seen) < 60:
        assert (board.status, board.mover) == (game.status(position), game.mover(position))
        assert board.goes_on == (board.status != CHANCE)
        seen.append(position)
        if board.status == CHANCE:
            move = chance_of(game, position, source)
            position = game.reveal(position, move)
        else:
            legal = game.moves(position)
            wrong = next(move for move in range(1 << 24) if move not in legal)
            assert not board.play(wrong) and not board.play(-1)
            move = source.choice(legal)
            position = game.play(position, move)
        assert board.play(move)
        assert (board.position == position).all() and board.moves[-1] == move
    assert all((known == here).all() for known, here in zip(board.history, seen, strict=True))
    assert board.position_at(3).tolist() == seen[3].tolist()
    if board.status == OVER:
        assert not board.goes_on


def test_names_are_those_of_the_game() -> None:
    game = find_game("chess")
    board = Board(game, game.start())
    for text in ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"):
        assert board.play(game.parse_move(board.position, text))
    assert board.names(game, 5) == ["g8f6", "e1g1"]
    assert board.names(game, 0)[:2] == ["e2e4", "e7e5"]
    assert board.names(game, 7) == []


def test_repetition_ends_a_game_that_goes_on_no_more() -> None:
    game = find_game("chess")
    board = Board(game, game.start())
    for text in 2 * ("g1f3", "g8f6", "f3g1", "f6g8"):
        assert board.goes_on and board.ending() is None
        assert board.play(game.parse_move(board.position, text))
    assert not board.goes_on and board.ending() == ("repetition", 0)
