"""What programs write into the comments of PGN: scores, depths, and times, read by compiled code.

    [%eval 0.36] [%eval -0.18,20] [%eval #-4]   pawns for White, of the position after the move; # counts moves
    [%clk 0:03:00] [%emt 0:00:02.5]             time left, time taken
    +0.31/12 0.50s   -M6/20 1.2s   0.50s        cutechess, fastchess: score for the mover, depth, time; M counts plies
    0.18/23 239                                 the same without ``s``: the first TCEC match, for White
    d=29, mt=136100, wv=0.88,                   TCEC: depth, milliseconds or h:m:s, pawns for White; M counts plies
    ev=0.88                                     older TCEC: alone for White; beside ``wv`` for the mover, passed over

A mate becomes the value of a won game less the plies to it, as a search has it. Other scores end short of those.
"""

from __future__ import annotations

from evalsmith.compile import Integers, helper, int64
from evalsmith.games.chess.notation.letters import BLANK, class_of, is_digit, word_number, word_of
from evalsmith.games.chess.rules import WIN_VALUE
from evalsmith.records.record import UNKNOWN

# What a comment says, as a row. OWN is for the mover before the move, or for White where OWN_WHITE is 1; AFTER is for
# White, of the position after the move. Times are milliseconds, -1 unknown.
OWN, OWN_WHITE, DEPTH, TAKEN, CLOCK, AFTER, AFTER_DEPTH = range(7)
SAYINGS = 7

MATES = 1000  # plies; a mate farther away counts as this far
MAX_SCORE = WIN_VALUE - MATES - 1
MOST_DEPTH = 999
_MAX_TIME = 2_000_000_000  # milliseconds; the longest that a 32-bit column holds is near

_PLUS, _DASH, _DOT, _SLASH, _COLON, _COMMA, _HASH, _BIG_M, _SMALL_S, _ZERO = (ord(letter) for letter in "+-./:,#Ms0")
_OPEN, _PERCENT, _EQUALS, _SMALL_D, _SMALL_T, _SMALL_M = (ord(letter) for letter in "[%=dtm")
_SMALL_V, _SMALL_W, _SMALL_E = (ord(letter) for letter in "vwe")
_EVAL, _CLK, _EMT = word_number("eval"), word_number("clk"), word_number("emt")


@helper("int64(uint8[::1], int64)")
def _read_integer(text: Integers, begin: int) -> int:
    """A number without sign, its value in the high bits and its length in the low byte; 0 where there is none."""
    i, value = begin, 0
    while is_digit(int64(text[i])) != 0 and i - begin < 100:
        value = min(10 * value + int64(text[i]) - _ZERO, 10_000_000_000)
        i += 1
    return value << 8 | (i - begin)


@helper("int64(uint8[::1], int64)")
def read_hundredths(text: Integers, begin: int) -> int:
    """A decimal number without sign times 100, rounded, in the high bits, its length in the low byte; 0 for none."""
    whole = _read_integer(text, begin)
    i, value, digits = begin + (whole & 255), 100 * (whole >> 8), whole & 255
    if text[i] == _DOT:
        i += 1
        first = i
        while is_digit(int64(text[i])) != 0 and i - begin < 200:
            if i - first < 2:
                value += (int64(text[i]) - _ZERO) * (10 if i == first else 1)
            elif i - first == 2 and text[i] >= _ZERO + 5:
                value += 1
            i += 1
        digits += i - first
    return value << 8 | (i - begin) if digits != 0 else 0


@helper("int64(uint8[::1], int64, int64)")
def read_score(text: Integers, begin: int, moving: int) -> int:
    """A score in pawns or a mate; its centipawns in the high bits and its length in the low byte, 0 for none.

    ``moving`` is 1 where the side in whose view it stands is to move: so far off is a mate in ``#n`` moves.
    """
    i, sign = begin, 1
    if text[i] == _HASH:
        i += 1
    hashed = i > begin
    if text[i] == _PLUS or text[i] == _DASH:
        sign = 1 if text[i] == _PLUS else -1
        i += 1
    if text[i] == _HASH:
        hashed = True
        i += 1
    mates = 1 if hashed or text[i] == _BIG_M else 0
    if text[i] == _BIG_M:
        i += 1
        hashed = False
    if text[i] == _DASH and mates != 0:
        sign = -1
        i += 1
    whole = _read_integer(text, i)
    length, value = whole & 255, whole >> 8
    i += length
    if mates != 0:
        if length == 0:
            return 0
        plies = value
        if hashed:
            plies = 2 * value - (1 if (sign == 1) == (moving == 1) else 0)
        value = sign * (WIN_VALUE - max(0, min(plies, MATES)))
        return value << 8 | (i - begin)
    decimal = read_hundredths(text, i - length)
    if decimal == 0:
        return 0
    return (sign * min(decimal >> 8, MAX_SCORE)) << 8 | (i - length - begin + (decimal & 255))


