"""The words of CSA, read from bytes by compiled code: moves, times, ratings and scores."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Small, helper, int64, table
from evalsmith.records.record import UNKNOWN

BLANK, TAB, PLUS, MINUS, POINT, COLON = 32, 9, 43, 45, 46, 58
_ZERO = 48
_MAX_DIGITS = 9
# What stands for a mate in scores; a larger one means the same.
MAX_SCORE = 30_000

_WIDTH = 16
WORDS = ("EVENT:", "START_TIME:", "TIME_LIMIT:", "TIME:", "black_rate:", "white_rate:", "summary:")
EVENT_WORD, DATE_WORD, LIMIT_WORD, CLOCK_WORD, BLACK_WORD, WHITE_WORD, SUMMARY_WORD = range(len(WORDS))


def _letters() -> npt.NDArray[np.int64]:
    rows = np.zeros((len(WORDS), _WIDTH), dtype=np.int64)
    for row, word in zip(rows, WORDS, strict=True):
        row[: len(word)] = list(word.encode())
    return rows


_word_rows = table("records.csa_words", _letters())


@helper("int64(small, int64, int64, int64)")
def begins(data: Small, place: int, end: int, word: int) -> int:
    """How long a word is that stands at a place; 0 where it does not."""
    length = 0
    while _word_rows()[_WIDTH * word + length] != 0:
        if place + length >= end or int64(data[place + length]) != _word_rows()[_WIDTH * word + length]:
            return 0
        length += 1
    return length


@helper("int64(small, int64, int64, int64)", inline=True)
def number_of(data: Small, place: int, end: int, decimals: int) -> int:
    """A number without sign, times ten to the ``decimals``, rounded down; -1 where it is none."""
    value, digits, after = 0, 0, -1
    while place < end:
        letter = int64(data[place])
        digit = letter - _ZERO
        if letter == POINT and after < 0:
            after = 0
        elif digit < 0 or digit > 9:
            break
        elif after < 0:
            value, digits = 10 * value + digit, digits + 1
        elif after < decimals:
            value, after = 10 * value + digit, after + 1
        if digits > _MAX_DIGITS:
            return -1
        place += 1
    if digits == 0:
        return -1
    while place < end:
        if int64(data[place]) != BLANK and int64(data[place]) != TAB:
            return -1
        place += 1
    for _ in range(max(after, 0), decimals):
        value *= 10
    return value


@helper("int64(small, int64, int64)")
def rating_of(data: Small, place: int, end: int) -> int:
    """The number after the last colon, rounded; UNKNOWN where there is none."""
    for at in range(place, end):
        if int64(data[at]) == COLON:
            place = at + 1
    sign = -1 if place < end and int64(data[place]) == MINUS else 1
    tenths = number_of(data, place + 1 if sign < 0 else place, end, 1)
    return UNKNOWN if tenths < 0 or tenths > 1_000_000 else sign * ((tenths + 5) // 10)


@helper("int64(small, int64, int64)")
def score_of(data: Small, place: int, end: int) -> int:
    """The whole number that a text begins with, for black; UNKNOWN where there is none."""
    while place < end and int64(data[place]) == BLANK:
        place += 1
    sign = 1
    if place < end and (int64(data[place]) == MINUS or int64(data[place]) == PLUS):
        sign = -1 if int64(data[place]) == MINUS else 1
        place += 1
    value, digits = 0, 0
    while place < end:
        digit = int64(data[place]) - _ZERO
        if digit < 0 or digit > 9:
            break
        value, digits = min(10 * value + digit, 100 * MAX_SCORE), digits + 1
        place += 1
    if digits == 0 or (place < end and int64(data[place]) != BLANK and int64(data[place]) != TAB):
        return UNKNOWN
    return sign * min(value, MAX_SCORE)
