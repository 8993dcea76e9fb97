"""Tag pairs of PGN, found and read by compiled code: where the values stand, and the few that decide how to read on."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, helper, int64, table
from evalsmith.games.chess.notation.letters import (
    BLANK,
    class_of,
    ends_line,
    is_digit,
    is_letter,
    skip_line,
    word_number,
    word_of,
)
from evalsmith.records.record import UNKNOWN

# The tags that are looked for; a row of spans has begin and end of each one's value, both 0 where it is missing.
NAMES = (
    "Event", "Date", "UTCDate", "White", "Black", "Result", "WhiteElo", "BlackElo", "FEN", "Variant",
    "TimeControl", "Termination",
)  # fmt: skip
EVENT, DATE, UTC_DATE, WHITE, BLACK, RESULT, WHITE_ELO, BLACK_ELO, FEN, VARIANT, TIME_CONTROL, TERMINATION = range(12)
TAGS = len(NAMES)

# Results as a tag or a terminator tells them.
NONE, WHITE_WON, DRAWN, BLACK_WON, OPEN = range(5)

NO_TAG, CUT = 0, -1
_NAME_LIMIT = 255

_names = table("pgn.names", np.array([word_number(name) for name in NAMES], dtype=np.int64))
# Names of the game that this is; whatever else the tag Variant says is another game.
_SAME_GAME = (
    "", "Standard", "Standard Chess", "Chess", "Normal", "Chess960", "960", "Fischerandom", "Fischer Random",
    "Fischer Random Chess", "FRC", "Freestyle", "From Position",
)  # fmt: skip
_same_game = table("pgn.same_game", np.array([word_number(name) for name in _SAME_GAME], dtype=np.int64))
_KINDS = len(_SAME_GAME)
_MIN_RATING, _MAX_RATING = 100, 4999  # Elo; anything else is a slip or a joke

_BRACKET, _CLOSE, _QUOTE, _BACKSLASH, _UNDERSCORE = (ord(letter) for letter in '[]"\\_')
_ZERO, _ONE, _SLASH, _DASH, _STAR, _PLUS, _TWO = (ord(letter) for letter in "01/-*+2")


@helper("int64(uint8[::1], int64, int64)")
def opens_tag(text: Integers, begin: int, end: int) -> int:
    """Where the value of a tag pair begins whose bracket stands here; NO_TAG, or CUT where the text ends too early."""
    if text[begin] != _BRACKET:
        return NO_TAG
    i = begin + 1
    first = i
    while i < end and (is_letter(int64(text[i])) | is_digit(int64(text[i])) != 0 or text[i] == _UNDERSCORE):
        i += 1
        if i - first > _NAME_LIMIT:
            return NO_TAG
    name_end = i
    while i < end and class_of(int64(text[i])) == BLANK and ends_line(int64(text[i])) == 0 and i - first < _NAME_LIMIT:
        i += 1
    if i >= end:
        return CUT
    if name_end == first or is_letter(int64(text[first])) == 0 or text[i] != _QUOTE:
        return NO_TAG
    return i + 1


@helper("int64(uint8[::1], int64, int64)")
def tag_name(text: Integers, begin: int, end: int) -> int:
    """Which of the tags begins here, or -1 for one that is not looked for."""
    i = begin + 1
    while i < end and (is_letter(int64(text[i])) | is_digit(int64(text[i])) != 0 or text[i] == _UNDERSCORE):
        i += 1
    word = word_of(text, begin + 1, i)
    for tag in range(TAGS):
        if _names()[tag] == word:
            return tag
    return -1


@helper("int64(uint8[::1], int64, int64)")
def value_end(text: Integers, begin: int, end: int) -> int:
    """Where the quote stands that ends a value, or the line where none does, or ``end``.

    A quote inside a value should have a backslash before it; one that is not followed by the bracket is taken to be
    inside as well. Not all writers do so, hence a value that would never end does so at its last quote.
    """
    i, last = begin, -1
    while i < end and ends_line(int64(text[i])) == 0:
        letter = int64(text[i])
        if letter == _BACKSLASH and text[i + 1] == _QUOTE:
            i += 1
            last = i
        elif letter == _BACKSLASH and text[i + 1] == _BACKSLASH:
            i += 1
        elif letter == _QUOTE:
            last, j = i, i + 1
            while j < end and class_of(int64(text[j])) == BLANK and ends_line(int64(text[j])) == 0:
                j += 1
            if j >= end or text[j] == _CLOSE or ends_line(int64(text[j])) != 0:
                return i
        i += 1
    return last if last >= 0 else min(i, end)


@helper("int64(uint8[::1], int64, int64)")
def after_tag(text: Integers, begin: int, end: int) -> int:
    """Where the text goes on after a value that ends here: after its bracket, or with its line."""
    i = begin
    while i < end and text[i] != _CLOSE and ends_line(int64(text[i])) == 0:
        i += 1
    return i + 1 if i < end and text[i] == _CLOSE else skip_line(text, i, end)


@helper("int64(uint8[::1], int64, int64)")
def same_game(text: Integers, begin: int, end: int) -> int:
    """Whether the value of the tag Variant means chess as we play it."""
    word = word_of(text, begin, end)
    for kind in range(_KINDS):
        if _same_game()[kind] == word:
            return 1
    return 0


@helper("int64(uint8[::1], int64)")
def read_result(text: Integers, begin: int) -> int:
    """The result that stands here, with its length in the bits above the lowest three; NONE for anything else."""
    letter = int64(text[begin])
    if letter == _STAR:
        return 1 << 3 | OPEN
    if letter == _ZERO:
        return 3 << 3 | BLACK_WON if text[begin + 1] == _DASH and text[begin + 2] == _ONE else NONE
    if letter == _ONE:
        if text[begin + 1] == _DASH and text[begin + 2] == _ZERO:
            return 3 << 3 | WHITE_WON
        if text[begin + 1] == _SLASH and text[begin + 2] == _TWO:
            whole = text[begin + 3] == _DASH and text[begin + 4] == _ONE and text[begin + 5] == _SLASH
            return (7 if whole and text[begin + 6] == _TWO else 3) << 3 | DRAWN
        return NONE
    # ½-½ in UTF-8 and in Latin-1.
    if letter == 0xC2 and text[begin + 1] == 0xBD:
        return (5 if text[begin + 2] == _DASH and text[begin + 4] == 0xBD else 2) << 3 | DRAWN
    if letter == 0xBD:
        return (3 if text[begin + 1] == _DASH and text[begin + 2] == 0xBD else 1) << 3 | DRAWN
    return NONE


@helper("int64(uint8[::1], int64, int64)")
def read_rating(text: Integers, begin: int, end: int) -> int:
    """An Elo rating, or UNKNOWN for ``-``, ``?`` and what no player can have."""
    i, value = begin, 0
    while i < end and class_of(int64(text[i])) == BLANK:
        i += 1
    while i < end and is_digit(int64(text[i])) != 0:
        value = min(10 * value + int64(text[i]) - _ZERO, 10 * _MAX_RATING)
        i += 1
    return value if _MIN_RATING <= value <= _MAX_RATING else UNKNOWN


@helper("int64(uint8[::1], int64, int64)")
def read_increment(text: Integers, begin: int, end: int) -> int:
    """Milliseconds a move of ``base+increment`` or ``base``; -1 for other time controls, where clocks may jump."""
    i = begin
    while i < end and is_digit(int64(text[i])) != 0:
        i += 1
    if i == begin or i - begin > 9:
        return -1
    if i == end:
        return 0
    if text[i] != _PLUS:
        return -1
    i += 1
    first, value = i, 0
    while i < end and is_digit(int64(text[i])) != 0:
        value = min(10 * value + int64(text[i]) - _ZERO, 100_000)
        i += 1
    return 1000 * value if i == end and i > first else -1
