"""The compiled pass over a list of chess positions, one a line: the position, and the result and score after it.

    FEN | 25 | 0.5           centipawns, result
    FEN [1.0]   FEN; [1-0]   result in brackets; a number after it is a score
    FEN c9 "1-0";            result in a comment of EPD
    FEN bm Nf3; ce 35;       operations of EPD; of these ``ce`` is a score, and ``dm`` a mate

A mate is 30000 less the plies to it, as in datasets, or 32000 less the plies, as many engines have it; what is beyond
30000 and neither is cut to 28999. Results and scores are for White where the options do not say the mover; ``ce`` and
``dm`` always are for the mover.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Words, at, driver, helper, int64, pointer
from evalsmith.games.chess.notation.fen import read_fen
from evalsmith.games.chess.notation.letters import (
    BLANK,
    PLAIN,
    class_of,
    is_digit,
    skip_blanks,
    skip_line,
    skip_word,
    word_number,
    word_of,
)
from evalsmith.games.chess.rules import WIN_VALUE
from evalsmith.games.chess.words import STATE, WORDS, side_of
from evalsmith.records.pgn.scores import MATES, MAX_SCORE, read_hundredths, read_score
from evalsmith.records.pgn.tags import BLACK_WON, DRAWN, NONE, OPEN, WHITE_WON, read_result
from evalsmith.records.record import UNKNOWN

# What goes in and comes out of a pass: where the text begins and ends in the buffer, whether the file ends with it,
# whether the rest of a line that was too long is still passed over, how long a line may be, and lines so far.
FROM, TO, FINAL, SKIPPING, LIMIT, LINES = range(6)
STATE_SIZE = 6

# Options: whether results and scores are for the mover, and what a score without a unit counts.
RESULT_MOVER, SCORE_MOVER, UNIT = range(3)
GUESSED, PAWNS, CENTIPAWNS = range(3)

# A row of facts: a fault, the line, and where it stands in the buffer.
FAULT, LINE, BEGIN, END = range(4)
FACTS = 4
BAD_POSITION, LONG, BAD_RESULT = range(1, 4)

_EPD_MATE = 32767  # EPD's value of a mate on the board
_MATE_NEAR = 32000
_OTHER_WIN = 32000  # of many engines, where a list has plain numbers

_BAR, _BRACKET, _CLOSE, _QUOTE, _SEMICOLON, _DASH, _PLUS, _DOT, _QUESTION = (ord(letter) for letter in '|[]";-+.?')
_HASH, _PERCENT, _NEWLINE, _RETURN = (ord(letter) for letter in "#%\n\r")
_CE, _DM = word_number("ce"), word_number("dm")
_ODD = -1

# What a line says: the mark of a result, a score as it stands, the mover's own score, and the result for White.
MARK, SCORE, OWN, RESULT = range(4)
FOUND_SIZE = 4


@helper("int64(uint8[::1], int64, int64)")
def _read_mark(text: Integers, begin: int, end: int) -> int:
    """The result that fills a text: WHITE_WON, DRAWN, BLACK_WON, OPEN for ``*`` and ``?``, NONE when empty, or _ODD."""
    i = skip_blanks(text, begin, end)
    if i >= end:
        return NONE
    result = read_result(text, i)
    if result != NONE:
        return result & 7 if skip_blanks(text, i + (result >> 3), end) >= end else _ODD
    value = read_hundredths(text, i)
    if value == 0 or skip_blanks(text, i + (value & 255), end) < end:
        return OPEN if text[i] == _QUESTION else _ODD
    if value >> 8 == 0:
        return BLACK_WON
    if value >> 8 == 50:
        return DRAWN
    return WHITE_WON if value >> 8 == 100 else _ODD


@helper("int64(int64)")
def _with_mates(value: int) -> int:
    """Centipawns as they stand up to a win, so that a mate comes back; a mate as 32000 less its plies is one too."""
    if value <= WIN_VALUE:
        return value
    if _OTHER_WIN - MATES <= value <= _OTHER_WIN:
        return value - _OTHER_WIN + WIN_VALUE
    return MAX_SCORE


@helper("int64(uint8[::1], int64, int64, int64, int64)")
def _read_value(text: Integers, begin: int, end: int, unit: int, moving: int) -> int:
    """A score in centipawns, or UNKNOWN where there is none; without a unit, decimals are pawns."""
    i = skip_blanks(text, begin, end)
    if i >= end:
        return UNKNOWN
    signed = 1 if text[i] == _DASH or text[i] == _PLUS else 0
    number = read_hundredths(text, i + signed)
    if number == 0:
        mate = read_score(text, i, moving)
        return mate >> 8 if mate != 0 else UNKNOWN
    decimal = 0
    for j in range(i, i + signed + (number & 255)):
        if text[j] == _DOT:
            decimal = 1
    value = number >> 8
    if unit == CENTIPAWNS or (unit == GUESSED and decimal == 0):
        value = _with_mates(value // 100)
    else:
        value = min(value, MAX_SCORE)
    return -value if text[i] == _DASH else value


@helper("int64(uint8[::1], int64, int64, int64)")
def _find(text: Integers, begin: int, end: int, wanted: int) -> int:
    """Where a byte stands, or ``end``."""
    i = begin
    while i < end and text[i] != wanted:
        i += 1
    return i


@helper("int64(uint8[::1], int64, int64)")
def _read_field(text: Integers, begin: int, end: int) -> int:
    """As ``_read_mark``, in brackets or without."""
    i = skip_blanks(text, begin, end)
    if i < end and text[i] == _BRACKET:
        stop = _find(text, i, end, _CLOSE)
        return _read_mark(text, i + 1, stop) if skip_blanks(text, stop + 1, end) >= end else _ODD
    return _read_mark(text, i, end)


@helper("void(uint8[::1], int64, int64, integers, integers, int64)")
def _read_bars(text: Integers, begin: int, end: int, found: Integers, options: Integers, moving: int) -> None:
    """``| score | result``, or one of them alone: a result then has at least three letters."""
    second = _find(text, begin + 1, end, _BAR)
    if second < end:
        unit = CENTIPAWNS if options[UNIT] == GUESSED else options[UNIT]
        found[SCORE] = _read_value(text, begin + 1, second, unit, moving)
        found[MARK] = _read_field(text, second + 1, _find(text, second + 1, end, _BAR))
        return
    mark, first = _read_field(text, begin + 1, end), skip_blanks(text, begin + 1, end)
    if mark > NONE and end - first > 2:
        found[MARK] = mark
    else:
        found[SCORE] = _read_value(text, first, end, options[UNIT], moving)


@helper("void(uint8[::1], int64, int64, integers)")
def _read_operation(text: Integers, name: int, begin: int, found: Integers) -> None:
    """The operand of ``ce`` or ``dm``, for the mover."""
    negative = 1 if text[begin] == _DASH else 0
    number = read_hundredths(text, begin + (1 if negative != 0 or text[begin] == _PLUS else 0))
    if number == 0 or (name == _DM and found[OWN] != UNKNOWN):
        return
    value = number >> 8
    value //= 100
    if name == _DM:
        value = WIN_VALUE - max(0, min(2 * value - 1 + negative, MATES))
    elif value >= _MATE_NEAR:
        value = WIN_VALUE - max(0, min(_EPD_MATE - value, MATES))
    else:
        value = min(value, MAX_SCORE)
    found[OWN] = -value if negative != 0 else value


@helper("int64(uint8[::1], int64, int64, integers, integers, int64)")
def _read_word(text: Integers, begin: int, end: int, found: Integers, options: Integers, moving: int) -> int:
    """One thing after a position, and where the next begins."""
    letter = int64(text[begin])
    if letter == _BRACKET:
        stop = _find(text, begin, end, _CLOSE)
        found[MARK] = _read_mark(text, begin + 1, stop)
        i = skip_blanks(text, stop + 1, end)
        score = _read_value(text, i, end, options[UNIT], moving)
        if score == UNKNOWN:
            return min(stop + 1, end)
        found[SCORE] = score
        return _find(text, i, end, _SEMICOLON)
    if letter == _QUOTE:
        stop = _find(text, begin + 1, end, _QUOTE)
        result = read_result(text, begin + 1)
        if result != NONE and begin + 1 + (result >> 3) == stop:
            found[MARK] = result & 7
        return min(stop + 1, end)
    result = read_result(text, begin)
    if result != NONE:
        found[MARK] = result & 7
        return begin + (result >> 3)
    stop = skip_word(text, begin, end)
    if is_digit(letter) != 0 and text[stop] == _DOT:
        number = read_hundredths(text, begin)
        stop = min(begin + (number & 255), end)
        if found[MARK] == NONE:
            found[MARK] = max(_read_mark(text, begin, stop), NONE)
        return stop
    if class_of(letter) == PLAIN:
        name = word_of(text, begin, stop)
        if name in (_CE, _DM):
            _read_operation(text, name, skip_blanks(text, stop, end), found)
            return skip_word(text, skip_blanks(text, stop, end), end)
    return stop


@helper("int64(uint8[::1], int64, int64, integers, integers, words)")
def _read_line(text: Integers, begin: int, end: int, found: Integers, options: Integers, position: Words) -> int:
    """Read one line, and give 0 or its fault; ``found`` then has the result for White and the score for the mover."""
    i = read_fen(text, begin, end, position)
    if i < 0:
        return BAD_POSITION
    found[MARK], found[SCORE], found[OWN] = NONE, UNKNOWN, UNKNOWN
    side = side_of(position[STATE])
    moving = 1 if side == 0 or options[SCORE_MOVER] != 0 else 0
    i = skip_blanks(text, i, end)
    if i < end and text[i] == _BAR:
        _read_bars(text, i, end, found, options, moving)
        i = end
    while i < end:
        if class_of(int64(text[i])) == BLANK:
            i += 1
        else:
            i = _read_word(text, i, end, found, options, moving)
    mark, score = found[MARK], found[SCORE]
    if mark == _ODD:
        return BAD_RESULT
    found[RESULT], found[SCORE] = UNKNOWN, found[OWN]
    if mark != NONE and mark != OPEN:
        value = 0 if mark == DRAWN else (WIN_VALUE if mark == WHITE_WON else -WIN_VALUE)
        found[RESULT] = -value if options[RESULT_MOVER] != 0 and side == 1 else value
    if score != UNKNOWN:
        found[SCORE] = -score if options[SCORE_MOVER] == 0 and side == 1 else score
    return 0


@driver("int64(uint8[::1], int64[::1], int64[::1], int64[::1], uint64[:, ::1], int32[::1], int32[::1], int64[:, ::1])")
def scan_positions(
    text: Integers, state: Integers, options: Integers, found: Integers, words: Words, results: Integers,
    scores: Integers, facts: Integers,
) -> int:  # fmt: skip
    """Lay down positions while there is room, and give their number, faulty ones among them."""
    i, end, final, limit, count = state[FROM], state[TO], state[FINAL], state[LIMIT], 0
    while i < end and count < len(facts):
        stop = skip_line(text, i, end)
        if stop >= end and final == 0:
            if end - i <= limit:
                break
            stop = end
        elif text[stop] == _RETURN and stop + 1 >= end and final == 0:
            break  # a line feed may belong to it
        ended = stop < end
        # A line that is too long and goes on after the buffer is counted where it ends.
        if state[SKIPPING] == 0:
            state[LINES] += 1
            first = skip_blanks(text, i, stop)
            if first < stop and text[first] != _HASH and text[first] != _PERCENT:
                fault = LONG
                if stop - i <= limit:
                    row = at(pointer(words), count * WORDS)
                    fault = _read_line(text, first, stop, pointer(found), pointer(options), row)
                    results[count], scores[count] = found[RESULT], found[SCORE]
                facts[count, FAULT], facts[count, LINE] = fault, state[LINES]
                facts[count, BEGIN], facts[count, END] = i, stop
                count += 1
        state[SKIPPING] = 0 if ended else 1
        if ended:
            stop += 2 if text[stop] == _RETURN and text[stop + 1] == _NEWLINE else 1
        i = stop
    state[FROM] = min(i, end)
    return count
