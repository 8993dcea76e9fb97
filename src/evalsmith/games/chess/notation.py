"""Chess positions and moves as text: FEN, UCI moves, SAN moves, and the symmetry of the colours.

A move is written as UCI has it: ``e2e4``, ``e7e8q``. Castling is ``e1g1`` where kings and rooks stand as in
ordinary chess, and the king's move to its rook (``f1h1``) in Chess960. Both ways of castling are read
everywhere, and SAN as well.
"""

from __future__ import annotations

import re

from evalsmith.games.chess import fen, san
from evalsmith.games.chess.fen import format_fen, is_chess960, parse_fen, parse_square, square_name
from evalsmith.games.chess.words import (
    BLACK_PIECES,
    CASTLING,
    KIND,
    KNIGHT,
    ORIGIN,
    QUEEN,
    SIDE_BIT,
    STATE,
    WHITE_PIECES,
)
from evalsmith.games.game import Position, Symmetry

__all__ = ["format", "format_move", "format_uci", "parse", "parse_move", "start", "symmetries"]

parse = parse_fen
format = format_fen

_UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?")
_PROMOTIONS = " nbrq"


def start() -> Position:
    """The usual starting position."""
    return parse(fen.START)


def parse_move(position: Position, text: str) -> int:
    """A legal move from UCI or SAN."""
    stripped = text.strip()
    if _UCI.fullmatch(stripped) is None:
        return san.parse_san(position, text)
    from evalsmith.games.chess import GAME

    legal = GAME.moves(position)
    origin, target = parse_square(stripped[:2]), parse_square(stripped[2:4])
    promotion = _PROMOTIONS.index(stripped[4:].lower()) if stripped[4:] else 0
    castling = []
    for move in legal:
        if move >> ORIGIN & 63 == origin:
            kind = move >> KIND & 7
            if move & 63 == target and promotion == (kind if kind <= QUEEN else 0):
                return move
            if kind == CASTLING and _king_target(move) == target and not promotion:
                castling.append(move)
    # In Chess960 a step of the king can be written as castling would be, so it comes first.
    if not castling:
        san.refuse_move(position, text, legal)
    return castling[0]


def format_move(position: Position, move: int) -> str:
    """The move as UCI has it."""
    return format_uci(position, move)


def format_uci(position: Position, move: int, chess960: bool | None = None) -> str:
    """The move as UCI has it; ``chess960`` says how to write castling, and the position decides when it is None."""
    origin, target, kind = move >> ORIGIN & 63, move & 63, move >> KIND & 7
    if kind == CASTLING:
        if chess960 is None:
            chess960 = is_chess960(position)
        if not chess960:
            target = _king_target(move)
    promotion = _PROMOTIONS[kind] if KNIGHT <= kind <= QUEEN else ""
    return square_name(origin) + square_name(target) + promotion


def _king_target(move: int) -> int:
    """Where the king stands after castling."""
    origin = move >> ORIGIN & 63
    return (origin & 56) + (6 if move & 63 > origin else 2)


# ── Symmetry ────────────────────────────────────────────────────────────────────────────────────


def _mirrored(board: int) -> int:
    return int.from_bytes(board.to_bytes(8, "little"), "big")


def _exchange(position: Position) -> Position:
    """White's pieces become black's and the board is turned over; the mover stays the mover."""
    words = [int(word) for word in position]
    boards = [_mirrored(board) for board in words[:STATE]]
    boards[WHITE_PIECES], boards[BLACK_PIECES] = boards[BLACK_PIECES], boards[WHITE_PIECES]
    state = words[STATE]
    rights = (state & 0xFF) << 8 | (state >> 8 & 0xFF)
    return fen.make(boards, (state & ~0xFFFF | rights) ^ 1 << SIDE_BIT)


def _exchange_move(position: Position, move: int) -> int:
    return move ^ (56 | 56 << ORIGIN)


def symmetries() -> tuple[Symmetry, ...]:
    """The exchange of the colours; castling and the pawns' direction leave no other."""
    return (Symmetry("colour exchange", _exchange, _exchange_move),)
