"""Chess positions as Forsyth–Edwards notation, with Shredder and X-FEN castling for Chess960.

What is written: the six fields, en passant only where a pawn may capture that way, castling as ``KQkq``
when kings and rooks stand where ordinary chess has them, otherwise as the files of the rooks (``HAha``).
What is read, by compiled code: also X-FEN (``K`` is the outermost rook on that wing), any en passant square behind a
pawn that may just have moved two squares, and texts that end before the clocks. In files, fields may end before ``;``,
``|``, ``[`` and ``,`` too, since lists of positions go on in that way behind them.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, driver, helper, int64, pointer, scan, scan_reverse, table
from evalsmith.games.chess.attacks import bit
from evalsmith.games.chess.board import is_chess960, make, pieces, square_name, squares_of
from evalsmith.games.chess.legality import checkers
from evalsmith.games.chess.notation.letters import BLANK, PADDING, STOP, buffer_of, class_of, is_digit
from evalsmith.games.chess.notation.reasons import refusal
from evalsmith.games.chess.validity import NO_PAWN, impossible, key_of, passing_file
from evalsmith.games.chess.words import (
    BLACK,
    CLOCK_BIT,
    EN_PASSANT_BIT,
    KEY,
    KING,
    MAX_CLOCK,
    MAX_NUMBER,
    NUMBER_BIT,
    ROOK,
    SIDE_BIT,
    STATE,
    WHITE,
    WHITE_PIECES,
    WORDS,
)
from evalsmith.games.game import Position

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_START_BOARDS = (
    0x00FF00000000FF00, 0x4200000000000042, 0x2400000000000024, 0x8100000000000081, 0x0800000000000008,
    0x1000000000000010, 0x000000000000FFFF, 0xFFFF000000000000,
)  # fmt: skip
_START_STATE = 1 << NUMBER_BIT | 0x8181  # move 1, four rooks that may castle

# What is wrong with a text.
BOARD, PIECES, SIDE, CHECK, CASTLING, PASSING, CLOCK, NUMBER, BEHIND = range(1, 10)
REFUSED, ABSENT = -1, -2

_0, _1, _BYTE = np.uint64(0), np.uint64(1), np.uint64(0xFF)
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
    if end - begin != 2 or not (_SMALL_A <= text[begin] <= _SMALL_H and _ONE <= text[begin + 1] <= _EIGHT):
        return REFUSED
    square = int64(text[begin]) - _SMALL_A + 8 * (int64(text[begin + 1]) - _ONE)
    file = passing_file(position, side, square)
    return REFUSED if file == NO_PAWN else file


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


@helper("int64(uint8[::1], int64, int64, words)")
def read_fen(text: Integers, begin: int, end: int, position: Words) -> int:
    """Read a position and give where its text ends, or minus what is wrong: BOARD, PIECES, SIDE …

    Board and side to move must be there. A word behind en passant that is no number belongs to what follows.
    """
    i = _next_field(text, begin, end)
    stop = _field_end(text, i, end)
    if _read_board(text, i, stop, position) == 0:
        return -BOARD
    if impossible(position) != 0:
        return -PIECES
    i = _next_field(text, stop, end)
    stop = _field_end(text, i, end)
    if stop - i != 1 or (text[i] != _SMALL_W and text[i] != _SMALL_B):
        return -SIDE
    side = 1 if text[i] == _SMALL_B else 0
    if checkers(position, 1 - side) != _0:
        return -CHECK
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
    if rights < 0:
        return -CASTLING
    if file < 0:
        return -PASSING
    if clock == REFUSED or number == REFUSED:
        return -CLOCK if clock == REFUSED else -NUMBER
    clock, number = max(clock, 0), max(number, 1)
    state = np.uint64(rights) | np.uint64(side) * _SIDE | np.uint64(clock) << _CLOCK | np.uint64(number) << _NUMBER
    position[STATE] = state | np.uint64(file) << _PASSING
    position[KEY] = key_of(position)
    return stop


@driver("int64(uint8[::1], int64, uint64[::1])")
def _read(text: Integers, end: int, position: Words) -> int:
    return read_fen(text, 0, end, pointer(position))


def parse_fen(text: str) -> Position:
    """A position from its FEN; ``start`` is the initial position."""
    words = text.split()
    if len(words) == 1 and words[0].lower() in ("start", "startpos"):
        return start()
    wrong, position = judge(words)
    if wrong:
        raise refusal(text, wrong, position)
    return position


def judge(words: list[str]) -> tuple[int, Position]:
    """What is wrong with the fields of a text, or 0; and the position, as far as it was read."""
    position = np.zeros(WORDS, dtype=np.uint64)
    content = buffer_of(" ".join(words))
    size = len(content) - PADDING
    end = _read(content, size, position)
    return (-end if end < 0 else 0 if end == size else BEHIND), position


def start() -> Position:
    """The initial position."""
    return make(list(_START_BOARDS), _START_STATE)


def format_fen(position: Position) -> str:
    """The FEN of a position."""
    state = int(position[STATE])
    file = state >> EN_PASSANT_BIT & 15
    side = state >> SIDE_BIT & 1
    passing = square_name(file - 1 + (16 if side else 40)) if file else "-"
    clock, number = state >> CLOCK_BIT & 0xFFFF, state >> NUMBER_BIT
    return f"{_board_text(position)} {'wb'[side]} {_castling_text(position)} {passing} {clock} {number}"


def _board_text(position: Position) -> str:
    placed = pieces(position)
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(placed.get(8 * rank + file, " ") for file in range(8))
        for empty in range(8, 0, -1):
            row = row.replace(" " * empty, str(empty))
        rows.append(row)
    return "/".join(rows)


def _castling_text(position: Position) -> str:
    state, shredder = int(position[STATE]), is_chess960(position)
    text = ""
    for side in (WHITE, BLACK):
        files = [file for file in range(7, -1, -1) if state >> 8 * side & 1 << file]
        king = squares_of(int(position[KING]) & int(position[WHITE_PIECES + side]))[0] % 8
        letters = "".join("abcdefgh"[file] if shredder else ("k" if file > king else "q") for file in files)
        text += letters.upper() if side == WHITE else letters
    return text or "-"
