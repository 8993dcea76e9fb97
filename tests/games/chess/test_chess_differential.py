"""Chess against python-chess: random games and thousands of composed positions, moves, texts and endings."""

import random

import chess
import pytest
from chess_composed import KINDS, composed

from evalsmith.games.chess import GAME
from evalsmith.games.chess.notation import format_uci
from evalsmith.games.chess.notation.moves import format_san, parse_move
from evalsmith.games.game import OVER, Position
from evalsmith.run.errors import PositionError

# What python-chess calls invalid although the rules of moving are plain: too many checks, an odd en passant.
_PASSED_OVER = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK


def by_uci(board: chess.Board) -> dict[str, chess.Move]:
    return {board.uci(move): move for move in board.legal_moves}


def is_noisy(board: chess.Board, move: chess.Move) -> bool:
    """A capture or a new queen."""
    return move.promotion == chess.QUEEN or (board.is_capture(move) and not move.promotion)


def agree(position: Position, board: chess.Board) -> None:
    """Moves, check, ending and text are the same in both."""
    theirs = by_uci(board)
    ours = {format_uci(position, move, board.chess960): move for move in GAME.moves(position)}
    assert sorted(ours) == sorted(theirs), board.fen()
    assert GAME.check(position) == board.is_check()
    noisy = {format_uci(position, move, board.chess960) for move in GAME.noisy(position)}
    expected = {u for u, m in theirs.items() if board.is_check() or is_noisy(board, m)}
    assert noisy == expected, board.fen()
    over = not theirs or board.is_insufficient_material() or board.halfmove_clock >= 100
    assert (GAME.status(position) == OVER) == over, board.fen()
    if over:
        assert GAME.result(position) == (-GAME.win if board.is_checkmate() else 0)


def agree_san(position: Position, board: chess.Board) -> None:
    for text, move in by_uci(board).items():
        ours = GAME.parse_move(position, text)
        san = board.san(move)
        assert format_san(position, ours) == san
        assert parse_move(position, san) == ours


def same_fen(position: Position, board: chess.Board) -> None:
    assert GAME.format(position) in (board.fen(en_passant="legal"), board.shredder_fen(en_passant="legal"))


def random_game(board: chess.Board, choose: random.Random, plies: int) -> int:
    position = GAME.parse(board.shredder_fen() if board.chess960 else board.fen())
    keys = {}
    for _ in range(plies):
        agree(position, board)
        same_fen(position, board)
        short = board.epd(en_passant="legal")
        assert keys.setdefault(GAME.key(position), short) == short
        if choose.random() < 0.2:
            agree_san(position, board)
        moves = list(board.legal_moves)
        if not moves or board.is_insufficient_material():
            break
        captures = [move for move in moves if board.is_capture(move)]
        move = choose.choice(captures if captures and choose.random() < 0.1 else moves)
        position = GAME.play_unchecked(position, GAME.parse_move(position, board.uci(move)))
        board.push(move)
    return board.ply()


@pytest.mark.parametrize("seed", range(30))
def test_random_games(seed: int) -> None:
    assert random_game(chess.Board(), random.Random(seed), 300) > 4


@pytest.mark.parametrize("seed", range(30))
def test_random_chess960_games(seed: int) -> None:
    choose = random.Random(1000 + seed)
    board = chess.Board.from_chess960_pos(choose.randrange(960))
    assert random_game(board, choose, 200) > 4


@pytest.mark.parametrize("kind", [maker.__name__ for maker in KINDS])
def test_composed_positions(kind: str) -> None:
    compared = 0
    for text in composed(kind, 1600, seed=1):
        board = chess.Board(text, chess960=kind == "castling960")
        possible = board.status() & ~_PASSED_OVER == chess.STATUS_VALID
        try:
            position = GAME.parse(text)
        except PositionError:
            assert not possible, text
            continue
        if not possible:
            continue
        agree(position, board)
        if compared % 8 == 0:
            agree_san(position, board)
        for move in GAME.moves(position)[:: max(1, compared % 7)]:
            after = board.copy(stack=False)
            after.push(after.parse_uci(format_uci(position, move, board.chess960)))
            following = GAME.play_unchecked(position, move)
            same_fen(following, after)
            assert GAME.key(following) == GAME.key(GAME.parse(GAME.format(following)))
        compared += 1
    assert compared > 500
