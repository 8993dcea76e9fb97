"""UCI inside kernels: text as bytes in rows of words, and the few lines that a pipe kernel has to read.

A word of text is a ``uint64`` with up to eight bytes, the first one lowest; 0 is none. Lines of any other shape are
left to `evalsmith.protocols.client.uci`.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, int64, uint64

WORD_BYTES = 8
NO_WORD = np.uint64(0)
BLANK = np.uint64(32)
# What an account has: whether there was one, and of a mate; the score or the distance, depth, nodes and milliseconds.
COMPLETE, MATE, SCORE, DEPTH, NODES, MILLISECONDS, ACCOUNT = range(7)

_EIGHT, _BYTE = np.uint64(8), np.uint64(255)
_TAB, _NEWLINE, _RETURN, _SPACE, _MINUS, _ZERO = (ord(letter) for letter in "\t\n\r -0")
_MAX_DIGITS, _NO_NUMBER = 18, -(1 << 62)


def word_of(text: bytes) -> int:
    """Up to eight bytes as a word."""
    return int.from_bytes(text, "little")


def _words(text: str) -> tuple[np.uint64, ...]:
    return tuple(np.uint64(word_of(word.encode())) for word in text.split())


_BESTMOVE, _READY, _INFO, _CP, _MATE, _PV = _words("bestmove readyok info cp mate pv")
_LOWER, _UPPER = _words("lowerbou upperbou")
_SCORE, _DEPTH, _NODES, _TIME, _MULTIPV = _words("score depth nodes time multipv")
_SELDEPTH, _NPS, _HASHFULL, _TBHITS = _words("seldepth nps hashfull tbhits")


@helper("int64(words, int64)", inline=True)
def _byte(row: Words, index: int) -> int:
    byte: int = int64(row[index >> 3] >> uint64((index & 7) << 3) & _BYTE)
    return byte


@helper("int64(words, int64, uint64)")
def append(row: Words, length: int, text: Word) -> int:
    """Put a word behind ``length`` bytes; how many there are then."""
    while text != NO_WORD:
        shift = uint64((length & 7) << 3)
        row[length >> 3] = row[length >> 3] & ~(_BYTE << shift) | (text & _BYTE) << shift
        text >>= _EIGHT
        length += 1
    return length


@helper("int64(words, int64, int64)")
def _word_end(row: Words, begin: int, end: int) -> int:
    """Where the word ends that begins here."""
    for i in range(begin, end):
        byte = _byte(row, i)
        if byte in (_SPACE, _TAB, _RETURN, _NEWLINE):
            return i
    return end


@helper("int64(words, int64, int64)")
def _word_begin(row: Words, begin: int, end: int) -> int:
    """Where the next word begins, behind blanks."""
    while begin < end and (_byte(row, begin) == _SPACE or _byte(row, begin) == _TAB):
        begin += 1
    return begin


@helper("uint64(words, int64, int64)")
def _word(row: Words, begin: int, end: int) -> Word:
    """The bytes from one place to another; none if they are too many."""
    found = NO_WORD
    if end - begin <= WORD_BYTES:
        for i in range(begin, end):
            found |= uint64(_byte(row, i)) << uint64((i - begin) << 3)
    return found


@helper("int64(words, int64, int64)")
def answer_in(said: Words, begin: int, end: int) -> int:
    """Where the first complete line that says ``bestmove`` begins; -1 if there is none yet."""
    line = begin
    for i in range(begin, end):
        if _byte(said, i) == _NEWLINE:
            if i - line > WORD_BYTES and _word(said, line, _word_end(said, line, i)) == _BESTMOVE:
                return line
            line = i + 1
    return -1


@helper("int64(words, int64, int64)")
def ready_in(said: Words, begin: int, end: int) -> int:
    """Where the first complete line that says ``readyok`` begins; -1 if there is none yet."""
    line = begin
    for i in range(begin, end):
        if _byte(said, i) == _NEWLINE:
            if _word(said, line, _word_end(said, line, i)) == _READY:
                return line
            line = i + 1
    return -1


@helper("uint64(words, int64, int64)")
def name_in(said: Words, line: int, end: int) -> Word:
    """The word after ``bestmove``; none if it is too long."""
    begin = _word_begin(said, line + WORD_BYTES, end)
    return _word(said, begin, _word_end(said, begin, end))


@helper("int64(words, int64, int64)")
def _number(row: Words, begin: int, end: int) -> int:
    """The whole number that a word is; _NO_NUMBER if it is none."""
    first = begin + int64(begin < end and _byte(row, begin) == _MINUS)
    if first >= end or end - first > _MAX_DIGITS:
        return _NO_NUMBER
    value = 0
    for i in range(first, end):
        digit = _byte(row, i) - _ZERO
        if digit < 0 or digit > 9:
            return _NO_NUMBER
        value = 10 * value + digit
    return -value if first > begin else value


@helper("int64(words, int64, int64, integers)")
def _read_line(said: Words, line: int, last: int, account: Integers) -> int:
    """What one line says of the search: 1 if all there is to know, -1 if it is only a bound, else 0."""
    stop = _word_end(said, line, last)
    if _word(said, line, stop) != _INFO:
        return 0
    seen = 0
    while True:
        start = _word_begin(said, stop, last)
        stop = _word_end(said, start, last)
        key = _word(said, start, stop)
        if key == _PV:
            return 1 if seen == 15 else 0
        if key == NO_WORD:
            bound = _word(said, start, min(start + WORD_BYTES, stop)) in (_LOWER, _UPPER)
            return -1 if bound and seen & 1 else 0
        start = _word_begin(said, stop, last)
        stop = _word_end(said, start, last)
        if key == _SCORE:
            kind = _word(said, start, stop)
            if kind not in (_CP, _MATE):
                return 0
            account[MATE] = int64(kind == _MATE)
            start = _word_begin(said, stop, last)
            stop = _word_end(said, start, last)
        value = _number(said, start, stop)
        if value == _NO_NUMBER:
            return 0
        if key == _SCORE:
            if account[MATE] != 0 and value == 0:
                return 0
            account[SCORE], seen = value, seen | 1
        elif key == _DEPTH:
            account[DEPTH], seen = value, seen | 2
        elif key == _NODES:
            account[NODES], seen = value, seen | 4
        elif key == _TIME:
            account[MILLISECONDS], seen = value, seen | 8
        elif key == _MULTIPV:
            if value != 1:
                return 0
        elif key not in (_SELDEPTH, _NPS, _HASHFULL, _TBHITS):
            return 0


@helper("void(words, int64, int64, integers)")
def read_account(said: Words, begin: int, end: int, account: Integers) -> None:
    """What the last lines say of the search: an ``info`` with score, depth, nodes and time before its moves."""
    found, line = int64(-1), end
    while found < 0 and line > begin:
        last = line - 1  # the end of the line before
        line = last
        while line > begin and _byte(said, line - 1) != _NEWLINE:
            line -= 1
        found = _read_line(said, line, last, account)
    account[COMPLETE] = int64(found > 0)
