"""Whether one given shogi move is legal: much cheaper than listing all moves, which is what reading games needs.

A move is tried in three steps: it must fit the piece and the board (``plausible``), it must not leave the own king
in check once it is played, and a dropped pawn must not mate.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Words, at, helper, int64, table
from evalsmith.games.shogi.movegen.attacks import between_rows, bit_rows, direction_of, king_of, piece_at, step_rows
from evalsmith.games.shogi.movegen.generate import DROP, PROMOTE
from evalsmith.games.shogi.movegen.legality import pawn_drop_mates
from evalsmith.games.shogi.squares import (
    BLACK,
    COLOURS,
    GOLD,
    HAND_BITS,
    HAND_SHIFT,
    HANDS,
    KNIGHT,
    PAWN,
    PAWNS,
    ROOK,
    SLIDES,
    SQUARES,
    WHITE_PIECE,
)

_0 = np.uint64(0)
_FILE = np.uint64(511)
_LOW_FILES = 7  # files 1 to 7 are in the low word

_hand_masks = table(
    "shogi.plausible_hands",
    np.array([((1 << HAND_BITS.get(k, 0)) - 1) << HAND_SHIFT.get(k, 0) for k in range(8)], dtype=np.uint64),
)
# [piece] → a bit for each direction in which it slides; white looks the other way.
_slides = table(
    "shogi.plausible_slides",
    np.array(
        [
            sum(1 << (way + 4 * (piece // WHITE_PIECE)) % 8 for way in SLIDES.get(piece % WHITE_PIECE, ()))
            for piece in range(2 * WHITE_PIECE)
        ],
        dtype=np.int64,
    ),
)


@helper("int64(int64, int64)", inline=True)
def _rank(side: int, square: int) -> int:
    """The rank as a side sees it, 0 at the far end."""
    return square % 9 if side == BLACK else 8 - square % 9


@helper("int64(words, int64, int64, int64)")
def _fits_drop(position: Words, side: int, kind: int, target: int) -> int:
    """Whether a side may drop a piece there, the kings' safety aside."""
    if kind < PAWN or kind > GOLD or piece_at(position, target) != 0:
        return 0
    if (position[HANDS] >> np.uint64(32 * side)) & _hand_masks()[kind] == _0:
        return 0
    left = _rank(side, target)
    if kind <= KNIGHT and left < (2 if kind == KNIGHT else 1):
        return 0
    if kind == PAWN:
        file = target // 9
        half = 1 if file >= _LOW_FILES else 0
        pawns = position[PAWNS + half] & position[COLOURS + 2 * side + half]
        if pawns & (_FILE << np.uint64(9 * (file - _LOW_FILES * half))) != _0:
            return 0
    return 1


@helper("int64(words, int64, int64)")
def plausible(position: Words, side: int, move: int) -> int:
    """Whether a number is a move of that side that its piece and the board allow, the kings' safety aside."""
    target, origin = move & 127, (move >> 7) & 127
    if target >= SQUARES or move >= 2 * PROMOTE:
        return 0
    if origin >= SQUARES:
        return 0 if move & PROMOTE != 0 else _fits_drop(position, side, origin - DROP, target)
    piece = piece_at(position, origin)
    taken = piece_at(position, target)
    if piece == 0 or piece // WHITE_PIECE != side or (taken != 0 and taken // WHITE_PIECE == side):
        return 0
    kind = piece & 15
    if move & PROMOTE != 0:
        if kind > ROOK or min(_rank(side, origin), _rank(side, target)) > 2:
            return 0
    elif kind <= KNIGHT and _rank(side, target) < (2 if kind == KNIGHT else 1):
        return 0
    steps, bits = at(step_rows(), 2 * (81 * piece + origin)), at(bit_rows(), 2 * target)
    if (steps[0] & bits[0]) | (steps[1] & bits[1]) != _0:
        return 1
    if (_slides()[piece] >> direction_of(origin, target)) & 1 == 0:
        return 0
    between = at(between_rows(), 2 * (81 * origin + target))
    low, high = position[COLOURS] | position[COLOURS + 2], position[COLOURS + 1] | position[COLOURS + 3]
    return 1 if (between[0] & low) | (between[1] & high) == _0 else 0


@helper("int64(words, int64, int64)")
def mates_by_pawn(position: Words, side: int, move: int) -> int:
    """Whether a plausible move drops a pawn that mates, which is forbidden."""
    if (move >> 7) & 127 != DROP + PAWN:
        return 0
    target = move & 127
    before = target - 1 if side == BLACK else target + 1
    if king_of(position, 1 - side) != before:
        return 0
    return int64(pawn_drop_mates(position, side, target))
