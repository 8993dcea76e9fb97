"""SFENs of many positions in one compiled call, for exports."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, driver, helper, int64, table
from evalsmith.games.bulk.writing import texts_by, write_number
from evalsmith.games.shogi.squares import (
    BISHOP,
    GOLD,
    HAND_BITS,
    HAND_SHIFT,
    HANDS,
    KING,
    KNIGHT,
    LANCE,
    NAMES,
    PAWN,
    PROMOTED,
    ROOK,
    SILVER,
    STATE,
)

MAX_SFEN = 256  # bytes: 81 squares with a plus each at most, 8 slashes, 14 pieces in hand, a number

_SPACE, _SLASH, _DASH, _PLUS, _ZERO, _B, _W = (ord(letter) for letter in " /-+0bw")
_ORDER = (ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN)  # as SFEN writes hands
_SMALL = 32  # from a capital letter to the small one


def _letters_of_kinds() -> list[int]:
    plain = {kind: ord("N" if kind == KNIGHT else NAMES[kind][0].upper()) for kind in range(PAWN, KING + 1)}
    return [plain.get(kind, plain.get(kind - PROMOTED, 0)) for kind in range(16)]


_letters = table("shogi_writing.letters", np.array(_letters_of_kinds(), dtype=np.int64))
_kinds = table("shogi_writing.kinds", np.array(_ORDER, dtype=np.int64))
_shifts = table("shogi_writing.shifts", np.array([HAND_SHIFT[kind] for kind in _ORDER], dtype=np.int64))
_masks = table("shogi_writing.masks", np.array([(1 << HAND_BITS[kind]) - 1 for kind in _ORDER], dtype=np.int64))


@helper("int64(uint64[:, ::1], int64, uint8[::1], int64)")
def _write_board(rows: Words, i: int, out: Integers, at: int) -> int:
    """The ranks from a to i, each from file 9 to file 1."""
    for rank in range(9):
        empty = 0
        for file in range(8, -1, -1):
            square = 9 * file + rank
            piece = int64(rows[i, square >> 3] >> np.uint64((square & 7) << 3)) & 31
            if piece == 0:
                empty += 1
                continue
            if empty > 0:
                out[at] = _ZERO + empty
                at += 1
                empty = 0
            if piece & 15 > KING:
                out[at] = _PLUS
                at += 1
            out[at] = _letters()[piece & 15] + (_SMALL if piece > 15 else 0)
            at += 1
        if empty > 0:
            out[at] = _ZERO + empty
            at += 1
        out[at] = _SLASH if rank < 8 else _SPACE
        at += 1
    return at


@helper("int64(int64, uint8[::1], int64)")
def _write_hands(hands: int, out: Integers, at: int) -> int:
    """Black's pieces in hand and white's, or a dash."""
    before = at
    for side in range(2):
        for place in range(7):
            count = hands >> (_shifts()[place] + 32 * side) & _masks()[place]
            if count > 1:
                at = write_number(out, at, count)
            if count > 0:
                out[at] = _letters()[_kinds()[place]] + _SMALL * side
                at += 1
    if at == before:
        out[at] = _DASH
        at += 1
    return at


@driver("void(uint64[:, ::1], uint8[::1], int32[::1])")
def _write_sfens(rows: Words, out: Integers, ends: Integers) -> None:
    at = int64(0)
    for i in range(rows.shape[0]):
        at = _write_board(rows, i, out, at)
        out[at], out[at + 1] = (_W if int64(rows[i, STATE]) & 1 != 0 else _B), _SPACE
        at = _write_hands(int64(rows[i, HANDS]), out, at + 2)
        out[at] = _SPACE
        at = write_number(out, at + 1, int64(rows[i, STATE] >> np.uint64(32)))
        ends[i + 1] = at


sfens = texts_by(_write_sfens, MAX_SFEN)
