"""FENs of many positions in one compiled call, for exports; castling rights of Chess960 are left to ``format_fen``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, driver, int64, table, uint64
from evalsmith.games.bulk.bulk import Rows, Texts
from evalsmith.games.bulk.writing import texts_by, write_number
from evalsmith.games.chess.words import (
    BLACK_PIECES,
    CLOCK_BIT,
    EN_PASSANT_BIT,
    KING,
    NUMBER_BIT,
    SIDE_BIT,
    STATE,
    WHITE_PIECES,
)

MAX_FEN = 128  # bytes: 64 squares, 7 slashes, 4 rights, and numbers of at most 20 digits

_LETTERS = np.array([ord(letter) for letter in "PNBRQKpnbrqk"], dtype=np.int64)
_letters = table("chess_writing.letters", _LETTERS)
_SPACE, _SLASH, _DASH, _ZERO, _SMALL_A = (ord(letter) for letter in " /-0a")
_K, _Q, _SMALL_K, _SMALL_Q, _W, _B = (ord(letter) for letter in "KQkqwb")
_0, _1 = np.uint64(0), np.uint64(1)


@driver("void(uint64[:,::1], uint8[::1], int32[::1])")
def _write_fens(rows: Words, out: Integers, ends: Integers) -> None:
    """FENs one after another; the text of row ``i`` ends before ``ends[i + 1]``."""
    at = int64(0)
    for i in range(rows.shape[0]):
        for rank in range(7, -1, -1):
            empty = 0
            for file in range(8):
                bit = _1 << uint64(8 * rank + file)
                if (rows[i, WHITE_PIECES] | rows[i, BLACK_PIECES]) & bit == _0:
                    empty += 1
                    continue
                if empty > 0:
                    out[at] = _ZERO + empty
                    at += 1
                    empty = 0
                piece = 0
                while piece < KING and rows[i, piece] & bit == _0:
                    piece += 1
                out[at] = _letters()[piece + (6 if rows[i, BLACK_PIECES] & bit != _0 else 0)]
                at += 1
            if empty > 0:
                out[at] = _ZERO + empty
                at += 1
            out[at] = _SLASH if rank > 0 else _SPACE
            at += 1
        state = int64(rows[i, STATE])
        side = state >> SIDE_BIT & 1
        out[at], out[at + 1] = (_B if side != 0 else _W), _SPACE
        at += 2
        before = at
        for number, letter in ((7, _K), (0, _Q), (15, _SMALL_K), (8, _SMALL_Q)):
            if state >> number & 1 != 0:
                out[at] = letter
                at += 1
        if at == before:
            out[at] = _DASH
            at += 1
        out[at] = _SPACE
        at += 1
        file = state >> EN_PASSANT_BIT & 15
        if file != 0:
            out[at], out[at + 1] = _SMALL_A + file - 1, _ZERO + (3 if side != 0 else 6)
            at += 2
        else:
            out[at] = _DASH
            at += 1
        out[at] = _SPACE
        at = write_number(out, at + 1, state >> CLOCK_BIT & 0xFFFF)
        out[at] = _SPACE
        at = write_number(out, at + 1, int64(rows[i, STATE] >> uint64(NUMBER_BIT)))
        ends[i + 1] = at


_fens = texts_by(_write_fens, MAX_FEN)


def fens(rows: Rows) -> Texts | None:
    """The FENs of rows; None where one has rights of Chess960."""
    return None if _needs_chess960(rows).any() else _fens(rows)


def _needs_chess960(rows: Rows) -> npt.NDArray[np.bool_]:
    """Where a king with rights does not stand on the e-file, or its rook not in the corner."""
    odd = rows[:, STATE] & np.uint64(0x7E7E) != 0
    for side, home in ((0, 0x10), (1, 0x10 << 56)):
        may = rows[:, STATE] >> np.uint64(8 * side) & np.uint64(0xFF) != 0
        odd |= may & (rows[:, KING] & rows[:, WHITE_PIECES + side] & np.uint64(home) == 0)
    return odd
