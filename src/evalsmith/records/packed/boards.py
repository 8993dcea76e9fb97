"""Chess boards as an occupancy word and a nibble for each occupied square, from the lowest square up.

A nibble is the piece (pawn 0 to king 5, and 6 for a rook that may castle), plus 8 for the second colour; square i of
the occupied ones is in byte i div 2, the even ones in the low half.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, at, driver, helper, int64, lowest, pointer, popcount, scan
from evalsmith.games.chess.legality import checkers
from evalsmith.games.chess.validity import NO_PAWN, ROOKS, impossible, passing_file
from evalsmith.games.chess.words import (
    BISHOP,
    BLACK_PIECES,
    CLOCK_BIT,
    EN_PASSANT_BIT,
    KEY,
    KING,
    KNIGHT,
    NUMBER_BIT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE_BIT,
    STATE,
    WHITE_PIECES,
    WORDS,
    castling_key,
    en_passant_key,
    piece_key,
    side_key,
)

CASTLING_ROOK = 6
NO_SQUARE = 64
# Columns of what a record tells beside its board.
SIDE, PASSING, CLOCK, NUMBER = range(4)
STATE_COLUMNS = 4

# What can be wrong with a record: the reason, and the byte of the record where it shows.
REASONS = (
    ("", 0),
    ("more than 32 squares are occupied", 0),
    ("a nibble is no piece", 8),
    ("a nibble after the last piece is not 0", 8),
    ("a side has not exactly one king", 8),
    ("a side has more than 8 pawns", 8),
    ("a side has more than 16 pieces", 0),
    ("a pawn stands on the first or the last rank", 8),
    ("a rook that may castle is not beside its king on its own rank, or is one of two on a wing", 8),
    ("the kings stand side by side", 8),
    ("the side that is not to move is in check", 8),
    ("no pawn can just have moved past the en passant square", 24),
)
_MANY, _PIECE, _STRAY = range(1, 4)
_FIRST_IMPOSSIBLE = _STRAY  # after it stand the reasons of ``games.chess.validity``, in its order
_CHECK, _PASSING = range(len(REASONS) - 2, len(REASONS))

_0, _1, _8, _16, _32, _56 = (np.uint64(number) for number in (0, 1, 8, 16, 32, 56))
_ODD_BYTES, _ODD_PAIRS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_LAST_RANKS, _RANK = np.uint64(0xFF000000000000FF), np.uint64(0xFF)
_SIDE_SHIFT, _PASSING_SHIFT = np.uint64(SIDE_BIT), np.uint64(EN_PASSANT_BIT)
_CLOCK_SHIFT, _NUMBER_SHIFT = np.uint64(CLOCK_BIT), np.uint64(NUMBER_BIT)


@helper("uint64(uint64)", inline=True)
def _turned(board: Word) -> Word:
    """A board with its ranks the other way up: the bytes of the word in reverse."""
    board = ((board >> _8) & _ODD_BYTES) | ((board & _ODD_BYTES) << _8)
    board = ((board >> _16) & _ODD_PAIRS) | ((board & _ODD_PAIRS) << _16)
    return (board >> _32) | (board << _32)


@driver("void(uint64[:, ::1], int64, int64, uint64[::1], uint8[:, ::1], uint8[:, ::1])")
def encode(words: Words, turning: int, castling: int, occupied: Words, nibbles: Integers, kings: Integers) -> None:
    """Write occupancies, nibbles, which must be 0, and the squares of the kings.

    With ``turning`` the boards and colours are the mover's; with ``castling`` rooks that may castle are marked.
    """
    for row in range(words.shape[0]):
        state = words[row, STATE]
        side = int64((state >> _SIDE_SHIFT) & _1) if turning != 0 else 0
        second = words[row, BLACK_PIECES - side]
        rest = words[row, WHITE_PIECES] | words[row, BLACK_PIECES]
        rooks = (state & _RANK) | (((state >> _8) & _RANK) << _56)
        if side != 0:
            rest, second = _turned(rest), _turned(second)
        if castling == 0:
            rooks = _0
        pawns, knights, bishops = words[row, PAWN], words[row, KNIGHT], words[row, BISHOP]
        straights, queens, both = words[row, ROOK], words[row, QUEEN], words[row, KING]
        if side != 0:
            pawns, knights, bishops = _turned(pawns), _turned(knights), _turned(bishops)
            straights, queens, both = _turned(straights), _turned(queens), _turned(both)
        occupied[row] = rest
        kings[row, 0], kings[row, 1] = np.uint8(scan(both & ~second)), np.uint8(scan(both & second))
        item = 0
        while rest != _0 and item < 32:
            place = lowest(rest)
            code = KING
            if pawns & place != _0:
                code = PAWN
            elif straights & place != _0:
                code = CASTLING_ROOK if rooks & place != _0 else ROOK
            elif knights & place != _0:
                code = KNIGHT
            elif bishops & place != _0:
                code = BISHOP
            elif queens & place != _0:
                code = QUEEN
            if second & place != _0:
                code += 8
            nibbles[row, item >> 1] |= np.uint8(code << (4 * (item & 1)))
            rest ^= place
            item += 1


@helper("int64(uint64, uint8[:, ::1], int64, int64, words)")
def _place(occupied: Word, nibbles: Integers, record: int, castling: int, row: Words) -> int:
    """Put the pieces onto an empty row, their key and the castling rooks too; 0, or what is wrong."""
    if popcount(occupied) > 32:
        return _MANY
    rest, item, key = occupied, 0, _0
    while rest != _0:
        place = lowest(rest)
        code = (int64(nibbles[record, item >> 1]) >> (4 * (item & 1))) & 15
        piece, side = code & 7, code >> 3
        if piece > (CASTLING_ROOK if castling != 0 else KING):
            return _PIECE
        square = scan(place)
        if piece == CASTLING_ROOK:
            piece = ROOK
            if square >> 3 != 7 * side:
                return _FIRST_IMPOSSIBLE + ROOKS
            row[STATE] |= _1 << np.uint64((square & 7) + 8 * side)
            key ^= castling_key((square & 7) + 8 * side)
        row[piece] |= place
        row[WHITE_PIECES + side] |= place
        key ^= piece_key(piece, side, square)
        rest ^= place
        item += 1
    while item < 32:
        if (int64(nibbles[record, item >> 1]) >> (4 * (item & 1))) & 15 != 0:
            return _STRAY
        item += 1
    row[KEY] = key
    return 0


@driver("void(uint64[::1], uint8[:, ::1], int64[:, ::1], int64, uint64[:, ::1], int64[::1])")
def decode(occupied: Words, nibbles: Integers, state: Integers, castling: int, words: Words, wrong: Integers) -> None:
    """Make rows of words, which must be 0, from boards and the state beside them; ``wrong`` gets a reason or 0."""
    base = pointer(words)
    for record in range(occupied.shape[0]):
        row = at(base, WORDS * record)
        code = _place(occupied[record], nibbles, record, castling, row)
        if code == 0:
            code = impossible(row)
            code = _FIRST_IMPOSSIBLE + code if code != 0 else code
        if code == 0:
            side = state[record, SIDE]
            row[STATE] |= np.uint64(side) << _SIDE_SHIFT
            row[STATE] |= np.uint64(state[record, CLOCK]) << _CLOCK_SHIFT
            row[STATE] |= np.uint64(state[record, NUMBER]) << _NUMBER_SHIFT
            if side != 0:
                row[KEY] ^= side_key()
            if checkers(row, 1 - side) != _0:
                code = _CHECK
            elif state[record, PASSING] != NO_SQUARE:
                file = passing_file(row, side, state[record, PASSING])
                if file == NO_PAWN:
                    code = _PASSING
                elif file != 0:
                    row[STATE] |= np.uint64(file) << _PASSING_SHIFT
                    row[KEY] ^= en_passant_key(file - 1)
        wrong[record] = code
