"""Shogi positions in 256 bits, of two dialects: PackedSfen, and hcp (Huffman coded position).

Bits go from bit 0 of byte 0 upwards: side to move, the two king squares, the other squares from 1a on, the hands, and
the box of pieces that are in play nowhere. Every piece costs as many bits on the board as in a hand or the box, an
empty square aside, so a set of pieces always fills the 256 bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, at, driver, helper, int64, pointer, table
from evalsmith.games.keys import zobrist
from evalsmith.games.shogi import squares
from evalsmith.games.shogi.movegen.attacks import bit_rows
from evalsmith.games.shogi.movegen.legality import in_check
from evalsmith.games.shogi.squares import (
    BISHOP,
    BOARD_KEY,
    CLASSES,
    COLOURS,
    GOLD,
    HAND_SHIFT,
    HANDS,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED,
    ROOK,
    SET,
    SILVER,
    SQUARES,
    STATE,
    WHITE_PIECE,
    WORDS,
)

HAND_ORDER = (PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK)
_BITS = 256
_BOX = 3  # in place of a colour, among the codes of hands

# ── The codes, first bit leftmost: c stands for the colour, p for promoted ──

_SFEN_CODES = {
    PAWN: ("10pc", "00c", "010"),
    LANCE: ("1100pc", "1000c", "10010"),
    KNIGHT: ("1101pc", "1010c", "10110"),
    SILVER: ("1110pc", "1100c", "11010"),
    GOLD: ("11110c", "1110c", "11011"),
    BISHOP: ("111110pc", "111100c", "1111010"),
    ROOK: ("111111pc", "111110c", "1111110"),
}
_HCP_CODES = {
    PAWN: ("10cp", "00c", "010"),
    LANCE: ("1100cp", "1000c", "10010"),
    KNIGHT: ("1110cp", "1100c", "11010"),
    SILVER: ("1101cp", "1010c", "10110"),
    GOLD: ("11110c", "1110c", "10111"),
    BISHOP: ("111110cp", "111110c", "1111000"),
    ROOK: ("111111cp", "111111c", "1111010"),
}


@dataclass(frozen=True)
class Dialect:
    """The codes of one dialect as rows of numbers: 16 × a code's bits + its length.

    ``board`` is by piece, ``hand`` by 8 × colour (3 for the box) + kind. ``board_of`` and ``hand_of`` are by the next
    eight bits, and give 16 × what they begin with + the length, or 0 where that is nothing.
    """

    board: npt.NDArray[np.int64]
    hand: npt.NDArray[np.int64]
    board_of: npt.NDArray[np.int64]
    hand_of: npt.NDArray[np.int64]


def _dialect(codes: dict[int, tuple[str, str, str]]) -> Dialect:
    board, hand = np.zeros(32, dtype=np.int64), np.zeros(32, dtype=np.int64)
    board[0] = 1  # one bit, 0
    for kind, (on_board, in_hand, in_box) in codes.items():
        for colour in "01":
            for promoted in "01" if "p" in on_board else "0":
                piece = kind + PROMOTED * int(promoted) + WHITE_PIECE * int(colour)
                board[piece] = _number(on_board.replace("c", colour).replace("p", promoted))
            hand[8 * int(colour) + kind] = _number(in_hand.replace("c", colour))
        hand[8 * _BOX + kind] = _number(in_box)
    return Dialect(board, hand, _lookup(board), _lookup(hand))


def _number(code: str) -> int:
    return 16 * int(code[::-1], 2) + len(code)


def _lookup(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    found = np.zeros(256, dtype=np.int64)
    for meaning, code in enumerate(codes.tolist()):
        bits, length = divmod(code, 16)
        if length:
            found[bits :: 1 << length] = 16 * meaning + length
    return found


PACKED_SFEN, HCP = _dialect(_SFEN_CODES), _dialect(_HCP_CODES)

# What can be wrong: the reason, and the byte of the record where it shows.
REASONS = (
    ("", 0),
    ("the two kings are not on two squares of the board", 0),
    ("the bits of the hands are no pieces", 0),
    ("there are more pieces of a kind than a set has", 0),
    ("a side has two pawns on a file", 0),
    ("a pawn, lance or knight could never move again", 0),
    ("the side that is not to move is in check", 0),
)
_KINGS, _HAND, _SET, _DOUBLE, _STUCK, _CHECK = range(1, len(REASONS))

_0, _1, _8, _63, _64, _BYTE = (np.uint64(number) for number in (0, 1, 8, 63, 64, 255))
_16, _32 = np.uint64(16), np.uint64(32)
_WHITE_KEY = np.uint64(zobrist(squares.WHITE_KEY_SEED, 1)[0])
_piece_keys = table("packed.shogi.keys", zobrist(squares.KEY_SEED, 32, SQUARES))
_class_words = table(
    "packed.shogi.classes",
    np.array([CLASSES + 2 * squares.CLASS_OF.get(kind, 4) for kind in range(16)], dtype=np.int64),
)
_hand_shifts = table("packed.shogi.hands", np.array([HAND_SHIFT.get(kind, 0) for kind in range(8)], dtype=np.uint64))
_sets = table("packed.shogi.sets", np.array([SET.get(kind, 0) for kind in range(8)], dtype=np.int64))
_order = table("packed.shogi.order", np.array(HAND_ORDER, dtype=np.int64))
_hand_masks = table(
    "packed.shogi.masks",
    np.array([(1 << squares.HAND_BITS.get(kind, 0)) - 1 for kind in range(8)], dtype=np.uint64),
)


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


@helper("int64(words, int64, int64)", inline=True)
def _put(out: Words, cursor: int, code: int) -> int:
    """Write a code; where the next one goes. Bits beyond the last are let go."""
    length = code & 15
    bits, shift = np.uint64(code >> 4), np.uint64(cursor & 63)
    if cursor < _BITS:
        out[cursor >> 6] |= bits << shift
        if (cursor & 63) + length > 64 and cursor < _BITS - 64:
            out[(cursor >> 6) + 1] |= bits >> (_64 - shift)
    return cursor + length


@helper("int64(words, int64[::1], int64[::1], words, int64[::1])")
def _encode_one(row: Words, board: Integers, hand: Integers, out: Words, left: Integers) -> int:
    """The 256 bits of one position, into four words that are 0; where the last bit went."""
    for kind in range(8):
        left[kind] = _sets()[kind]
    state = row[STATE]
    black_king, white_king = int64((state >> _8) & _BYTE), int64((state >> _16) & _BYTE)
    out[0] = (state & _1) | (np.uint64(black_king) << _1) | (np.uint64(white_king) << _8)
    cursor = 15
    for square in range(SQUARES):
        if square != black_king and square != white_king:
            piece = int64((row[square >> 3] >> np.uint64((square & 7) << 3)) & _BYTE)
            left[piece & 7] -= 1
            cursor = _put(out, cursor, board[piece])
    for side in range(2):
        for place in range(7):
            kind = _order()[place]
            count = int64((row[HANDS] >> (_hand_shifts()[kind] + np.uint64(32 * side))) & _hand_masks()[kind])
            left[kind] -= count
            for _ in range(count):
                cursor = _put(out, cursor, hand[8 * side + kind])
    for place in range(7):
        kind = _order()[place]
        for _ in range(left[kind]):
            cursor = _put(out, cursor, hand[8 * _BOX + kind])
    return cursor


@driver("void(uint64[:, ::1], int64[::1], int64[::1], uint64[:, ::1], int64[::1], int64[::1])")
def encode(words: Words, board: Integers, hand: Integers, out: Words, left: Integers, ends: Integers) -> None:
    """Write positions as rows of four words; ``ends`` gets the number of bits, which is 256 where all is well."""
    rows, packed = pointer(words), pointer(out)
    for row in range(words.shape[0]):
        ends[row] = _encode_one(at(rows, WORDS * row), board, hand, at(packed, 4 * row), left)


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────


@helper("int64(words, int64)", inline=True)
def _peek(packed: Words, cursor: int) -> int:
    """The next eight bits; after the last are zeros."""
    if cursor >= _BITS:
        return 0
    shift = np.uint64(cursor & 63)
    bits = packed[cursor >> 6] >> shift
    if cursor & 63 > 56 and cursor < _BITS - 64:
        bits |= packed[(cursor >> 6) + 1] << (_64 - shift)
    return int64(bits & _BYTE)


@helper("void(words, int64, int64)", inline=True)
def _set_piece(row: Words, piece: int, square: int) -> None:
    row[square >> 3] |= np.uint64(piece) << np.uint64((square & 7) << 3)
    colour, kinds = COLOURS + 2 * (piece >> 4), _class_words()[piece & 15]
    low, high = bit_rows()[2 * square], bit_rows()[2 * square + 1]
    row[colour] |= low
    row[colour + 1] |= high
    row[kinds] |= low
    row[kinds + 1] |= high
    row[BOARD_KEY] ^= _piece_keys()[81 * piece + square]


@helper("int64(int64, int64)", inline=True)
def _stuck(piece: int, square: int) -> int:
    """Whether a piece could never move again."""
    kind, rank = piece & 15, square % 9
    ahead = rank if piece < WHITE_PIECE else 8 - rank
    if kind in (PAWN, LANCE):
        return 1 if ahead < 1 else 0
    return 1 if kind == KNIGHT and ahead < 2 else 0


@helper("int64(words, int64[::1], int64[::1], words, int64[::1])")
def _decode_one(packed: Words, board_of: Integers, hand_of: Integers, row: Words, left: Integers) -> int:
    """One position from its 256 bits, into a row that is 0; 0, or what is wrong."""
    for kind in range(8):
        left[kind] = _sets()[kind]
    side = int64(packed[0] & _1)
    black_king, white_king = _peek(packed, 1) & 127, _peek(packed, 8) & 127
    if black_king >= SQUARES or white_king >= SQUARES or black_king == white_king:
        return _KINGS
    _set_piece(row, KING, black_king)
    _set_piece(row, KING + WHITE_PIECE, white_king)
    cursor, problem = 15, 0
    black_files, white_files = 0, 0
    for square in range(SQUARES):
        if square in (black_king, white_king):
            continue
        code = board_of[_peek(packed, cursor)]
        cursor += code & 15
        piece = code >> 4
        if piece != 0:
            _set_piece(row, piece, square)
            left[piece & 7] -= 1
            if piece & 15 == PAWN:
                file = 1 << (square // 9)
                if (black_files if piece < WHITE_PIECE else white_files) & file != 0:
                    problem = _DOUBLE
                if piece < WHITE_PIECE:
                    black_files |= file
                else:
                    white_files |= file
            if _stuck(piece, square) != 0:
                problem = _STUCK
    while cursor < _BITS:
        code = hand_of[_peek(packed, cursor)]
        cursor += code & 15
        if code == 0:
            return _HAND
        kind, owner = (code >> 4) & 7, code >> 7
        left[kind] -= 1
        if left[kind] >= 0 and owner < 2:
            row[HANDS] += _1 << (_hand_shifts()[kind] + np.uint64(32 * owner))
    if cursor != _BITS:
        return _HAND
    for kind in range(1, 8):
        if left[kind] < 0:
            return _SET
    row[STATE] = np.uint64(side) | (np.uint64(black_king) << _8) | (np.uint64(white_king) << _16) | (_1 << _32)
    if side != 0:
        row[BOARD_KEY] ^= _WHITE_KEY
    if problem == 0 and in_check(row, 1 - side) != 0:
        return _CHECK
    return problem


@driver("void(uint64[:, ::1], int64[::1], int64[::1], uint64[:, ::1], int64[::1], int64[::1])")
def decode(packed: Words, board_of: Integers, hand_of: Integers, words: Words, left: Integers, wrong: Integers) -> None:
    """Make rows of words, which must be 0, from rows of four words; ``wrong`` gets a reason or 0."""
    bits, rows = pointer(packed), pointer(words)
    for record in range(packed.shape[0]):
        wrong[record] = _decode_one(at(bits, 4 * record), board_of, hand_of, at(rows, WORDS * record), left)
