"""Letters of chess texts as compiled code sees them: bytes with a class each.

A buffer of text is followed by at least ``PADDING`` zero bytes, so that a reader may look a little ahead without asking
where the text ends; a zero byte is blank.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, helper, int64, table

PADDING = 64

# Classes of bytes. BLANK and STOP end a word; a MARK may stand behind a move and means nothing to us.
PLAIN, BLANK, STOP, MARK = 0, 1, 2, 3

_CLASSES = np.zeros(256, dtype=np.int64)
_CLASSES[:33] = BLANK
_CLASSES[127] = BLANK
STOPS = '{}()[];$*,.<>"|'
_CLASSES[[ord(letter) for letter in STOPS]] = STOP
_CLASSES[[ord(letter) for letter in "+#!?=~"]] = MARK
_classes = table("chess_text.classes", _CLASSES)

_NEWLINE, _RETURN = ord("\n"), ord("\r")
_0, _9, _A, _Z, _SMALL_A, _SMALL_Z = (ord(letter) for letter in "09AZaz")


@helper("int64(int64)", inline=True)
def class_of(letter: int) -> int:
    """The class of a byte."""
    return _classes()[letter]


@helper("int64(int64)", inline=True)
def is_digit(letter: int) -> int:
    """Whether a byte is one of 0 to 9."""
    return 1 if _0 <= letter <= _9 else 0


@helper("int64(int64)", inline=True)
def is_letter(letter: int) -> int:
    """Whether a byte is an English letter."""
    return 1 if _A <= letter <= _Z or _SMALL_A <= letter <= _SMALL_Z else 0


@helper("int64(int64)", inline=True)
def ends_line(letter: int) -> int:
    """Whether a byte ends a line: LF, or CR as old files have it."""
    return 1 if letter in (_NEWLINE, _RETURN) else 0


@helper("int64(uint8[::1], int64, int64)")
def skip_blanks(text: Integers, begin: int, end: int) -> int:
    """Where the next byte stands that is not blank, or ``end``; a byte-order mark counts as blank."""
    i = begin
    while i < end:
        letter = int64(text[i])
        if letter == 0xEF and text[i + 1] == 0xBB and text[i + 2] == 0xBF:
            i += 3
        elif class_of(letter) == BLANK:
            i += 1
        else:
            break
    return min(i, end)


@helper("int64(uint8[::1], int64, int64)")
def skip_line(text: Integers, begin: int, end: int) -> int:
    """Where the line ends, or ``end``."""
    i = begin
    while i < end and ends_line(int64(text[i])) == 0:
        i += 1
    return i


@helper("int64(uint8[::1], int64, int64)")
def skip_word(text: Integers, begin: int, end: int) -> int:
    """Where a word ends that begins here: at the next BLANK or STOP, but always a byte on."""
    i = begin + 1
    while i < end and class_of(int64(text[i])) != BLANK and class_of(int64(text[i])) != STOP:
        i += 1
    return min(i, end)


@helper("int64(uint8[::1], int64, int64)")
def word_of(text: Integers, begin: int, end: int) -> int:
    """The first twelve letters and digits of a text as one number, without regard to case."""
    number, count = 0, 0
    for i in range(begin, end):
        letter = int64(text[i])
        if is_digit(letter) != 0:
            value = letter - _0 + 27
        elif is_letter(letter) != 0:
            value = letter & 31
        else:
            continue
        number = number * 38 + value
        count += 1
        if count == 12:
            break
    return number


def word_number(word: str) -> int:
    """The number that ``word_of`` gives a word."""
    number = 0
    for letter in [letter for letter in word.lower() if letter.isalnum()][:12]:
        number = number * 38 + (int(letter) + 27 if letter.isdigit() else ord(letter) & 31)
    return number


def buffer_of(text: str) -> npt.NDArray[np.uint8]:
    """The bytes of a text, with what must follow it."""
    return np.frombuffer(bytearray(text.encode("utf-8", "surrogatepass") + bytes(PADDING)), dtype=np.uint8)
