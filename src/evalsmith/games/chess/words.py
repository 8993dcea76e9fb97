"""The ten words of a chess position, the numbers of a move, and the random words of the key.

    0–5   pawns, knights, bishops, rooks, queens, kings of both colours
    6, 7  white's pieces, black's pieces
    8     the state: side to move, castling rooks, en passant, clocks
    9     the key, kept up to date by every move

The state holds, from the lowest bit: 16 bits of rooks that may still castle (files of the first rank, then of
the eighth), the side to move, 4 bits of en passant (0, or the file plus one), 3 unused bits, 16 bits of plies
since the last capture or pawn move, 24 bits of the number of the move.

En passant stands in the state, and in the key, only where a pawn may capture that way legally.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from evalsmith.compile import Word, helper, table
from evalsmith.games.keys import zobrist

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
WHITE_PIECES, BLACK_PIECES, STATE, KEY = range(6, 10)
WORDS = 10
WHITE, BLACK = 0, 1

# A move: the target in bits 0–5, the origin in 6–11, the piece in 12–14, the kind in 15–17. Castling goes from the
# king's square to the rook's. The kinds 1 to 4 are promotions to the piece of that number.
NORMAL, EN_PASSANT, CASTLING, DOUBLE = 0, 5, 6, 7
ORIGIN, PIECE, KIND = 6, 12, 15

SIDE_BIT, EN_PASSANT_BIT, CLOCK_BIT, NUMBER_BIT = 16, 17, 24, 40
MAX_CLOCK, MAX_NUMBER = 9999, 99999
FIFTY_MOVES = 100  # plies

_1, _CASTLING, _15 = np.uint64(1), np.uint64(0xFFFF), np.uint64(15)
_SIDE, _EN_PASSANT, _CLOCK = np.uint64(SIDE_BIT), np.uint64(EN_PASSANT_BIT), np.uint64(CLOCK_BIT)

# Rows of 64 squares: white and black pawns, white and black knights, and so on; then one row each for castling rooks
# (the first 16), en passant files (the first 8), and the side to move (the first).
PIECE_KEYS = 12
_keys = zobrist(0xC4E55, PIECE_KEYS + 3, 64)
keys_table: Callable[[], Any] = table("chess.keys", _keys)


@helper("int64(uint64)", inline=True)
def side_of(state: Word) -> int:
    """0 when white moves, 1 when black."""
    return np.int64((state >> _SIDE) & _1)  # type: ignore[return-value]


@helper("int64(uint64)", inline=True)
def en_passant_of(state: Word) -> int:
    """The file of en passant plus one, or 0."""
    return np.int64((state >> _EN_PASSANT) & _15)  # type: ignore[return-value]


@helper("int64(uint64)", inline=True)
def clock_of(state: Word) -> int:
    """Plies since the last capture or pawn move."""
    return np.int64((state >> _CLOCK) & _CASTLING)  # type: ignore[return-value]


@helper("uint64(int64, int64, int64)", inline=True)
def piece_key(piece: int, side: int, square: int) -> Word:
    """The random word of a piece on a square."""
    return keys_table()[(2 * piece + side) * 64 + square]


@helper("uint64(int64)", inline=True)
def castling_key(rook: int) -> Word:
    """The random word of a rook that may castle: its file, plus 8 for black's."""
    return keys_table()[PIECE_KEYS * 64 + rook]


@helper("uint64(int64)", inline=True)
def en_passant_key(file: int) -> Word:
    """The random word of a file on which a pawn may be captured en passant."""
    return keys_table()[(PIECE_KEYS + 1) * 64 + file]


@helper("uint64()", inline=True)
def side_key() -> Word:
    """The random word of black to move."""
    return keys_table()[(PIECE_KEYS + 2) * 64]


@helper("int64(int64, int64)", inline=True)
def castled_king(king: int, rook: int) -> int:
    """Where the king stands after castling with a rook: on the g-file, or on the c-file."""
    return (king & 56) + (6 if rook > king else 2)


@helper("int64(int64, int64)", inline=True)
def castled_rook(king: int, rook: int) -> int:
    """Where the rook stands after castling: beside the king, towards the middle."""
    return (king & 56) + (5 if rook > king else 3)
