"""Shogi against cshogi, rsshogi and python-shogi: games, composed positions, texts. Each is wrong somewhere."""

import random

import cshogi
import pytest
import shogi as python_shogi
from cshogi import KI2
from rsshogi import core
from shogi_composed import composed, smothered

from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.notation import csa, ki2
from evalsmith.games.shogi.notation.moves import parse_move
from evalsmith.run.errors import PositionError


def names(position):
    return sorted(GAME.format_move(position, move) for move in GAME.moves(position))


def by_cshogi(board):
    return sorted(cshogi.move_to_usi(move) for move in board.legal_moves)


def by_rsshogi(sfen):
    board = core.Board()
    board.set_sfen(sfen)
    return sorted(move.to_usi() for move in board.legal_moves())


def agree(position, sfen):
    ours = names(position)
    assert ours == by_cshogi(cshogi.Board(sfen)), sfen
    assert ours == by_rsshogi(sfen), sfen
    return ours


@pytest.mark.parametrize("seed", range(20))
def test_random_games(seed):
    choose = random.Random(seed)
    position, board = GAME.start(), cshogi.Board()
    for _ in range(250):
        sfen = GAME.format(position)
        assert sfen == board.sfen()
        ours = agree(position, sfen)
        assert GAME.check(position) == board.is_check()
        if not ours:
            assert board.is_game_over()
            break
        # Captures and promotions more often, so that hands fill and kings come into danger.
        noisy = [GAME.format_move(position, move) for move in GAME.noisy(position)]
        name = choose.choice(noisy if noisy and choose.random() < 0.4 else ours)
        position = GAME.play(position, GAME.parse_move(position, name))
        board.push_usi(name)


@pytest.mark.parametrize("kind", [composed, smothered])
def test_composed_positions(kind):
    choose = random.Random(5)
    possible, checks, mates = 0, 0, 0
    for _ in range(8000):
        sfen = kind(choose)
        try:
            position = GAME.parse(sfen)
        except PositionError as error:
            assert "is in check, but it is" in str(error), sfen
            continue
        assert GAME.format(position) == sfen
        possible += 1
        checks += GAME.check(position)
        mates += not agree(position, sfen)
    assert possible > 3000
    assert checks > 500 or kind is smothered
    assert mates > 5 or kind is smothered


def test_python_shogi_agrees_on_some():
    choose = random.Random(6)
    for number in range(60):
        sfen = (composed if number % 2 else smothered)(choose)
        try:
            position = GAME.parse(sfen)
        except PositionError:
            continue
        assert names(position) == sorted(move.usi() for move in python_shogi.Board(sfen).legal_moves), sfen


def test_texts_of_moves():
    """CSA and KI2 as cshogi writes them, on games full of rivals for one square."""
    choose = random.Random(7)
    crowded = "8k/9/2+P+P+P4/2G1G4/2GSG4/2S1S4/9/2+B1+B4/4K+R1+R1 b 2Pn 1"
    for number in range(16):
        board = cshogi.Board() if number % 2 else cshogi.Board(crowded)
        position, last = GAME.parse(board.sfen()), None
        for _ in range(60):
            moves = GAME.moves(position)
            if not moves:
                break
            for move in choose.sample(moves, min(12, len(moves))):
                theirs = board.move_from_usi(GAME.format_move(position, move))
                assert csa.format_csa(position, move)[1:] == cshogi.move_to_csa(theirs)
                ours = ki2.format_ki2(position, move, last).replace("　", "")
                other = KI2.move_to_ki2(theirs, board).replace("　", "")
                # It leaves out the motion where two pieces on one side need it; we read that all the same.
                shorter = any(
                    ours.replace(f"{place}{motion}", place) == other for place in "左右" for motion in "上寄引"
                )
                assert ours == other or shorter, GAME.format(position)
                assert parse_move(position, other, last) == move
            move = choose.choice(moves)
            board.push_usi(GAME.format_move(position, move))
            position, last = GAME.play(position, move), move & 127
