"""What no game of chess can contain, as compiled code sees it, and the key of a position from its other words.

Texts, binary records and datasets all ask here. Kernels rely on one king and at most 16 pieces a side.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Word, Words, helper, int64, popcount, scan
from evalsmith.games.chess import words
from evalsmith.games.chess.attacks import bit, king_attacks, pawn_attacks
from evalsmith.games.chess.legality import safe_en_passant
from evalsmith.games.chess.words import BLACK_PIECES, KING, PAWN, STATE, WHITE_PIECES

# What is wrong with a position.
KINGS, PAWNS, ARMY, LAST_RANK, ROOKS, TOUCHING = range(1, 7)
NO_PAWN = -1

_0, _1, _BYTE, _RIGHTS = np.uint64(0), np.uint64(1), np.uint64(0xFF), np.uint64(0xFFFF)
_LAST_RANKS = np.uint64(0xFF000000000000FF)


@helper("int64(words)")
def impossible(position: Words) -> int:
    """What no game can contain, as far as pieces and castling rooks tell; 0 if one can."""
    for side in range(2):
        own = position[WHITE_PIECES + side]
        kings = position[KING] & own
        if popcount(kings) != 1:
            return KINGS
        if popcount(position[PAWN] & own) > 8:
            return PAWNS
        if popcount(own) > 16:
            return ARMY
        rooks = (position[STATE] >> np.uint64(8 * side)) & _BYTE
        if rooks != _0:
            king = scan(kings)
            west = bit(king & 7) - _1
            missing = rooks & ~((position[words.ROOK] & own) >> np.uint64(56 * side))
            if king >> 3 != 7 * side or missing != _0 or popcount(rooks & west) > 1 or popcount(rooks & ~west) > 1:
                return ROOKS
    if position[PAWN] & _LAST_RANKS != _0:
        return LAST_RANK
    return TOUCHING if king_attacks(scan(position[KING])) & position[KING] != _0 else 0


@helper("int64(words, int64, int64)")
def passing_file(position: Words, side: int, square: int) -> int:
    """The file plus one where a side may capture en passant on a square, 0 where no pawn of it may.

    NO_PAWN where no pawn of the other side can just have moved two squares past it.
    """
    if square >> 3 != 5 - 3 * side:
        return NO_PAWN
    step = 8 - 16 * side  # from the square to where the pawn came from
    occupied = position[WHITE_PIECES] | position[BLACK_PIECES]
    pawn = position[PAWN] & position[BLACK_PIECES - side] & bit(square - step)
    if pawn == _0 or occupied & (bit(square) | bit(square + step)) != _0:
        return NO_PAWN
    capturers = pawn_attacks(bit(square), 1 - side) & position[PAWN] & position[WHITE_PIECES + side]
    while capturers != _0:
        if safe_en_passant(position, side, scan(capturers), square) != 0:
            return (square & 7) + 1
        capturers &= capturers - _1
    return 0


@helper("uint64(words)")
def key_of(position: Words) -> Word:
    """The key of a position from its boards and its state."""
    state = position[STATE]
    key = words.side_key() if words.side_of(state) != 0 else _0
    for piece in range(6):
        for side in range(2):
            left = position[piece] & position[WHITE_PIECES + side]
            while left != _0:
                key ^= words.piece_key(piece, side, scan(left))
                left &= left - _1
    rooks = state & _RIGHTS
    while rooks != _0:
        key ^= words.castling_key(scan(rooks))
        rooks &= rooks - _1
    file = words.en_passant_of(state)
    if file != int64(0):
        key ^= words.en_passant_key(file - 1)
    return key
