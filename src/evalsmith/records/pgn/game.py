"""One game of PGN, read by compiled code: its tags, its start, its moves, and how it ended.

What is found goes into a row of ``facts`` (the names below), the moves and what comments say of them into columns.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Integers, Values, Words, at, helper, int64
from evalsmith.games.chess.legality import checkers, stuck
from evalsmith.games.chess.notation.fen import read_fen
from evalsmith.games.chess.notation.letters import (
    BLANK,
    MARK,
    STOP,
    class_of,
    ends_line,
    is_digit,
    is_letter,
    skip_blanks,
    skip_line,
    skip_word,
)
from evalsmith.games.chess.notation.san import AMBIGUOUS, LENGTH, NO_MOVE, read_move, resolve
from evalsmith.games.chess.rules import WIN_VALUE
from evalsmith.games.chess.words import STATE, WORDS, side_of
from evalsmith.games.contract import OVER, status_of
from evalsmith.records.pgn.scores import AFTER, AFTER_DEPTH, CLOCK, DEPTH, OWN, OWN_WHITE, TAKEN, read_comment
from evalsmith.records.pgn.tags import (
    BLACK_ELO,
    CUT,
    EVENT,
    FEN,
    NO_TAG,
    NONE,
    RESULT,
    TAGS,
    TIME_CONTROL,
    VARIANT,
    WHITE_ELO,
    after_tag,
    opens_tag,
    read_increment,
    read_rating,
    read_result,
    same_game,
    tag_name,
    value_end,
)
from evalsmith.records.pgn.text import BEFORE_TAG, ENDLESS, LOOKAHEAD, comment_end, variation_end
from evalsmith.records.record import UNKNOWN

# The row of facts of a game. PLACE is the byte that a fault is about; STATED is the result after the moves, TAGGED that
# of the tag; DECIDED is the value of mate or stalemate on the board for White. The spans of the tags come last.
BEGIN, FAULT, PLACE, PLIES, STATED, TAGGED, ENDED, DECIDED, STANDARD, WHITE_RATING, BLACK_RATING, INCREMENT = range(12)
SPANS = 12
FACTS = SPANS + 2 * TAGS

# Faults; 0 is none.
ILLEGAL_MOVE, AMBIGUOUS_MOVE, NOT_MOVE, NULL_MOVE, MANY_MOVES, OPEN_COMMENT, OPEN_VARIATION = range(1, 8)
BAD_START, OTHER_GAME, WITHOUT_MOVES, TOO_LONG = range(8, 12)

MAX_PLIES = 12000
_NOTHING = np.uint64(0)

_BRACE, _OPEN, _SEMICOLON, _PERCENT, _BRACKET, _CLOSE_BRACKET, _DOLLAR = (ord(letter) for letter in "{(;%[]$")
_DASH, _DOT, _ZERO, _BIG_Z, _BIG_N, _BIG_D, _SMALL_E, _AT = (ord(letter) for letter in "-.0ZNDe@")
_SMALL_N, _SMALL_U, _SMALL_P = (ord(letter) for letter in "nup")


@helper("int64(uint8[::1], int64, int64, int64, integers)")
def _read_tags(text: Integers, begin: int, end: int, final: int, spans: Integers) -> int:
    """Read a tag section and give where the moves begin, or CUT. A second Event begins another game."""
    for i in range(2 * TAGS):
        spans[i] = 0
    i = begin
    while True:
        i = skip_blanks(text, i, end)
        if i >= end:
            return end if final != 0 else CUT
        letter = int64(text[i])
        if letter == _BRACKET:
            value = opens_tag(text, i, end)
            if value == CUT and final == 0:
                return CUT
            if value <= 0:
                i = skip_line(text, i, end)
                continue
            tag = tag_name(text, i, end)
            if tag == EVENT and spans[2 * EVENT] != 0:
                return i
            stop = value_end(text, value, end)
            i = after_tag(text, stop, end)
            if i >= end and final == 0:
                return CUT
            if tag >= 0 and spans[2 * tag] == 0:
                spans[2 * tag], spans[2 * tag + 1] = value, stop
        elif letter == _SEMICOLON or (letter == _PERCENT and (i == 0 or ends_line(int64(text[i - 1])) != 0)):
            i = skip_line(text, i, end)
        else:
            return i


@helper("void(uint8[::1], integers, words, words)")
def _set_up(text: Integers, facts: Integers, standard: Words, start: Words) -> None:
    """The facts that the tags hold, and the position that the game begins with."""
    spans = at(facts, SPANS)
    for i in range(WORDS):
        start[i] = standard[i]
    facts[STANDARD], facts[FAULT] = 1, 0
    facts[TAGGED] = read_result(text, spans[2 * RESULT]) & 7 if spans[2 * RESULT] != 0 else NONE
    facts[WHITE_RATING] = read_rating(text, spans[2 * WHITE_ELO], spans[2 * WHITE_ELO + 1])
    facts[BLACK_RATING] = read_rating(text, spans[2 * BLACK_ELO], spans[2 * BLACK_ELO + 1])
    facts[INCREMENT] = read_increment(text, spans[2 * TIME_CONTROL], spans[2 * TIME_CONTROL + 1])
    variant, fen = spans[2 * VARIANT], spans[2 * FEN]
    if variant != 0 and same_game(text, variant, spans[2 * VARIANT + 1]) == 0:
        facts[FAULT], facts[PLACE] = OTHER_GAME, variant
    elif fen != 0 and skip_blanks(text, fen, spans[2 * FEN + 1]) < spans[2 * FEN + 1]:
        stop = read_fen(text, fen, spans[2 * FEN + 1], start)
        if stop < 0 or skip_blanks(text, stop, spans[2 * FEN + 1]) < spans[2 * FEN + 1]:
            facts[FAULT], facts[PLACE] = BAD_START, fen
        for i in range(WORDS):
            if start[i] != standard[i]:
                facts[STANDARD] = 0


@helper("int64(uint8[::1], int64, int64)")
def _odd_word(text: Integers, begin: int, stop: int) -> int:
    """What a word is that is no move: 0 a sign that means nothing to us, NULL_MOVE, or NOT_MOVE."""
    first, length = int64(text[begin]), stop - begin
    second = int64(text[begin + 1])
    if length == 2 and ((first == _DASH and second == _DASH) or (first == _BIG_Z and second == _ZERO)):
        return NULL_MOVE
    if length == 4 and (first == _AT or (first == _SMALL_N and second == _SMALL_U)):
        return NULL_MOVE
    # N is a novelty and D a diagram; e.p. may stand apart from its move.
    if length == 1 and (first in (_BIG_N, _BIG_D, _SMALL_E, _SMALL_P)):
        return 0
    if first == _SMALL_E and length == 2 and second == _SMALL_P:
        return 0
    for i in range(begin, stop):
        letter = int64(text[i])
        if is_digit(letter) | is_letter(letter) != 0:
            return NOT_MOVE
    return 0


@helper("int64(uint8[::1], int64, int64)")
def _after_number(text: Integers, begin: int, end: int) -> int:
    """Where the text goes on after a move number and its dots, three of which may be one sign of Unicode."""
    i = begin
    while i < end and is_digit(int64(text[i])) != 0:
        i += 1
    while i < end and (text[i] == _DOT or (text[i] == 0xE2 and text[i + 1] == 0x80 and text[i + 2] == 0xA6)):
        i += 1 if text[i] == _DOT else 3
    return min(i, end)


@helper("int64(uint8[::1], int64)")
def _zeros(text: Integers, begin: int) -> int:
    """Whether a word is ``0000``, the null move of UCI."""
    for i in range(begin, begin + 4):
        if text[i] != _ZERO:
            return 0
    return 1 - is_digit(int64(text[begin + 4]))


@helper("void(integers, int64, int64, int64, indices, values, indices, integers)")
def _keep_comment(
    said: Integers, ply: int, mover: int, increment: int, scores: Indices, depths: Values, taken: Indices,
    carried: Integers,
) -> None:  # fmt: skip
    """Lay down what a comment after move ``ply`` says; what it says of the next position is carried on."""
    if said[OWN] != UNKNOWN:
        scores[ply] = -said[OWN] if said[OWN_WHITE] != 0 and mover == 1 else said[OWN]
        depths[ply] = said[DEPTH]
    if said[TAKEN] >= 0:
        taken[ply] = said[TAKEN]
    elif said[CLOCK] >= 0 and carried[mover] >= 0 and increment >= 0:
        spent = carried[mover] - said[CLOCK] + increment
        taken[ply] = spent if spent >= 0 else -1
    if said[CLOCK] >= 0:
        carried[mover] = said[CLOCK]
    if said[AFTER] != UNKNOWN:
        # Of the position after the move, so for the other side.
        carried[2] = said[AFTER] if mover == 1 else -said[AFTER]
        carried[3] = said[AFTER_DEPTH]


@helper(
    "int64(integers, uint8[::1], int64, int64, int64, integers, integers, words, words, "
    "indices, indices, values, indices)"
)
def _read_moves(
    context: Integers, text: Integers, begin: int, end: int, final: int, facts: Integers, said: Integers,
    here: Words, below: Words, moves: Indices, scores: Indices, depths: Values, taken: Indices,
) -> int:  # fmt: skip
    """Read and play moves from ``here`` up to the result, the next tag pair or the end; give where that is, or CUT."""
    carried = at(said, 8)  # the clocks of both sides, then the score and the depth of the next position
    carried[0], carried[1], carried[2], carried[3] = -1, -1, UNKNOWN, -1
    fault, ply, i = facts[FAULT], 0, begin
    facts[STATED] = NONE
    while True:
        if i >= end or (final == 0 and end - i < LOOKAHEAD):
            if final == 0:
                return CUT
            break
        letter = int64(text[i])
        kind = class_of(letter)
        if kind == BLANK:
            i = skip_line(text, i + 1, end) if ends_line(letter) != 0 and text[i + 1] == _PERCENT else i + 1
        elif letter in (_BRACE, _OPEN):
            stop = comment_end(text, i + 1, end) if letter == _BRACE else variation_end(text, i + 1, end)
            if stop == ENDLESS and final == 0:
                return CUT
            if stop < 0:
                if fault == 0:
                    fault, facts[PLACE] = OPEN_COMMENT if letter == _BRACE else OPEN_VARIATION, i
                i = end if stop == ENDLESS else BEFORE_TAG - stop
                break
            if letter == _BRACE and fault == 0 and ply > 0:
                mover = 1 - side_of(here[STATE])
                read_comment(text, i + 1, stop, mover, said)
                _keep_comment(said, ply - 1, mover, facts[INCREMENT], scores, depths, taken, carried)
            i = stop + 1
        elif letter == _SEMICOLON:
            i = skip_line(text, i, end)
        elif letter == _BRACKET:
            found = opens_tag(text, i, end)
            if found == CUT and final == 0:
                return CUT
            if found > NO_TAG:
                break
            i = skip_word(text, i, end)
            while i < end and text[i] != _CLOSE_BRACKET and ends_line(int64(text[i])) == 0:
                i += 1
        elif read_result(text, i) != NONE:
            result = read_result(text, i)
            facts[STATED] = result & 7
            i += result >> 3
            break
        elif is_digit(letter) != 0 and (letter != _ZERO or text[i + 1] != _DASH):
            if letter == _ZERO and fault == 0 and _zeros(text, i) != 0:
                fault, facts[PLACE] = NULL_MOVE, i
            i = _after_number(text, i, end)
        elif kind in (STOP, MARK):
            i = _after_number(text, i + 1, end) if letter == _DOLLAR else i + 1
        elif fault != 0:
            i = skip_word(text, i, end)
        else:
            word = read_move(text, i)
            if word == NO_MOVE:
                stop = skip_word(text, i, end)
                fault, facts[PLACE] = _odd_word(text, i, stop), i
                i = stop
                continue
            if ply == MAX_PLIES:
                fault, facts[PLACE] = MANY_MOVES, i
                continue
            move = resolve(context, here, word, below)
            if move < 0:
                fault, facts[PLACE] = AMBIGUOUS_MOVE if move == AMBIGUOUS else ILLEGAL_MOVE, i
                continue
            moves[ply], scores[ply], depths[ply], taken[ply] = move, carried[2], carried[3], -1
            carried[2], carried[3] = UNKNOWN, -1
            ply += 1
            here, below = below, here
            i += word >> LENGTH
    facts[FAULT], facts[PLIES] = fault, ply
    return i


@helper(
    "int64(integers, uint8[::1], int64, int64, int64, integers, integers, words, words, words, "
    "indices, indices, values, indices)"
)
def read_game(
    context: Integers, text: Integers, begin: int, end: int, final: int, facts: Integers, said: Integers,
    work: Words, start: Words, last: Words, moves: Indices, scores: Indices, depths: Values, taken: Indices,
) -> int:  # fmt: skip
    """Read the game at ``begin`` and give where the text goes on after it, or CUT.

    ``work`` has the standard start and room for two positions; ``last`` gets the position that the moves reach.
    """
    i = _read_tags(text, begin, end, final, at(facts, SPANS))
    if i == CUT:
        return CUT
    facts[BEGIN] = begin
    _set_up(text, facts, work, start)
    here, below = at(work, WORDS), at(work, 2 * WORDS)
    for word in range(WORDS):
        here[word] = start[word]
    i = _read_moves(context, text, i, end, final, facts, said, here, below, moves, scores, depths, taken)
    if i == CUT:
        return CUT
    ply = facts[PLIES]
    if ply & 1 != 0:
        here = below
    for word in range(WORDS):
        last[word] = here[word]
    facts[ENDED], facts[DECIDED] = 0, UNKNOWN
    if facts[FAULT] == 0:
        if ply == 0:
            facts[FAULT], facts[PLACE] = WITHOUT_MOVES, begin
        elif status_of(context, last) == OVER:
            facts[ENDED] = 1
            if stuck(last) != 0:
                side = side_of(last[STATE])
                mated = checkers(last, side) != _NOTHING
                facts[DECIDED] = (WIN_VALUE if side == 1 else -WIN_VALUE) if mated else 0
    return i
