"""Chess positions in bulk: black's pieces and the key are derived; exchanging the colours is the one symmetry."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, at, driver, int64, pointer, popcount
from evalsmith.games.bulk.boards import mirror_ranks
from evalsmith.games.bulk.bulk import INVALID, VALID, Bulk, Moves, Rows
from evalsmith.games.chess.legality import checkers
from evalsmith.games.chess.validity import impossible, key_of, passing_file
from evalsmith.games.chess.words import (
    BLACK_PIECES,
    CASTLING,
    EN_PASSANT_BIT,
    KEY,
    KIND,
    MAX_CLOCK,
    MAX_NUMBER,
    NUMBER_BIT,
    SIDE_BIT,
    STATE,
    WHITE_PIECES,
    WORDS,
    clock_of,
    en_passant_of,
    side_of,
)
from evalsmith.games.chess.writing import fens

_0, _RIGHTS = np.uint64(0), np.uint64(0xFFFF)
_SIDE, _NUMBER = np.uint64(1 << SIDE_BIT), np.uint64(NUMBER_BIT)
_SPARE = np.uint64(7 << EN_PASSANT_BIT + 4)  # bits of the state between en passant and the clock


@driver("void(uint64[:, ::1])")
def _derive(rows: Words) -> None:
    """Black's pieces, and the key from nothing but boards and state."""
    base = pointer(rows)
    for i in range(rows.shape[0]):
        row = at(base, WORDS * i)
        row[BLACK_PIECES] = (row[0] | row[1] | row[2] | row[3] | row[4] | row[5]) ^ row[WHITE_PIECES]
        row[KEY] = key_of(row)


@driver("void(uint64[:, ::1], uint8[::1])")
def _judge_each(rows: Words, verdicts: Integers) -> None:
    """What reading a FEN asks."""
    base = pointer(rows)
    for i in range(rows.shape[0]):
        row = at(base, WORDS * i)
        occupied, count = _0, int64(0)
        for piece in range(6):
            occupied |= row[piece]
            count += popcount(row[piece])
        state, side = row[STATE], side_of(row[STATE])
        file, number = en_passant_of(state), int64(state >> _NUMBER)
        verdicts[i] = INVALID
        if row[WHITE_PIECES] & row[BLACK_PIECES] != _0 or row[WHITE_PIECES] | row[BLACK_PIECES] != occupied:
            continue
        if count != popcount(occupied) or state & _SPARE != _0 or file > 8:
            continue
        if clock_of(state) > MAX_CLOCK or number < 1 or number > MAX_NUMBER:
            continue
        if impossible(row) != 0 or checkers(row, 1 - side) != _0:
            continue
        if file == 0 or passing_file(row, side, file - 1 + 40 - 24 * side) == file:
            verdicts[i] = VALID


def _field(state: Rows, shift: int, bits: int) -> Rows:
    return (state >> np.uint64(shift)) & np.uint64((1 << bits) - 1)


def _judge(rows: Rows) -> npt.NDArray[np.uint8]:
    verdicts = np.empty(len(rows), dtype=np.uint8)
    _judge_each(np.ascontiguousarray(rows), verdicts)
    return verdicts


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


def _fixed_names(moves: Moves) -> npt.NDArray[np.bool_]:
    """All but castling, which Chess960 writes in another way."""
    return moves >> KIND & 7 != CASTLING


BULK = Bulk((0, 1, 2, 3, 4, 5, 6, 8), _derive, _judge, _images, _plies, fens, _fixed_names)
