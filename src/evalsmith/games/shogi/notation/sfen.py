"""Shogi positions as SFEN: read from bytes by compiled code, and written.

Whether a game can contain what is read is asked of the game, in bulk. Why a text is no position is said in ``reasons``.
"""

from __future__ import annotations

import re

import numpy as np

from evalsmith.compile import Small, Words, driver, helper, int64, pointer, table
from evalsmith.games.bulk.bulk import VALID
from evalsmith.games.game import Position
from evalsmith.games.shogi.board import LETTERS, board_of, refusal
from evalsmith.games.shogi.bulk import BULK
from evalsmith.games.shogi.notation.reasons import reason_of
from evalsmith.games.shogi.squares import (
    BLACK,
    GOLD,
    HAND_SHIFT,
    HANDS,
    HIGHEST_NUMBER,
    KING,
    PROMOTED,
    SET,
    STATE,
    WHITE,
    WHITE_PIECE,
    WORDS,
)

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

_HAND_ORDER = "RBGSNLP"  # as SFEN writes hands
_BLANK, _TAB, _SLASH, _PLUS, _MINUS, _0, _1, _9, _B, _W = (ord(letter) for letter in " \t/+-019bw")

_pieces_of = np.zeros(128, dtype=np.int64)
for _kind in range(1, KING + 1):
    _pieces_of[ord(LETTERS[_kind])] = _kind
    _pieces_of[ord(LETTERS[_kind].lower())] = _kind | WHITE_PIECE
_pieces = table("shogi.sfen_pieces", _pieces_of)
_sets = table("shogi.sfen_sets", np.array([SET.get(kind, 0) for kind in range(16)], dtype=np.int64))
_shifts = table("shogi.sfen_shifts", np.array([HAND_SHIFT.get(kind, 0) for kind in range(16)], dtype=np.int64))


@helper("int64(small, int64, int64)", inline=True)
def skip_blanks(data: Small, place: int, end: int) -> int:
    """The place of the next letter that is no blank."""
    while place < end and (int64(data[place]) == _BLANK or int64(data[place]) == _TAB):
        place += 1
    return place


@helper("int64(small, int64, int64, words)")
def _board(data: Small, place: int, end: int, row: Words) -> int:
    """Put the pieces of the first field into an empty row; the place after it, -1 where it is no board."""
    file, rank, promoted = 8, 0, 0
    while place < end and int64(data[place]) != _BLANK and int64(data[place]) != _TAB:
        letter = int64(data[place])
        piece = _pieces()[letter] if letter < 128 else int64(0)
        if letter == _SLASH:
            if file != -1 or promoted != 0 or rank == 8:
                return -1
            file, rank = 8, rank + 1
        elif letter == _PLUS:
            promoted = PROMOTED
        elif piece != 0:
            if file < 0 or (promoted != 0 and piece & 15 >= GOLD):
                return -1
            square = 9 * file + rank
            row[square >> 3] |= np.uint64((piece + promoted) << ((square & 7) << 3))
            if piece & 15 == KING:
                row[STATE] |= np.uint64(square << (8 + 8 * (piece >> 4)))
            promoted = 0
            file -= 1
        elif _1 <= letter <= _9 and promoted == 0 and file - (letter - _0) >= -1:
            file -= letter - _0
        else:
            return -1
        place += 1
    return place if rank == 8 and file == -1 and promoted == 0 else -1


@helper("int64(small, int64, int64, words)")
def _hands(data: Small, place: int, end: int, row: Words) -> int:
    """Put what is in hand into the row; the place after the field, -1 where it is none."""
    if place < end and int64(data[place]) == _MINUS:
        return place + 1
    begin, seen = place, 0
    while place < end and int64(data[place]) != _BLANK and int64(data[place]) != _TAB:
        count, digits = 0, 0
        while place < end and _0 <= int64(data[place]) <= _9 and digits < 3:
            count, digits = 10 * count + int64(data[place]) - _0, digits + 1
            place += 1
        count = 1 if digits == 0 else count
        piece = _pieces()[int64(data[place])] if place < end and int64(data[place]) < 128 else int64(0)
        kind = piece & 15
        if kind < 1 or kind > GOLD or count < 1 or count > _sets()[kind] or seen & (1 << piece) != 0:
            return -1
        seen |= 1 << piece
        row[HANDS] |= np.uint64(count << (_shifts()[kind] + 32 * (piece >> 4)))
        place += 1
    return place if place > begin else -1


@helper("int64(small, int64, int64, words)")
def read_sfen(data: Small, place: int, end: int, row: Words) -> int:
    """Read a text into the stored words of an empty row; 0 where it is no SFEN."""
    place = _board(data, place, end, row)
    side = skip_blanks(data, place, end) if place >= 0 else end
    if side + 1 >= end or (int64(data[side]) != _B and int64(data[side]) != _W):
        return 0
    place = skip_blanks(data, side + 1, end)
    if place == side + 1:
        return 0
    after = _hands(data, place, end, row)
    place = skip_blanks(data, after, end) if after >= 0 else end
    if after < 0 or (place == after and place < end):
        return 0
    number, begin = 0, place
    while place < end and _0 <= int64(data[place]) <= _9 and place - begin < 8:
        number = 10 * number + int64(data[place]) - _0
        place += 1
    number = 1 if place == begin else number
    if place < end or number < 1 or number > HIGHEST_NUMBER:
        return 0
    row[STATE] |= np.uint64((number << 32) + (1 if int64(data[side]) == _W else 0))
    return 1


@driver("int64(uint16[::1], uint64[:, ::1])")
def _read(content: Small, rows: Words) -> int:
    return read_sfen(pointer(content), 0, content.shape[0], pointer(rows))


def parse_sfen(sfen: str, text: str) -> Position:
    """A position from its SFEN, which stands in ``text``; a PositionError says what is wrong."""
    content = np.frombuffer(" ".join(sfen.split()).encode("utf-8", "surrogatepass"), dtype=np.uint8).astype(np.uint16)
    rows = np.zeros((1, WORDS), dtype=np.uint64)
    if not _read(content, rows):
        raise refusal(text, reason_of(sfen))
    BULK.restore(rows)
    return rows[0] if BULK.judge(rows)[0] == VALID else board_of(rows[0]).position(text)


def format_sfen(position: Position) -> str:
    """The SFEN."""
    board = board_of(position)
    ranks = []
    for rank in range(9):
        cells = "".join(_letter(board.pieces[9 * file + rank]) for file in range(8, -1, -1))
        ranks.append(re.sub(" +", lambda blanks: str(len(blanks.group())), cells))
    hands = ""
    for side in (BLACK, WHITE):
        for letter in _HAND_ORDER:
            count = board.hands[side][LETTERS.index(letter)]
            if count:
                hands += (str(count) if count > 1 else "") + (letter if side == BLACK else letter.lower())
    return f"{'/'.join(ranks)} {'bw'[board.side]} {hands or '-'} {board.number}"


def _letter(piece: int) -> str:
    if not piece:
        return " "
    kind = piece & 15
    promoted = kind > 8
    letter = LETTERS[kind - PROMOTED if promoted else kind]
    return ("+" if promoted else "") + (letter.lower() if piece & WHITE_PIECE else letter)
