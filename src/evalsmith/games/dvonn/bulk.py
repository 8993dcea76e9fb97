"""DVONN positions in bulk: the key is derived; the board has three other images."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Words, at, driver, lowest, pointer, scan, table
from evalsmith.games.bulk.boards import permuted
from evalsmith.games.bulk.bulk import Bulk, Rows, all_fixed, verdict
from evalsmith.games.dvonn import board
from evalsmith.games.dvonn.legality import COLOURED
from evalsmith.games.dvonn.rules import (
    BLACK,
    BLACK_MOVES,
    CODES,
    DIGITS,
    EMPTY_BOARD,
    HEIGHTS,
    IN_STACKING,
    KEY,
    KEYS,
    RED,
    REDS,
    STACKING,
    STATE,
    STONES,
    WHITE,
    code_at,
)
from evalsmith.games.dvonn.writing import states

WORDS = KEY + 1
_0, _1 = np.uint64(0), np.uint64(1)
_BOARD = np.uint64(board.BOARD)
_keys = table("bulk.dvonn.keys", KEYS)


@driver("void(uint64[:, ::1])")
def _derive(rows: Words) -> None:
    """The key, from the stacks and the state."""
    first = pointer(rows)
    for i in range(rows.shape[0]):
        position = at(first, i * WORDS)
        key = EMPTY_BOARD
        left = (position[WHITE] | position[BLACK] | position[RED]) & _BOARD
        while left != _0:
            bit = scan(left)
            # A height that no stack has may stand in a file of somebody else.
            code = max(0, min(code_at(position, bit), CODES - 1))
            key ^= _keys()[64 * code + bit]
            left ^= lowest(left)
        if position[STATE] & _1 != _0:
            key ^= BLACK_MOVES
        if position[STATE] & STACKING != _0:
            key ^= IN_STACKING
        position[KEY] = key


def _beside(fields: Rows) -> Rows:
    found = fields.copy()
    for step in (1, board.WIDTH, board.WIDTH + 1):
        found |= (fields << np.uint64(step)) | (fields >> np.uint64(step))
    return found


def _judge(rows: Rows) -> npt.NDArray[np.uint8]:
    """Counts, heights and connection; what is placed in which order is left to the text, for few positions ask it."""
    white, black, red, state = rows[:, WHITE], rows[:, BLACK], rows[:, RED], rows[:, STATE]
    digits = rows[:, HEIGHTS : HEIGHTS + DIGITS]
    occupied = white | black | red
    high = np.bitwise_or.reduce(digits[:, 1:], axis=1)
    valid = ((occupied & ~_BOARD) == 0) & ((white & black) == 0) & (state <= 3)
    valid &= np.bitwise_or.reduce(digits, axis=1) == occupied
    # A red stone alone has no owner, and a stack with an owner that holds a red one is higher than one.
    valid &= ((red & ~(white | black) & high) == 0) & ((red & (white | black) & ~high) == 0)
    stones = (np.bitwise_count(digits).astype(np.int64) << np.arange(DIGITS)).sum(axis=1)
    valid &= (stones <= STONES) & (np.bitwise_count(red) <= REDS)
    valid &= (np.bitwise_count(white) <= COLOURED) & (np.bitwise_count(black) <= COLOURED)
    stacking = (state & STACKING) != 0
    reached = red
    while True:
        grown = reached | (_beside(reached) & occupied)
        if (grown == reached).all():
            break
        reached = grown
    valid &= ~stacking | ((reached == occupied) & (red != 0))
    full = occupied == _BOARD
    room = (
        np.bitwise_count(red & ~(white | black))
        + sum(
            np.bitwise_count(digits[:, digit] & red & (white | black)).astype(np.int64) << digit
            for digit in range(DIGITS)
        )
        - np.bitwise_count(red & (white | black))
    )
    valid &= ~stacking | (room >= REDS)
    return verdict(valid, ~stacking | full)


def _images(rows: Rows) -> list[Rows]:
    found = []
    for places in board.SYMMETRIES.values():
        moved = [-1] * 64
        for field, place in enumerate(places):
            moved[board.BITS[field]] = board.BITS[place]
        image = rows.copy()
        image[:, :STATE] = permuted(rows[:, :STATE], moved)
        _derive(image)
        found.append(image)
    return found


BULK = Bulk(tuple(range(KEY)), _derive, _judge, _images, texts=states, fixed_names=all_fixed)
