"""Lines of USI's ``position`` command cut into starts and moves, by one compiled pass over their bytes."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, driver, helper, int64, table
from evalsmith.games.shogi.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.notation import LETTERS
from evalsmith.records.shogi_scan import BEGIN, CLAIMS, FIRST, FULL, GAMES, LINE, REST, REST_LINE, Scan, prepare

# Columns of a game behind those that all formats share; a span is two columns. ENDING is a last word that is no move,
# -1 where there is none; WRONG is such a word before the last.
START, ENDING, WRONG = 3, 5, 7
COLUMNS = 8

_NEWLINE, _RETURN, _BLANK, _TAB, _HASH, _END_OF_FILE = 10, 13, 32, 9, 35, 26
_STAR, _PLUS, _ONE, _SMALL_A, _A = 42, 43, 49, 97, 65
_MOVES = tuple(b"moves")
_WIDTH = len(_MOVES)

_kinds = np.zeros(26, dtype=np.int64)
for _kind in range(1, 8):
    _kinds[ord(LETTERS[_kind]) - _A] = _kind
_letter_kinds = table("records.usi_letters", _kinds)
_moves_word = table("records.usi_moves", np.array(_MOVES, dtype=np.int64))


@helper("int64(uint8[::1], int64)", inline=True)
def _square(data: Integers, place: int) -> int:
    """``7g`` as a square; -1 where it is none."""
    file, rank = int64(data[place]) - _ONE, int64(data[place + 1]) - _SMALL_A
    return -1 if min(file, rank) < 0 or max(file, rank) > 8 else 9 * file + rank


@helper("int64(uint8[::1], int64, int64)", inline=True)
def _claim(data: Integers, place: int, end: int) -> int:
    """``7g7f``, ``8h2b+`` or ``P*5e`` as a claim; -1 where it is no move."""
    width = end - place
    if width != 4 and not (width == 5 and int64(data[place + 4]) == _PLUS):
        return -1
    target = _square(data, place + 2)
    if int64(data[place + 1]) == _STAR:
        letter = int64(data[place]) - _A
        kind = _letter_kinds()[letter] if 0 <= letter < 26 else int64(0)
        origin = DROP + kind if kind > 0 and width == 4 else int64(-1)
    else:
        origin = _square(data, place)
    if target < 0 or origin < 0:
        return -1
    return target + ORIGIN * origin + (PROMOTE if width == 5 else 0)


@helper("int64(uint8[::1], int64)", inline=True)
def _blank(data: Integers, place: int) -> int:
    letter = int64(data[place])
    return 1 if letter in (_BLANK, _TAB) else 0


@helper("int64(uint8[::1], int64, int64)", inline=True)
def _is_moves(data: Integers, place: int, end: int) -> int:
    """Whether the word at a place is ``moves``."""
    if end - place != _WIDTH:
        return 0
    for letter in range(_WIDTH):
        if int64(data[place + letter]) != _moves_word()[letter]:
            return 0
    return 1


@helper("void(uint8[::1], int64, int64, int64[:, ::1], int64[::1], int64[::1], int64[::1])")
def _line(
    data: Integers, place: int, end: int, facts: Integers, totals: Integers, claims: Integers, places: Integers
) -> None:
    """The words of one line: the start up to ``moves``, then moves."""
    row, playing = totals[GAMES], 0
    facts[row, START], facts[row, START + 1] = place, place
    while place < end:
        stop = place
        while stop < end and _blank(data, stop) == 0:
            stop += 1
        if playing == 0:
            if _is_moves(data, place, stop) != 0:
                playing = 1
            else:
                facts[row, START + 1] = stop
        else:
            if facts[row, ENDING] >= 0 and facts[row, WRONG] < 0:
                facts[row, WRONG] = facts[row, ENDING]
            claim = _claim(data, place, stop)
            if claim < 0:
                facts[row, ENDING], facts[row, ENDING + 1] = place, stop
            else:
                claims[totals[CLAIMS]], places[totals[CLAIMS]] = claim, place
                totals[CLAIMS] += 1
        place = stop
        while place < end and _blank(data, place) != 0:
            place += 1


@driver("void(uint8[::1], int64, int64[:, ::1], int64[::1], int64[::1], int64[::1])")
def _scan(data: Integers, line: int, facts: Integers, totals: Integers, claims: Integers, places: Integers) -> None:
    """Go through the lines; every one that is neither empty nor a comment is a game."""
    place, size = 0, data.shape[0]
    while place < size:
        end = place
        while end < size and int64(data[end]) != _NEWLINE and int64(data[end]) != _RETURN:
            end += 1
        following = end + 1
        if following < size and int64(data[end]) == _RETURN and int64(data[following]) == _NEWLINE:
            following += 1
        if end - place >= 3 and int64(data[place]) == 0xEF and int64(data[place + 1]) == 0xBB:
            place += 3
        while place < end and _blank(data, place) != 0:
            place += 1
        if place < end and int64(data[place]) != _HASH and int64(data[place]) != _END_OF_FILE:
            row = totals[GAMES]
            if row == facts.shape[0]:
                totals[FULL], totals[REST], totals[REST_LINE] = 1, place, line
                return
            for column in range(COLUMNS):
                facts[row, column] = -1
            facts[row, BEGIN], facts[row, LINE], facts[row, FIRST] = place, line, totals[CLAIMS]
            _line(data, place, end, facts, totals, claims, places)
            totals[GAMES] += 1
        place = following
        line += 1
    totals[REST], totals[REST_LINE] = size, line


def scan(content: bytes, line: int, last: bool, dropping: bool) -> Scan:
    """Find the games of some whole lines, of which the first is ``line``; none ever goes on in the next lines."""
    data = np.frombuffer(bytearray(content), dtype=np.uint8)
    found = prepare(len(data) // 4 + 2, COLUMNS)
    _scan(data, line, found.facts, found.totals, found.claims, found.places)
    found.times.fill(-1)
    return found.cut()
