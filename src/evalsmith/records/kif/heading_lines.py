"""The lines above the moves of KIF, sorted by compiled code: which value stands where.

Most games need no more than the spans of a few values. What else may stand there, a board above all, is left to
``heading``.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Small, helper, int64, table
from evalsmith.games.shogi.notation.letters import (
    BAR,
    BEGINNINGS,
    CLOSES,
    FIRST_KEY,
    KEYS,
    MINUS,
    OTHER,
    PLUS,
    POINTS,
    SPACE,
    SQUARE,
    START_WORD,
    ZERO,
    letter_at,
    skip,
    spelt,
)
from evalsmith.records.record import UNKNOWN
from evalsmith.records.shogi.lines import SHARED

# Columns of a game. A span is two columns, its begin and its end; -1 where it is missing. COMPLEX says that the spans
# of values are not all there is to the heading.
# BLACK_RATING and WHITE_RATING are the numbers in brackets after the names, UNKNOWN where there is none, and
# UNSURE_RATING where a bracket ends the name in which something else may stand.
HEADING, BLACK_NAME, WHITE_NAME, HANDICAP, EVENT, TITLE, DATE, MEETING, DAY, CLOCK = range(SHARED, SHARED + 20, 2)
COMPLEX, BLACK_RATING, WHITE_RATING = range(SHARED + 20, SHARED + 23)
HEADING_COLUMNS = SHARED + 23
UNSURE_RATING = -2

_OPEN, _CLOSE, _0, _9, _R, _SMALL_R = (ord(letter) for letter in "()09Rr")
_MAX_DIGITS = 4
_NAMES = 4  # keys that are names; of these the last one counts, of others the first
_KEY_WIDTH = 24  # letters; the longest key that is looked for
_columns = table(
    "records.kif_columns",
    np.array(
        [BLACK_NAME, BLACK_NAME, WHITE_NAME, WHITE_NAME, HANDICAP, EVENT, TITLE, DATE, MEETING, DAY, CLOCK],
        dtype=np.int64,
    ),
)


@helper("int64(small, int64, int64, int64)")
def has_key(data: Small, place: int, end: int, code: int) -> int:
    """Whether a line has a key and a colon."""
    for _ in range(_KEY_WIDTH):
        seen = letter_at(data, place, end, code)
        if seen & 255 == POINTS:
            return 1
        if seen >> 8 == 0 or seen & 255 == BAR:
            return 0
        place += seen >> 8
    return 0


@helper("int64(small, int64, int64, int64)")
def begins_game(data: Small, place: int, end: int, code: int) -> int:
    """Whether a line has a key that stands only above moves, so that a new game begins with it."""
    if has_key(data, place, end, code) == 0:
        return 0
    for word in range(FIRST_KEY, BEGINNINGS):
        if spelt(data, place, end, code, word) >= 0:
            return 1
    return 0


@helper("int64(small, int64, int64, int64)")
def opens_heading(data: Small, place: int, end: int, code: int) -> int:
    """Whether a line where no game is open begins one: with a key, or with a board."""
    seen = letter_at(data, place, end, code)
    following = letter_at(data, place + (seen >> 8), end, code) & 255
    board = seen & 255 == BAR or (seen & 255 == PLUS and following == MINUS)
    return 1 if board or has_key(data, place, end, code) != 0 else 0


@helper("int64(small, int64, int64, int64)")
def _rating_at(data: Small, place: int, end: int, code: int) -> int:
    """The rating after a name, as ``(R1500)`` or ``(1500)``; a bare number that could be a year is not sure."""
    here, last, final = place, int64(SPACE), place
    while here < end:
        seen = letter_at(data, here, end, code)
        here += seen >> 8
        if seen & 255 != SPACE:
            last, final = seen & 255, here
    if last not in (CLOSES, SQUARE):
        return UNKNOWN
    end = final
    if int64(data[end - 1]) != _CLOSE:
        return UNSURE_RATING
    rating, digits, scale, here = 0, 0, 1, end - 2
    while here > place and _0 <= int64(data[here]) <= _9 and digits < _MAX_DIGITS:
        rating += scale * (int64(data[here]) - _0)
        scale *= 10
        digits += 1
        here -= 1
    named = here > place and int64(data[here]) in (_R, _SMALL_R)
    if digits < _MAX_DIGITS - 1 or int64(data[here - 1 if named else here]) != _OPEN:
        return UNSURE_RATING
    return UNSURE_RATING if not named and rating // 100 in (19, 20) else rating


@helper("void(small, int64, int64, int64, integers)")
def heading_line(data: Small, place: int, end: int, code: int, game: Integers) -> None:
    """Note where the value of a line is, or that Python has to look at it."""
    game[HEADING + 1] = end
    for key in range(KEYS):
        after = spelt(data, place, end, code, FIRST_KEY + key)
        if after >= 0:
            after = skip(data, after, end, code)
            seen = letter_at(data, after, end, code)
            if seen & 255 == POINTS:
                column = _columns()[key]
                if key < _NAMES or game[column] < 0:
                    game[column], game[column + 1] = after + (seen >> 8), end
                if key < _NAMES:
                    game[BLACK_RATING + key // 2] = _rating_at(data, after + (seen >> 8), end, code)
                return
            if key < _NAMES:
                game[COMPLEX] = 1
    letter = letter_at(data, place, end, code) & 255
    plain = letter in (PLUS, MINUS) or (OTHER < letter <= ZERO)
    if not plain and (has_key(data, place, end, code) == 0 or letter == POINTS):
        game[COMPLEX] = 1
    elif spelt(data, place, end, code, START_WORD) >= 0:
        game[COMPLEX] = int64(1)
