"""Shogi positions in bulk: the mailbox, the hands and the state are stored; boards and the key are derived."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Words, driver, int64, table
from evalsmith.games.bulk.bulk import Bulk, Rows, all_fixed, verdict
from evalsmith.games.bulk.rows import ask_each
from evalsmith.games.contract import CHECK
from evalsmith.games.keys import zobrist
from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.squares import (
    BLACK,
    BOARD_KEY,
    CLASS_OF,
    CLASSES,
    COLOURS,
    HAND_BITS,
    HAND_KINDS,
    HAND_SHIFT,
    HANDS,
    HIGHEST_NUMBER,
    KEY_SEED,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED,
    SET,
    SPLIT,
    SQUARES,
    STATE,
    WHITE,
    WHITE_KEY_SEED,
    WHITE_PIECE,
)
from evalsmith.games.shogi.writing import sfens

_MAILBOX_WORDS = 11
_OTHER = 4
_0, _1, _BYTE = np.uint64(0), np.uint64(1), np.uint64(255)
_LAST_KIND = 14
_WHITE_MOVES = zobrist(WHITE_KEY_SEED, 1)[0]
_keys = table("bulk.shogi.keys", zobrist(KEY_SEED, 32, SQUARES))
_classes = table("bulk.shogi.classes", np.array([CLASS_OF.get(kind, _OTHER) for kind in range(16)], dtype=np.int64))


@driver("void(uint64[:, ::1])")
def _derive(rows: Words) -> None:
    """Colours, classes and the key, from the mailbox and the side to move."""
    for i in range(rows.shape[0]):
        for word in range(COLOURS, HANDS):
            rows[i, word] = _0
        key = _WHITE_MOVES if rows[i, STATE] & _1 != _0 else _0
        for square in range(SQUARES):
            piece = int64((rows[i, square >> 3] >> np.uint64((square & 7) << 3)) & np.uint64(31))
            if piece != 0:
                half = 1 if square >= SPLIT else 0
                bit = _1 << np.uint64(square - SPLIT * half)
                rows[i, COLOURS + 2 * (piece >> 4) + half] |= bit
                rows[i, CLASSES + 2 * _classes()[piece & 15] + half] |= bit
                key ^= _keys()[SQUARES * piece + square]
        rows[i, BOARD_KEY] = key


def _cells(rows: Rows) -> npt.NDArray[np.uint8]:
    """The byte of every square, and of seven places after the board."""
    return np.ascontiguousarray(rows[:, :_MAILBOX_WORDS]).view(np.uint8).reshape(len(rows), 8 * _MAILBOX_WORDS)


def _judge(rows: Rows) -> npt.NDArray[np.uint8]:
    """What reading an SFEN asks."""
    cells, state = _cells(rows), rows[:, STATE]
    kinds, whites = cells & 15, (cells & WHITE_PIECE) != 0
    valid = (cells[:, SQUARES:] == 0).all(axis=1)
    valid &= ((cells == 0) | ((kinds >= 1) & (kinds <= _LAST_KIND) & (cells < 2 * WHITE_PIECE))).all(axis=1)
    used = np.uint64(0)
    for kind in HAND_KINDS:
        count = ((kinds == kind) | (kinds == kind + PROMOTED)).sum(axis=1)  # no kind is a promoted gold
        for side in (BLACK, WHITE):
            shift, mask = np.uint64(HAND_SHIFT[kind] + 32 * side), np.uint64((1 << HAND_BITS[kind]) - 1)
            count = count + ((rows[:, HANDS] >> shift) & mask).astype(np.int64)
            used |= mask << shift
        valid &= count <= SET[kind]
    valid &= (rows[:, HANDS] & ~used) == 0
    valid &= _sound_squares(kinds[:, :SQUARES], whites[:, :SQUARES])
    for side in (BLACK, WHITE):
        king = cells[:, :SQUARES] == KING + side * WHITE_PIECE
        valid &= king.sum(axis=1) == 1
        valid &= ((state >> np.uint64(8 + 8 * side)) & _BYTE) == np.argmax(king, axis=1).astype(np.uint64)
    number = state >> np.uint64(32)
    valid &= ((state & np.uint64(0xFF0000FE)) == 0) & (number >= 1) & (number <= HIGHEST_NUMBER)
    chosen = np.flatnonzero(valid)
    waiting = rows[chosen]
    waiting[:, STATE] ^= _1
    valid[chosen] = ask_each(GAME, CHECK, waiting) == 0
    return verdict(valid)


def _sound_squares(kinds: npt.NDArray[Any], whites: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """No piece that could never move again, and no two pawns of a side on one file."""
    valid = np.ones(len(kinds), dtype=np.bool_)
    ranks = np.arange(SQUARES) % 9
    for side in (BLACK, WHITE):
        own = whites if side == WHITE else ~whites
        left = ranks if side == BLACK else 8 - ranks
        stuck = (kinds == PAWN) | (kinds == LANCE)
        valid &= ~((stuck & own)[:, left < 1].any(axis=1) | ((kinds == KNIGHT) & own)[:, left < 2].any(axis=1))
        valid &= (((kinds == PAWN) & own).reshape(len(kinds), 9, 9).sum(axis=2) <= 1).all(axis=1)
    return valid


def _images(rows: Rows) -> list[Rows]:
    cells = _cells(rows).copy()
    board = cells[:, SQUARES - 1 :: -1]
    cells[:, :SQUARES] = np.where(board == 0, 0, board ^ WHITE_PIECE)
    image = rows.copy()
    image[:, :_MAILBOX_WORDS] = cells.view(np.uint64)
    image[:, HANDS] = (rows[:, HANDS] >> np.uint64(32)) | (rows[:, HANDS] << np.uint64(32))
    state = rows[:, STATE]
    black, white = (state >> np.uint64(8)) & _BYTE, (state >> np.uint64(16)) & _BYTE
    last = np.uint64(SQUARES - 1)
    kings = ((last - white) << np.uint64(8)) | ((last - black) << np.uint64(16))
    image[:, STATE] = (state & ~np.uint64(0xFFFF00)) ^ _1 | kings
    _derive(image)
    return [image]


def _plies(rows: Rows) -> npt.NDArray[np.int64]:
    """By the number of the move."""
    return (rows[:, STATE] >> np.uint64(32)).astype(np.int64) - 1


BULK = Bulk((*range(_MAILBOX_WORDS), HANDS, STATE), _derive, _judge, _images, _plies, sfens, all_fixed)
