"""Shogi positions from their SFEN texts, many at once: what ``startpos`` and ``sfen …`` begin a line with.

Compiled code reads the texts; whether a game can contain the positions is asked of the game, in bulk. What is written
in another way, or is no position, is left to the game's own reader of texts, which also says what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Small, Words, at, driver, helper, int64, pointer, table
from evalsmith.games import find_game
from evalsmith.games.bulk.bulk import VALID, bulk_of
from evalsmith.games.shogi.board import HIGHEST_NUMBER
from evalsmith.games.shogi.notation import LETTERS
from evalsmith.games.shogi.squares import (
    GOLD,
    HAND_SHIFT,
    HANDS,
    KING,
    PROMOTED,
    SET,
    STATE,
    WHITE_PIECE,
    WORDS,
)
from evalsmith.records.shogi.replay import usual_start

# What a text is.
_OTHER, _USUAL, _SFEN = range(3)

_BLANK, _TAB, _SLASH, _PLUS, _MINUS, _0, _1, _9, _B, _W = (ord(letter) for letter in " \t/+-019bw")
_WORDS = ("position", "sfen", "startpos")
_POSITION, _IS_SFEN, _STARTPOS = range(3)
_WIDTH = 8
_MAILBOX = 11

_pieces_of = np.zeros(128, dtype=np.int64)
for _kind in range(1, KING + 1):
    _pieces_of[ord(LETTERS[_kind])] = _kind
    _pieces_of[ord(LETTERS[_kind].lower())] = _kind | WHITE_PIECE
_pieces = table("records.sfen_pieces", _pieces_of)
_sets = table("records.sfen_sets", np.array([SET.get(kind, 0) for kind in range(16)], dtype=np.int64))
_shifts = table("records.sfen_shifts", np.array([HAND_SHIFT.get(kind, 0) for kind in range(16)], dtype=np.int64))
_words = table(
    "records.sfen_words", np.array([list(word.ljust(_WIDTH, "\0").encode()) for word in _WORDS], dtype=np.int64)
)


@helper("int64(small, int64, int64)", inline=True)
def _skip(data: Small, place: int, end: int) -> int:
    while place < end and (int64(data[place]) == _BLANK or int64(data[place]) == _TAB):
        place += 1
    return place


@helper("int64(small, int64, int64, int64)")
def _behind(data: Small, place: int, end: int, word: int) -> int:
    """The place behind a word and the blanks that follow it; -1 where another one stands there."""
    for letter in range(_WIDTH):
        wanted = _words()[_WIDTH * word + letter]
        if wanted == 0:
            break
        if place >= end or int64(data[place]) != wanted:
            return -1
        place += 1
    behind = _skip(data, place, end)
    return behind if behind > place or place == end else int64(-1)


@helper("int64(small, int64, int64, words)")
def _board(data: Small, place: int, end: int, row: Words) -> int:
    """Put the pieces of the first field into an empty row; the place behind it, -1 where it is no board."""
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
    """Put what is in hand into the row; the place behind the field, -1 where it is none."""
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
def _read(data: Small, place: int, end: int, row: Words) -> int:
    """What a text is, and if it is an SFEN, its stored words in an empty row."""
    behind = _behind(data, place, end, _POSITION)
    place = behind if behind >= 0 else place
    behind = _behind(data, place, end, _STARTPOS)
    if behind == end:
        return _USUAL
    behind = _behind(data, place, end, _IS_SFEN)
    place = _board(data, behind if behind >= 0 else place, end, row)
    side = _skip(data, place, end) if place >= 0 else end
    if side + 1 >= end or (int64(data[side]) != _B and int64(data[side]) != _W):
        return _OTHER
    place = _skip(data, side + 1, end)
    if place == side + 1:
        return _OTHER
    behind = _hands(data, place, end, row)
    place = _skip(data, behind, end) if behind >= 0 else end
    if behind < 0 or (place == behind and place < end):
        return _OTHER
    number, begin = 0, place
    while place < end and _0 <= int64(data[place]) <= _9 and place - begin < 8:
        number = 10 * number + int64(data[place]) - _0
        place += 1
    number = 1 if place == begin else number
    if place < end or number < 1 or number > HIGHEST_NUMBER:
        return _OTHER
    row[STATE] |= np.uint64((number << 32) + (1 if int64(data[side]) == _W else 0))
    return _SFEN


@driver("void(uint16[::1], int64[:, ::1], uint64[:, ::1], int64[::1])")
def _read_all(content: Small, spans: Integers, rows: Words, kinds: Integers) -> None:
    """Read the text of every span into its empty row."""
    data, row = pointer(content), pointer(rows)
    for number in range(spans.shape[0]):
        kinds[number] = _read(data, spans[number, 0], spans[number, 1], at(row, WORDS * number))


@dataclass(frozen=True)
class Starts:
    """Positions by their texts; ``usual`` are those that are the game's own start, ``sure`` those that are read."""

    rows: npt.NDArray[np.uint64]
    usual: npt.NDArray[np.bool_]
    sure: npt.NDArray[np.bool_]


def read_starts(content: npt.NDArray[np.uint16], spans: npt.NDArray[np.int64]) -> Starts:
    """Read the text of every span; where it is not sure, the row is that of the game's own start."""
    rows = np.zeros((len(spans), WORDS), dtype=np.uint64)
    kinds = np.zeros(len(spans), dtype=np.int64)
    _read_all(content, np.ascontiguousarray(spans), rows, kinds)
    sure = kinds == _USUAL
    written = np.flatnonzero(kinds == _SFEN)
    if len(written):
        bulk, found = bulk_of(find_game("shogi")), rows[written]
        bulk.restore(found)
        sure[written] = bulk.judge(found) == VALID
        rows[written] = found
    usual = usual_start()
    rows[(kinds == _USUAL) | ~sure] = usual
    return Starts(rows, (rows == usual).all(axis=1) & sure, sure)
