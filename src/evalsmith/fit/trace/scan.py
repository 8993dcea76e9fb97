"""The compiled pass over the rows of a CSV trace, from bytes to numbers.

A row has the fields that the header names. The pass lays down rows while there is room and stops at the first fault:
Python then says what is wrong with the field.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Reals, driver, helper, int64
from evalsmith.games.keys import mix

PADDING = 64  # zero bytes behind the text, so that a reader may look ahead

# What a field holds, by its place in the header.
IGNORED, RESULT, SCORE, PHASE, EVALUATION, GAME, FEATURES = range(7)

# Numbers that go in and come out of a pass.
(
    FROM, TO, FINAL, LINES, FIELDS, SIZE, ROWS, ENTRIES, FAULT, FAULT_LINE, FAULT_BEGIN, FAULT_END, FAULT_ROLE,
    SPLIT, NEEDS_EVALUATION,
) = range(15)  # fmt: skip
STATE_SIZE = 15

# Faults.
(
    NO_FAULT, NOT_NUMBER, NOT_RESULT, OUT_OF_PHASE, BAD_ENTRY, NO_SUCH_INDEX, FEW_FIELDS, MANY_FIELDS, MISSING,
    NO_VALUE, CUT, SECOND_HEADER,
) = range(12)  # fmt: skip

_NEWLINE, _RETURN, _COMMA, _COLON, _SPACE, _TAB, _QUOTE, _HASH = (ord(letter) for letter in '\n\r,: \t"#')
_PLUS, _MINUS, _DOT, _ZERO, _NINE, _SMALL_E, _BIG_E, _STAR, _SLASH = (ord(letter) for letter in "+-.09eE*/")
_MOST = 10**16  # further digits of a number change nothing that counts
_POSITIVE = np.uint64((1 << 63) - 1)


@helper("int64(int64)", inline=True)
def _digit(letter: int) -> int:
    return 1 if _ZERO <= letter <= _NINE else 0


@helper("int64(uint8[::1], int64, int64, float64[::1])", floats=True)
def read_number(text: Integers, begin: int, end: int, out: Reals) -> int:
    """A decimal number into ``out[0]``, and where it ends; -1 where there is none."""
    i, sign = begin, 1.0
    if i < end and (text[i] == _MINUS or text[i] == _PLUS):
        sign = -1.0 if text[i] == _MINUS else 1.0
        i += 1
    whole, digits, power, point = int64(0), 0, 0, 0
    while i < end and (_digit(int64(text[i])) != 0 or (text[i] == _DOT and point == 0)):
        if text[i] == _DOT:
            point = 1
        else:
            digits += 1
            if whole < _MOST:
                whole = 10 * whole + int64(text[i]) - _ZERO
                power -= point
            else:
                power += 1 - point
        i += 1
    if digits == 0:
        return -1
    if i < end and (text[i] == _SMALL_E or text[i] == _BIG_E):
        i += 1
        turn = 1
        if i < end and (text[i] == _MINUS or text[i] == _PLUS):
            turn = -1 if text[i] == _MINUS else 1
            i += 1
        exponent, first = 0, i
        while i < end and _digit(int64(text[i])) != 0:
            exponent = min(10 * exponent + int64(text[i]) - _ZERO, 1000)
            i += 1
        if i == first:
            return -1
        power += turn * exponent
    value, ten = float(whole), 1.0
    for _ in range(min(abs(power), 400)):
        ten *= 10.0
    out[0] = sign * (value / ten if power < 0 else value * ten)
    return i


@helper("int64(uint8[::1], int64, int64, float64[::1])", floats=True)
def _read_result(text: Integers, begin: int, end: int, out: Reals) -> int:
    """A result for White: 1, 0.5, 0, 1-0, 1/2-1/2, 0-1; the same answers as ``read_number``."""
    size = end - begin
    if size == 3 and text[begin + 1] == _MINUS:
        if text[begin] == _ZERO + 1 and text[begin + 2] == _ZERO:
            out[0] = 1.0
            return end
        if text[begin] == _ZERO and text[begin + 2] == _ZERO + 1:
            out[0] = 0.0
            return end
    if size == 7 and text[begin + 1] == _SLASH and text[begin + 3] == _MINUS and text[begin + 5] == _SLASH:
        out[0] = 0.5
        return end
    return read_number(text, begin, end, out)


@helper("int64(uint8[::1], int64, int64)")
def _read_game(text: Integers, begin: int, end: int) -> int:
    """What tells games apart: a number as it stands, and of another name a hash."""
    number, i = int64(0), begin
    while i < end and i - begin < 18 and _digit(int64(text[i])) != 0:
        number = 10 * number + int64(text[i]) - _ZERO
        i += 1
    if i == end:
        return number
    word = np.uint64(0)
    for j in range(begin, end):
        word = mix(word, np.uint64(text[j]))
    return int64(word & _POSITIVE)


@helper("int64(uint8[::1], int64, int64)")
def _field_end(text: Integers, begin: int, end: int) -> int:
    """Where a field ends: at the comma behind it, or at the end of the line. Quotes may hold commas."""
    i = begin
    if i < end and text[i] == _QUOTE:
        i += 1
        while i < end and not (text[i] == _QUOTE and text[i + 1] != _QUOTE):
            i += 2 if text[i] == _QUOTE else 1
    while i < end and text[i] != _COMMA:
        i += 1
    return min(i, end)


@helper("int64(uint8[::1], int64, int64, int64[::1], int32[::1], float32[:, ::1], float64[::1])", floats=True)
def _read_features(
    text: Integers, begin: int, end: int, state: Integers, index: Integers, counts: Reals, out: Reals
) -> int:
    """``index:count`` or ``index:mg:eg``, blanks between them; 0, or a fault with its place in ``state``."""
    i, size, entries = begin, state[SIZE], state[ENTRIES]
    while i < end:
        if text[i] == _SPACE or text[i] == _TAB:
            i += 1
            continue
        first, number = i, int64(0)
        while i < end and _digit(int64(text[i])) != 0 and number < _MOST:
            number = 10 * number + int64(text[i]) - _ZERO
            i += 1
        state[FAULT_BEGIN] = first
        if i == first or i >= end or text[i] != _COLON:
            return BAD_ENTRY
        i = read_number(text, i + 1, end, out)
        if i < 0:
            return BAD_ENTRY
        middle = out[0]
        ending = middle
        if i < end and text[i] == _COLON:
            i = read_number(text, i + 1, end, out)
            if i < 0:
                return BAD_ENTRY
            ending = out[0]
            if ending != middle:
                state[SPLIT] = 1
        if i < end and text[i] != _SPACE and text[i] != _TAB:
            return BAD_ENTRY
        if number >= size:
            return NO_SUCH_INDEX
        if middle != 0.0 or ending != 0.0:
            index[entries] = number
            counts[0, entries], counts[1, entries] = middle, ending
            entries += 1
    state[ENTRIES] = entries
    return NO_FAULT


@helper(
    "int64(uint8[::1], int64, int64, int64, int64, float64[::1], float64[:, ::1], float64, float64[::1])", floats=True
)
def _read_value(
    text: Integers, begin: int, end: int, role: int, row: int, limits: Reals, values: Reals, missing: float, out: Reals
) -> int:
    """One number of a row into its column; 0 or a fault. Results and scores may be missing."""
    values[role, row] = missing
    if begin >= end or (role == RESULT and end - begin == 1 and text[begin] == _STAR):
        return NO_FAULT if role in (RESULT, SCORE) else MISSING
    stop = _read_result(text, begin, end, out) if role == RESULT else read_number(text, begin, end, out)
    if stop != end:
        return NOT_RESULT if role == RESULT else NOT_NUMBER
    if role == RESULT and not 0.0 <= out[0] <= 1.0:
        return NOT_RESULT
    if role == PHASE and not 0.0 <= out[0] <= limits[0]:
        return OUT_OF_PHASE
    values[role, row] = out[0]
    return NO_FAULT


@helper(
    "int64(uint8[::1], int64, int64, int64[::1], int64[::1], float64[::1], float64[:, ::1], int64[::1], int32[::1], "
    "float32[:, ::1], float64[::1])",
    floats=True,
)
def _read_row(
    text: Integers, begin: int, end: int, state: Integers, roles: Integers, limits: Reals, values: Reals,
    games: Integers, index: Integers, counts: Reals, out: Reals,
) -> int:  # fmt: skip
    """The fields of one line; 0 or a fault."""
    row, place, field = state[ROWS], begin, 0
    values[RESULT, row], values[SCORE, row] = limits[1], limits[1]
    while True:
        stop = _field_end(text, place, end)
        if field >= state[FIELDS]:
            state[FAULT_BEGIN], state[FAULT_END] = place, end
            return MANY_FIELDS
        first, last = place, stop
        while first < last and (text[first] == _SPACE or text[first] == _TAB):
            first += 1
        while last > first and (text[last - 1] == _SPACE or text[last - 1] == _TAB):
            last -= 1
        if last - first >= 2 and text[first] == _QUOTE and text[last - 1] == _QUOTE:
            first += 1
            last -= 1
        role, fault = roles[field], NO_FAULT
        state[FAULT_ROLE], state[FAULT_BEGIN], state[FAULT_END] = role, first, last
        if role == FEATURES:
            fault = _read_features(text, first, last, state, index, counts, out)
        elif role == GAME:
            games[row] = _read_game(text, first, last)
            fault = NO_FAULT if last > first else MISSING
        elif role != IGNORED:
            fault = _read_value(text, first, last, role, row, limits, values, limits[1], out)
        if fault != NO_FAULT:
            return fault
        field += 1
        if stop >= end:
            break
        place = stop + 1
    if field < state[FIELDS]:
        state[FAULT_BEGIN], state[FAULT_END] = begin, end
        return FEW_FIELDS
    if values[RESULT, row] != values[RESULT, row] and values[SCORE, row] != values[SCORE, row]:
        state[FAULT_BEGIN], state[FAULT_END] = begin, end
        return NO_VALUE
    return NO_FAULT


@driver(
    "void(uint8[::1], int64[::1], int64[::1], float64[::1], float64[:, ::1], int64[::1], int64[::1], int64[::1], "
    "int32[::1], float32[:, ::1], float64[::1])",
    floats=True,
)
def scan_rows(
    text: Integers, state: Integers, roles: Integers, limits: Reals, values: Reals, games: Integers, lines: Integers,
    start: Integers, index: Integers, counts: Reals, out: Reals,
) -> None:  # fmt: skip
    """Lay down rows while there is room; ``limits`` has the largest phase and the mark of what is missing."""
    i, end = state[FROM], state[TO]
    room = len(index)
    start[0] = state[ENTRIES]
    while i < end and state[ROWS] < len(lines):
        stop = i
        while stop < end and text[stop] != _NEWLINE:
            stop += 1
        if stop >= end and state[FINAL] == 0:
            break
        if state[ENTRIES] + (stop - i) // 4 + 1 > room:
            break  # an entry takes four bytes at least, with its blank
        state[LINES] += 1
        last = stop - 1 if stop > i and text[stop - 1] == _RETURN else stop
        state[FAULT_LINE], fault = state[LINES], NO_FAULT
        if last > i and text[i] == _HASH:
            state[FAULT_BEGIN], state[FAULT_END] = i, last
            fault = SECOND_HEADER if last - i > 11 and text[i + 2] == _SMALL_E and text[i + 11] == _MINUS else NO_FAULT
        elif last > i:
            fault = _read_row(text, i, last, state, roles, limits, values, games, index, counts, out)
            if fault == NO_FAULT and stop >= end:
                state[FAULT_BEGIN], state[FAULT_END] = i, last
                fault = CUT
            if fault == NO_FAULT:
                lines[state[ROWS]] = state[LINES]
                state[ROWS] += 1
                start[state[ROWS]] = state[ENTRIES]
        if fault != NO_FAULT:
            state[FAULT] = fault
            return
        i = stop + 1
    state[FROM] = min(i, end)
