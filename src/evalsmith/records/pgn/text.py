"""The parts of PGN that are passed over: comments, variations, and what stands between games.

A brace or a bracket that is never closed would swallow the rest of the file. So a line that begins like a tag pair ends
the game it stands in, wherever that is.
"""

from __future__ import annotations

from evalsmith.compile import Integers, helper, int64
from evalsmith.games.chess.notation.letters import BLANK, class_of, ends_line, is_digit, skip_blanks, skip_line
from evalsmith.games.chess.notation.san import NO_MOVE, read_move
from evalsmith.records.pgn.tags import CUT, NO_TAG, NONE, opens_tag, read_result

# What comes back for something without an end: the text ended first, or (less this) a tag pair began at that place.
ENDLESS, BEFORE_TAG = -1, -2
CUT_OFF = -2
LOOKAHEAD = 16  # bytes; what decides how to read on is never longer, names of tags apart

_BRACE, _CLOSE_BRACE, _OPEN, _CLOSE, _SEMICOLON, _PERCENT, _BRACKET, _DOT = (ord(letter) for letter in "{}();%[.")


@helper("int64(uint8[::1], int64, int64)")
def comment_end(text: Integers, begin: int, end: int) -> int:
    """Where the brace stands that closes a comment; ENDLESS, or BEFORE_TAG less the place of a tag pair."""
    i = begin
    while i < end:
        letter = int64(text[i])
        if letter == _CLOSE_BRACE:
            return i
        if letter == _BRACKET and ends_line(int64(text[i - 1])) != 0:
            found = opens_tag(text, i, end)
            if found == CUT:
                return ENDLESS
            if found != NO_TAG:
                return BEFORE_TAG - i
        i += 1
    return ENDLESS


@helper("int64(uint8[::1], int64, int64)")
def variation_end(text: Integers, begin: int, end: int) -> int:
    """Where the bracket stands that closes a variation, whatever is nested in it; else as for comments."""
    i, depth = begin, 1
    while i < end:
        letter = int64(text[i])
        if letter == _OPEN:
            depth += 1
        elif letter == _CLOSE:
            depth -= 1
            if depth == 0:
                return i
        elif letter == _BRACE:
            i = comment_end(text, i + 1, end)
            if i < 0:
                return i
        elif letter == _SEMICOLON or (letter == _PERCENT and ends_line(int64(text[i - 1])) != 0):
            i = skip_line(text, i, end)
        elif letter == _BRACKET and ends_line(int64(text[i - 1])) != 0:
            found = opens_tag(text, i, end)
            if found == CUT:
                return ENDLESS
            if found != NO_TAG:
                return BEFORE_TAG - i
        i += 1
    return ENDLESS


@helper("int64(uint8[::1], int64, int64)")
def next_tag_line(text: Integers, begin: int, end: int) -> int:
    """Where the next line after ``begin`` stands that begins with a tag pair, or may do so; else ``end``."""
    i = begin + 1
    while i < end:
        if text[i] == _BRACKET and ends_line(int64(text[i - 1])) != 0 and opens_tag(text, i, end) != NO_TAG:
            return i
        i += 1
    return end


@helper("int64(uint8[::1], int64)")
def _moves_begin(text: Integers, begin: int) -> int:
    """Whether moves begin here: with a move, or with a number and a move or a dot."""
    i = begin
    while is_digit(int64(text[i])) != 0 and i - begin < 6:
        i += 1
    if i > begin and (text[i] == _DOT or text[i] == 0xE2):
        return 1
    while i > begin and class_of(int64(text[i])) == BLANK and i - begin < 8:
        i += 1
    return 1 if read_move(text, i) != NO_MOVE else 0


@helper("int64(uint8[::1], int64, int64, int64, integers)")
def next_game(text: Integers, begin: int, end: int, final: int, stray: Integers) -> int:
    """Where the next game begins: a tag pair, a move number or a move; ``end`` where none does.

    Other lines are counted in ``stray[0]`` and passed over. CUT_OFF less a place says that what begins there goes on
    after the end of the text.
    """
    i = begin
    while True:
        i = skip_blanks(text, i, end)
        if i >= end:
            return end
        if final == 0 and end - i < LOOKAHEAD:
            return CUT_OFF - i
        letter = int64(text[i])
        if letter == _BRACE:
            j = comment_end(text, i + 1, end)
            if j == ENDLESS and final == 0:
                return CUT_OFF - i
            if j == ENDLESS:
                return end
            i = j + 1 if j >= 0 else BEFORE_TAG - j
            continue
        if letter == _BRACKET:
            found = opens_tag(text, i, end)
            if found == CUT and final == 0:
                return CUT_OFF - i
            if found > 0:
                return i
        elif letter != _SEMICOLON and letter != _PERCENT:
            # What is left over of a game before: a second result, a bracket too many.
            left = read_result(text, i)
            if left != NONE or letter in (_CLOSE_BRACE, _CLOSE):
                i += max(1, left >> 3)
                continue
            if _moves_begin(text, i) != 0:
                return i
        j = skip_line(text, i, end)
        if j >= end and final == 0:
            return CUT_OFF - i
        if letter != _SEMICOLON and letter != _PERCENT:
            stray[0] += 1
        i = j
