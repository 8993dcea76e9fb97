"""State strings of many positions in one compiled call, for exports."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, at, driver, helper, int64, pointer, table
from evalsmith.games.bulk.writing import texts_by, write_number
from evalsmith.games.dvonn import board
from evalsmith.games.dvonn.rules import BLACK, KEY, RED, STACKING, STATE, WHITE, can_move, code_at, height_at

MAX_TEXT = 96  # bytes: 50 letters, and at most three stacks of more than 15 stones, seven bytes each with a space
WORDS = KEY + 1

_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_HIGHEST = 15  # stones that a letter can say
_SPACE, _STAR, _EQUALS, _R, _W, _B = (ord(letter) for letter in " *=RWB")
_0, _1 = np.uint64(0), np.uint64(1)
_digits = table("dvonn_writing.digits", np.array(list(_DIGITS), dtype=np.int64))
_bits = table("dvonn_writing.bits", np.array(board.BITS, dtype=np.int64))
_names = table(
    "dvonn_writing.names", np.array([ord(letter) for name in board.NAMES for letter in name], dtype=np.int64)
)


@helper("int64(words, int64)", inline=True)
def _letter(position: Words, bit: int) -> int:
    """The letter of a field."""
    if (position[WHITE] | position[BLACK] | position[RED]) >> np.uint64(bit) & _1 == _0:
        return _digits()[0]
    return _STAR if height_at(position, bit) > _HIGHEST else _digits()[code_at(position, bit)]


@helper("int64(words)")
def _state(position: Words) -> int:
    """2·phase + side to move."""
    side = int64(position[STATE] & _1)
    if position[STATE] & STACKING == _0:
        return side
    occupied = position[WHITE] | position[BLACK] | position[RED]
    able = can_move(position, position[WHITE], occupied) | can_move(position, position[BLACK], occupied)
    return side + (2 if able != 0 else 4)


@helper("int64(words, int64, uint8[::1], int64)")
def _write_high(position: Words, field: int, out: Integers, place: int) -> int:
    """`` F3=17WR``: a stack that its letter cannot say; the place after it."""
    bit = _bits()[field]
    out[place], out[place + 1], out[place + 2] = _SPACE, _names()[2 * field], _names()[2 * field + 1]
    out[place + 3] = _EQUALS
    place = write_number(out, place + 4, height_at(position, bit))
    out[place] = _B if position[BLACK] >> np.uint64(bit) & _1 != _0 else _W
    place += 1
    if position[RED] >> np.uint64(bit) & _1 != _0:
        out[place] = _R
        place += 1
    return place


@driver("void(uint64[:, ::1], uint8[::1], int32[::1])")
def _write_states(rows: Words, out: Integers, ends: Integers) -> None:
    first, place = pointer(rows), int64(0)
    for i in range(rows.shape[0]):
        position = at(first, i * WORDS)
        out[place] = _digits()[_state(position)]
        high = 0
        for field in range(board.FIELDS):
            letter = _letter(position, _bits()[field])
            out[place + 1 + field] = letter
            high += 1 if letter == _STAR else 0
        begin = place + 1
        place = begin + board.FIELDS
        if high > 0:
            for field in range(board.FIELDS):
                if int64(out[begin + field]) == _STAR:
                    place = _write_high(position, field, out, place)
        ends[i + 1] = place


states = texts_by(_write_states, MAX_TEXT)