@helper("int64(uint8[::1], int64, int64)")
def read_time(text: Integers, begin: int, unit: int) -> int:
    """``h:mm:ss.s`` or a bare number of ``unit`` milliseconds; milliseconds in the high bits, 0 where there is none."""
    i, total, colons = begin, 0, 0
    while True:
        part = _read_integer(text, i)
        if part & 255 == 0 or i - begin > 40:
            return 0
        total = min(60 * total + (part >> 8), _MAX_TIME)
        i += part & 255
        if text[i] != _COLON or colons == 3:
            break
        colons += 1
        i += 1
    scale = 1000 if colons > 0 else unit
    total *= scale
    if text[i] == _DOT:
        i += 1
        while is_digit(int64(text[i])) != 0 and i - begin < 100:
            scale //= 10
            total += (int64(text[i]) - _ZERO) * scale
            i += 1
    return min(total, _MAX_TIME) << 8 | (i - begin)


@helper("void(uint8[::1], int64, integers)")
def _read_engine(text: Integers, begin: int, said: Integers) -> None:
    """``score/depth time`` at the start of a comment."""
    i = begin
    score = read_score(text, i, 1)
    length = score & 255
    mark = int64(text[i + length])
    if mark == _SMALL_S and length != 0 and class_of(int64(text[i + length + 1])) != 0:
        took = read_time(text, i, 1000)
        if took != 0:
            said[TAKEN] = took >> 8
        return
    decimal = 0
    for j in range(i, i + length):
        if text[j] == _DOT or text[j] == _BIG_M:
            decimal = 1
    if mark != _SLASH or (length != 0 and decimal == 0):
        return
    i += length + 1
    depth = _read_integer(text, i)
    i += depth & 255
    if depth & 255 == 0:
        return
    white = 0
    if class_of(int64(text[i])) == BLANK:
        took = read_time(text, i + 1, 1000)
        if took != 0:
            said[TAKEN] = took >> 8
            white = 0 if text[i + 1 + (took & 255)] == _SMALL_S else 1
    if length != 0:
        said[OWN], said[OWN_WHITE] = score >> 8, white
        said[DEPTH] = min(depth >> 8, MOST_DEPTH) if depth >> 8 > 0 else -1


@helper("void(uint8[::1], int64, int64, int64, integers)")
def _read_command(text: Integers, begin: int, end: int, mover: int, said: Integers) -> None:
    """``[%name value]``, from after the percent sign; ``mover`` made the move."""
    i = begin
    while i < end and class_of(int64(text[i])) == 0 and i - begin < 12:
        i += 1
    name = word_of(text, begin, i)
    while i < end and class_of(int64(text[i])) == BLANK:
        i += 1
    if name == _EVAL:
        # Black has moved where White is to move after it.
        score = read_score(text, i, mover)
        if score != 0:
            said[AFTER], said[AFTER_DEPTH] = score >> 8, -1
            i += score & 255
            if text[i] == _COMMA:
                depth = _read_integer(text, i + 1)
                if depth & 255 != 0:
                    said[AFTER_DEPTH] = min(depth >> 8, MOST_DEPTH)
    elif name in (_CLK, _EMT):
        took = read_time(text, i, 1000)
        if took != 0:
            said[CLOCK if name == _CLK else TAKEN] = took >> 8


@helper("int64(uint8[::1], int64, int64)")
def _key_of(text: Integers, begin: int, i: int) -> int:
    """The two letters before an equals sign, as 256·first + second; the first is 0 where a key has one letter."""
    if i - begin < 1:
        return 0
    last, before = int64(text[i - 1]), int64(text[i - 2]) if i - begin > 1 else 32
    if class_of(before) != 0:
        return last
    if i - begin > 2 and class_of(int64(text[i - 3])) == 0:
        return 0
    return 256 * before + last


@helper("void(uint8[::1], int64, int64, int64, integers)")
def read_comment(text: Integers, begin: int, end: int, mover: int, said: Integers) -> None:
    """What a comment after a move of ``mover`` (0 white, 1 black) says."""
    said[OWN] = said[AFTER] = UNKNOWN
    said[DEPTH] = said[TAKEN] = said[CLOCK] = said[AFTER_DEPTH] = -1
    said[OWN_WHITE] = 0
    i = begin
    while i < end and class_of(int64(text[i])) == BLANK:
        i += 1
    first = int64(text[i])
    if first in (_PLUS, _DASH, _SLASH, _BIG_M) or is_digit(first) != 0:
        _read_engine(text, i, said)
    surely = 0
    for j in range(i, end):
        letter = int64(text[j])
        if letter == _PERCENT:
            if j > begin and text[j - 1] == _OPEN:
                _read_command(text, j + 1, end, mover, said)
        elif letter == _EQUALS:
            key = _key_of(text, begin, j)
            if key == _SMALL_D:
                depth = _read_integer(text, j + 1)
                if depth & 255 != 0:
                    said[DEPTH] = min(depth >> 8, MOST_DEPTH)
            elif key == 256 * _SMALL_M + _SMALL_T:
                took = read_time(text, j + 1, 1)
                if took != 0:
                    said[TAKEN] = took >> 8
            elif key == 256 * _SMALL_W + _SMALL_V or (key == 256 * _SMALL_E + _SMALL_V and surely == 0):
                score = read_score(text, j + 1, 1 - mover)
                if score != 0:
                    said[OWN], said[OWN_WHITE] = score >> 8, 1
                    surely = 1 if key == 256 * _SMALL_W + _SMALL_V else 0
