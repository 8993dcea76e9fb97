"""Chess positions and moves as text: FEN, UCI moves, SAN moves, and the symmetry of the colours.

A move is written as UCI has it: ``e2e4``, ``e7e8q``. Castling is ``e1g1`` where kings and rooks stand as in
ordinary chess, and the king's move to its rook (``f1h1``) in Chess960. Both ways of castling are read
everywhere, and SAN as well.
"""

from __future__ import annotations

from evalsmith.games.chess.board import make
from evalsmith.games.chess.notation.fen import format_fen, parse_fen, start
from evalsmith.games.chess.notation.moves import format_uci, parse_move
from evalsmith.games.chess.words import BLACK_PIECES, ORIGIN, SIDE_BIT, STATE, WHITE_PIECES
from evalsmith.games.game import Position, Symmetry

__all__ = ["format", "format_move", "format_uci", "parse", "parse_move", "start", "symmetries"]

parse = parse_fen
format = format_fen


def format_move(position: Position, move: int) -> str:
    """The move as UCI has it."""
    return format_uci(position, move)


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
    return make(boards, (state & ~0xFFFF | rights) ^ 1 << SIDE_BIT)


def _exchange_move(position: Position, move: int) -> int:
    return move ^ (56 | 56 << ORIGIN)


def symmetries() -> tuple[Symmetry, ...]:
    """The exchange of the colours; castling and the pawns' direction leave no other."""
    return (Symmetry("colour exchange", _exchange, _exchange_move),)
