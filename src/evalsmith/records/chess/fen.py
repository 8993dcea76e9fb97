"""Positions of chess out of bytes: FEN read by compiled code, for files with very many of them.

It takes and refuses what ``games.chess.fen.parse_fen`` does, which also has the words for why; fields may end before
``;``, ``|``, ``[`` and ``,`` too, since lists of positions go on in that way behind them.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, helper, int64, lowest, popcount, scan, scan_reverse, table
from evalsmith.games.chess.attacks import bit, king_attacks, pawn_attacks
from evalsmith.games.chess.legality import checkers, safe_en_passant
from evalsmith.games.chess.words import (
    BLACK_PIECES,
    CLOCK_BIT,
    EN_PASSANT_BIT,
    KEY,
    KING,
    MAX_CLOCK,
    MAX_NUMBER,
    NUMBER_BIT,
    PAWN,
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
from evalsmith.records.chess.bytes import BLANK, STOP, class_of, is_digit

REFUSED, ABSENT = -1, -2

_0, _1, _BYTE, _CASTLES = np.uint64(0), np.uint64(1), np.uint64(0xFF), np.uint64(0xFFFF)
_LAST_RANKS = np.uint64(0xFF000000000000FF)
_SIDE, _PASSING = np.uint64(1 << SIDE_BIT), np.uint64(EN_PASSANT_BIT)
_CLOCK, _NUMBER = np.uint64(CLOCK_BIT), np.uint64(NUMBER_BIT)

# 2·piece + side for the letters of pieces, −1 for all others.
_PLACED = np.full(256, -1, dtype=np.int64)
_PLACED[[ord(letter) for letter in "PpNnBbRrQqKk"]] = range(12)
_placed = table("chess_fen.placed", _PLACED)

_SLASH, _DASH, _ONE, _EIGHT, _ZERO, _DOT, _SMALL_W, _SMALL_B = (ord(letter) for letter in "/-180.wb")
_SMALL_A, _SMALL_H, _SMALL_K, _SMALL_Q = (ord(letter) for letter in "ahkq")
_CASE = 32  # the bit that makes a letter small


@helper("int64(uint8[::1], int64, int64)", inline=True)
def _field_end(text: Integers, begin: int, end: int) -> int:
    i = begin
    while i < end and class_of(int64(text[i])) != BLANK and class_of(int64(text[i])) != STOP:
        i += 1
    return i


@helper("int64(uint8[::1], int64, int64)", inline=True)
def _next_field(text: Integers, begin: int, end: int) -> int:
    i = begin
    while i < end and class_of(int64(text[i])) == BLANK:
        i += 1
    return i


@helper("int64(uint8[::1], int64, int64, words)")
def _read_board(text: Integers, begin: int, end: int, position: Words) -> int:
    """The eight boards; 0 where the ranks and squares are not 64."""
    for i in range(WORDS):
        position[i] = _0
    rank, file = 7, 0
    for i in range(begin, end):
        letter = int64(text[i])
        if letter == _SLASH:
            if file != 8 or rank == 0:
                return 0
            rank, file = rank - 1, 0
        elif _ONE <= letter <= _EIGHT:
            file += letter - _ZERO
        else:
            placed = _placed()[letter]
            if placed < 0 or file > 7:
                return 0
            square = bit(8 * rank + file)
            position[placed >> 1] |= square
            position[WHITE_PIECES + (placed & 1)] |= square
            file += 1
    return 1 if rank == 0 and file == 8 else 0


@helper("int64(words)")
def _countable(position: Words) -> int:
    """Whether each side has one king, at most 8 pawns and 16 pieces, and no pawn stands on a last rank."""
    if position[PAWN] & _LAST_RANKS != _0:
        return 0
    for side in range(2):
        own = position[WHITE_PIECES + side]
        if popcount(position[KING] & own) != 1 or popcount(position[PAWN] & own) > 8 or popcount(own) > 16:
            return 0
    first = scan(position[KING])
    return 1 if king_attacks(first) & position[KING] == _0 else 0


@helper("int64(uint8[::1], int64, int64, words)")
def _read_castling(text: Integers, begin: int, end: int, position: Words) -> int:
    """The castling rooks as the low 16 bits of the state, or REFUSED."""
    rights = 0
    if end - begin == 1 and text[begin] == _DASH:
        return rights
    for i in range(begin, end):
        letter = int64(text[i])
        side, kind = (1 if letter & _CASE != 0 else 0), letter | _CASE
        own = position[WHITE_PIECES + side]
        king = scan(position[KING] & own)
        if letter > 127 or king >> 3 != 7 * side:
            return REFUSED
        rooks = (position[ROOK] & own) >> np.uint64(56 * side) & _BYTE
        column = king & 7
        west = rooks & (bit(column) - _1)
        east = rooks & ~(bit(column + 1) - _1)
        found = -1
        if kind == _SMALL_K:
            found = scan_reverse(east)
        elif kind == _SMALL_Q:
            found = scan(west) if west != _0 else -1
        elif _SMALL_A <= kind <= _SMALL_H and rooks & bit(kind - _SMALL_A) != _0:
            found = kind - _SMALL_A
        if found < 0 or found == column:
            return REFUSED
        wing = int64(east) if found > column else int64(west)
        if (rights >> (8 * side)) & wing != 0:
            return REFUSED
        rights |= 1 << (found + 8 * side)
    return rights


@helper("int64(uint8[::1], int64, int64, words, int64)")
def _read_passing(text: Integers, begin: int, end: int, position: Words, side: int) -> int:
    """The file of en passant plus one, 0 for none, or REFUSED where no pawn can just have moved two squares."""
    if end - begin == 1 and text[begin] == _DASH:
        return 0
    if end - begin != 2 or not (_SMALL_A <= text[begin] <= _SMALL_H):
        return REFUSED
    rank = 5 if side == 0 else 2
    if int64(text[begin + 1]) != _ONE + rank:
        return REFUSED
    file = int64(text[begin]) - _SMALL_A
    square, step = 8 * rank + file, -8 if side == 0 else 8
    pawn = position[PAWN] & position[BLACK_PIECES - side] & bit(square + step)
    occupied = position[WHITE_PIECES] | position[BLACK_PIECES]
    if pawn == _0 or occupied & (bit(square) | bit(square - step)) != _0:
        return REFUSED
    return file + 1


@helper("int64(uint8[::1], int64, int64, int64)")
def _read_count(text: Integers, begin: int, end: int, most: int) -> int:
    """A number of at most six digits and at most ``most``, or REFUSED; ABSENT where it is none or goes on as ``.5``."""
    if begin == end or text[end] == _DOT:
        return ABSENT
    number = 0
    for i in range(begin, end):
        if is_digit(int64(text[i])) == 0:
            return ABSENT
        number = min(10 * number + int64(text[i]) - _ZERO, 10 * MAX_NUMBER)
    return number if number <= most and end - begin <= 6 else REFUSED


@helper("void(words)")
def _finish(position: Words) -> None:
    """The key of a position whose other words are there."""
    state, key = position[STATE], _0
    for piece in range(6):
        for side in range(2):
            left = position[piece] & position[WHITE_PIECES + side]
            while left != _0:
                key ^= piece_key(piece, side, scan(left))
                left &= left - _1
    if state & _SIDE != _0:
        key ^= side_key()
    rooks = state & _CASTLES
    while rooks != _0:
        key ^= castling_key(scan(rooks))
        rooks &= rooks - _1
    file = int64((state >> _PASSING) & np.uint64(15))
    if file != 0:
        key ^= en_passant_key(file - 1)
    position[KEY] = key


@helper("int64(words, int64, int64)")
def _can_pass(position: Words, side: int, file: int) -> int:
    """Whether a pawn may legally capture en passant on a file."""
    target = file - 1 + (40 if side == 0 else 16)
    capturers = pawn_attacks(bit(target), 1 - side) & position[PAWN] & position[WHITE_PIECES + side]
    while capturers != _0:
        if safe_en_passant(position, side, scan(capturers), target) != 0:
            return 1
        capturers ^= lowest(capturers)
    return 0


@helper("int64(uint8[::1], int64, int64, words)")
def read_fen(text: Integers, begin: int, end: int, position: Words) -> int:
    """Read a position and give where its text ends, or REFUSED.

    Board and side to move must be there. A word behind en passant that is no number belongs to what follows.
    """
    i = _next_field(text, begin, end)
    stop = _field_end(text, i, end)
    if _read_board(text, i, stop, position) == 0 or _countable(position) == 0:
        return REFUSED
    i = _next_field(text, stop, end)
    stop = _field_end(text, i, end)
    if stop - i != 1 or (text[i] != _SMALL_W and text[i] != _SMALL_B):
        return REFUSED
    side = 1 if text[i] == _SMALL_B else 0
    if checkers(position, 1 - side) != _0:
        return REFUSED
    rights, file, clock, number = 0, 0, 0, 1
    i = _next_field(text, stop, end)
    behind = _field_end(text, i, end)
    if behind > i:
        stop, rights = behind, _read_castling(text, i, behind, position)
        i = _next_field(text, stop, end)
        behind = _field_end(text, i, end)
        if behind > i:
            stop, file = behind, _read_passing(text, i, behind, position, side)
            i = _next_field(text, stop, end)
            behind = _field_end(text, i, end)
            clock = _read_count(text, i, behind, MAX_CLOCK)
            if clock != ABSENT:
                stop, i = behind, _next_field(text, behind, end)
                behind = _field_end(text, i, end)
                number = _read_count(text, i, behind, MAX_NUMBER)
                stop = behind if number != ABSENT else stop
    if rights < 0 or file < 0 or clock == REFUSED or number == REFUSED:
        return REFUSED
    clock, number = max(clock, 0), max(number, 1)
    state = np.uint64(rights) | np.uint64(side) * _SIDE | np.uint64(clock) << _CLOCK | np.uint64(number) << _NUMBER
    if file != 0 and _can_pass(position, side, file) != 0:
        state |= np.uint64(file) << _PASSING
    position[STATE] = state
    _finish(position)
    return stop
