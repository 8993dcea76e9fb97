"""Chess positions in bulk: black's pieces and the key are derived; exchanging the colours is the one symmetry."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Words, driver, lowest, scan
from evalsmith.games.bulk.boards import mirror_ranks
from evalsmith.games.bulk.bulk import Bulk, Rows, verdict
from evalsmith.games.bulk.rows import ask_each
from evalsmith.games.chess import GAME
from evalsmith.games.chess.words import (
    BLACK_PIECES,
    CLOCK_BIT,
    EN_PASSANT_BIT,
    KEY,
    KING,
    MAX_CLOCK,
    MAX_NUMBER,
    NUMBER_BIT,
    PAWN,
    ROOK,
    SIDE_BIT,
    STATE,
    WHITE_PIECES,
    castling_key,
    en_passant_key,
    en_passant_of,
    piece_key,
    side_key,
    side_of,
)
from evalsmith.games.contract import CHECK

_0, _1 = np.uint64(0), np.uint64(1)
_RIGHTS, _BYTE = np.uint64(0xFFFF), np.uint64(0xFF)
_LAST_RANKS = np.uint64(0xFF000000000000FF)
_NOT_A, _NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
_SIDE = np.uint64(1 << SIDE_BIT)
_FILES = 8


@driver("void(uint64[:, ::1])")
def _derive(rows: Words) -> None:
    """Black's pieces, and the key from nothing but boards and state."""
    for i in range(rows.shape[0]):
        occupied = rows[i, 0] | rows[i, 1] | rows[i, 2] | rows[i, 3] | rows[i, 4] | rows[i, 5]
        rows[i, BLACK_PIECES] = occupied ^ rows[i, WHITE_PIECES]
        state = rows[i, STATE]
        key = side_key() if side_of(state) != 0 else _0
        for piece in range(6):
            for side in range(2):
                left = rows[i, piece] & rows[i, WHITE_PIECES + side]
                while left != _0:
                    key ^= piece_key(piece, side, scan(left))
                    left ^= lowest(left)
        rooks = state & _RIGHTS
        while rooks != _0:
            key ^= castling_key(scan(rooks))
            rooks ^= lowest(rooks)
        file = en_passant_of(state)
        if file != 0:
            key ^= en_passant_key(file - 1)
        rows[i, KEY] = key


def _field(state: Rows, shift: int, bits: int) -> Rows:
    return (state >> np.uint64(shift)) & np.uint64((1 << bits) - 1)


def _around(squares: Rows) -> Rows:
    """The squares beside a king, its own among them."""
    wide = squares | ((squares << _1) & _NOT_A) | ((squares >> _1) & _NOT_H)
    return wide | (wide << np.uint64(8)) | (wide >> np.uint64(8))


def _sound_castling(rows: Rows, side: int) -> npt.NDArray[np.bool_]:
    """King and rooks stand at home, and each wing has at most one rook that may castle."""
    home = np.uint64(56 * side)
    rights = _field(rows[:, STATE], 8 * side, 8)
    own = rows[:, WHITE_PIECES + side]
    king = ((rows[:, KING] & own) >> home) & _BYTE
    rooks = ((rows[:, ROOK] & own) >> home) & _BYTE
    west, east = rights & (king - _1), rights & ~(king | (king - _1))
    single = (np.bitwise_count(west) <= 1) & (np.bitwise_count(east) <= 1)
    return (rights == 0) | ((king != 0) & ((rights & ~rooks) == 0) & single)


def _judge(rows: Rows) -> npt.NDArray[np.uint8]:
    """What reading a FEN asks; en passant is left to the text, for few positions have it."""
    boards, state = rows[:, :6], rows[:, STATE]
    white, black = rows[:, WHITE_PIECES], rows[:, BLACK_PIECES]
    occupied = white | black
    fine = (np.bitwise_or.reduce(boards, axis=1) == occupied) & ((white & black) == 0)
    fine &= np.bitwise_count(boards).sum(axis=1) == np.bitwise_count(occupied)
    for side, own in enumerate((white, black)):
        fine &= np.bitwise_count(rows[:, KING] & own) == 1
        fine &= (np.bitwise_count(rows[:, PAWN] & own) <= _FILES) & (np.bitwise_count(own) <= 2 * _FILES)
        fine &= _sound_castling(rows, side)
    fine &= (rows[:, PAWN] & _LAST_RANKS) == 0
    fine &= (_around(rows[:, KING] & white) & rows[:, KING] & black) == 0
    fine &= (_field(state, EN_PASSANT_BIT, 4) <= _FILES) & (_field(state, EN_PASSANT_BIT + 4, 3) == 0)
    fine &= _field(state, CLOCK_BIT, 16) <= MAX_CLOCK
    number = state >> np.uint64(NUMBER_BIT)
    fine &= (number >= 1) & (number <= MAX_NUMBER)
    chosen = np.flatnonzero(fine)
    waiting = rows[chosen]
    waiting[:, STATE] ^= _SIDE
    fine[chosen] = ask_each(GAME, CHECK, waiting) == 0
    return verdict(fine, _field(state, EN_PASSANT_BIT, 4) != 0)


def _images(rows: Rows) -> list[Rows]:
    image = rows.copy()
    image[:, :6] = mirror_ranks(rows[:, :6])
    image[:, WHITE_PIECES] = mirror_ranks(rows[:, BLACK_PIECES])
    state = rows[:, STATE] ^ _SIDE
    rights = (_field(state, 0, 8) << np.uint64(8)) | _field(state, 8, 8)
    image[:, STATE] = (state & ~_RIGHTS) | rights
    _derive(image)
    return [image]


def _plies(rows: Rows) -> npt.NDArray[np.int64]:
    """By the number of the move and the side."""
    state = rows[:, STATE]
    return 2 * (state >> np.uint64(NUMBER_BIT)).astype(np.int64) - 2 + _field(state, SIDE_BIT, 1).astype(np.int64)


BULK = Bulk((0, 1, 2, 3, 4, 5, 6, 8), _derive, _judge, _images, _plies)
