"""CSA text cut into games and statements, by one compiled pass over its bytes.

Nothing is judged here that needs a board: a move becomes a claim, names and titles become spans of bytes.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Integers, driver, helper, int64
from evalsmith.records.csa_tokens import (
    BLACK_WORD,
    BLANK,
    CLOCK_WORD,
    DATE_WORD,
    EVENT_WORD,
    LIMIT_WORD,
    MINUS,
    PLUS,
    SUMMARY_WORD,
    TAB,
    WHITE_WORD,
    begins,
    claim_of,
    number_of,
    rating_of,
    score_of,
)
from evalsmith.records.record import UNKNOWN
from evalsmith.records.shogi_replay import SIDE
from evalsmith.records.shogi_scan import (
    BEGIN,
    CLAIMS,
    FIRST,
    FIRST_STRAY,
    FULL,
    GAMES,
    LINE,
    PHASE,
    REST,
    REST_LINE,
    STRAY,
    Scan,
    prepare,
)

# Columns of a game behind those that all formats share. A span is two columns, its begin and its end; -1 where it is
# missing.
BLACK_NAME, WHITE_NAME, EVENT, DATE, CLOCK, START, ENDING, SUMMARY = range(3, 19, 2)
BLACK_RATING, WHITE_RATING, MOVER, WRONG, ODD = range(19, 24)
COLUMNS = 24

# How far a game has come.
_NOTHING, _HEADER, _PLAY, _ENDED = range(4)

_NEWLINE, _RETURN, _COMMA, _END_OF_FILE = 10, 13, 44, 26
_QUOTE, _PERCENT, _SLASH, _DOLLAR, _STAR = 39, 37, 47, 36, 42
_N, _P, _T, _V = 78, 80, 84, 86


@helper("int64(int64, int64, int64, int64[:, ::1], int64[::1])", inline=True)
def _ready(place: int, line: int, renew: int, facts: Integers, totals: Integers) -> int:
    """Make sure that a game is open, a fresh one where ``renew`` is set and this one has begun to be played.

    0 where there is no room for it.
    """
    row = totals[GAMES]
    played = totals[PHASE] == _ENDED or (totals[PHASE] == _PLAY and totals[CLAIMS] > facts[row, FIRST])
    if renew != 0 and played:
        totals[GAMES] += 1
        totals[PHASE] = _NOTHING
    if totals[PHASE] == _NOTHING:
        row = totals[GAMES]
        if row == facts.shape[0]:
            totals[FULL], totals[REST], totals[REST_LINE] = 1, place, line
            return 0
        for column in range(COLUMNS):
            facts[row, column] = -1
        facts[row, BEGIN], facts[row, LINE], facts[row, FIRST] = place, line, totals[CLAIMS]
        facts[row, BLACK_RATING], facts[row, WHITE_RATING] = UNKNOWN, UNKNOWN
        facts[row, ODD] = 0
        totals[PHASE] = _HEADER
    return 1


@helper("void(uint8[::1], int64, int64, int64[:, ::1], int64[::1], int64[::1], int32[::1])")
def _comment(
    data: Integers, place: int, end: int, facts: Integers, totals: Integers, claims: Integers, scores: Indices
) -> None:
    """What game servers say in comments: ratings, who won, and the mover's program's score, for black."""
    row, last = totals[GAMES], totals[CLAIMS] - 1
    if totals[PHASE] == _NOTHING:
        return
    if place + 1 < end and int64(data[place]) == _STAR and int64(data[place + 1]) == _STAR:
        score = score_of(data, place + 2, end)
        if last >= facts[row, FIRST] and score != UNKNOWN:
            scores[last] = -score if (claims[last] >> SIDE) & 3 == 2 else score
        return
    for side in range(2):
        length = begins(data, place, end, BLACK_WORD if side == 0 else WHITE_WORD)
        if length > 0:
            facts[row, BLACK_RATING + side] = rating_of(data, place + length, end)
    length = begins(data, place, end, SUMMARY_WORD)
    if length > 0:
        facts[row, SUMMARY], facts[row, SUMMARY + 1] = place + length, end


@helper("void(uint8[::1], int64, int64, int64[:, ::1], int64)")
def _title(data: Integers, place: int, end: int, facts: Integers, row: int) -> None:
    """``$EVENT:`` and its like."""
    for number in range(4):
        word = EVENT_WORD if number == 0 else DATE_WORD if number == 1 else LIMIT_WORD if number == 2 else CLOCK_WORD
        length = begins(data, place, end, word)
        if length > 0:
            column = EVENT if number == 0 else DATE if number == 1 else CLOCK
            facts[row, column], facts[row, column + 1] = place + length, end


@helper("int64(uint8[::1], int64, int64, int64, int64[:, ::1], int64[::1])")
def _header(data: Integers, place: int, end: int, line: int, facts: Integers, totals: Integers) -> int:
    """A statement before the moves; 0 where there is no room for a new game."""
    letter = int64(data[place])
    # Some write how a game ended with a $ behind it, so only the others begin a new one.
    if _ready(place, line, 0 if letter == _DOLLAR else 1, facts, totals) == 0:
        return 0
    row = totals[GAMES]
    if letter == _N:
        sign = int64(data[place + 1]) if place + 1 < end else 0
        if sign in (PLUS, MINUS):
            column = BLACK_NAME if sign == PLUS else WHITE_NAME
            facts[row, column], facts[row, column + 1] = place + 2, end
        else:
            facts[row, ODD] += 1
    elif letter == _DOLLAR:
        _title(data, place + 1, end, facts, row)
    elif letter == _P:
        if facts[row, START] < 0:
            facts[row, START] = place
        facts[row, START + 1] = end
    return 1


@helper(
    "int64(uint8[::1], int64, int64, int64, int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1])",
    inline=True,
)
def _play(
    data: Integers, place: int, end: int, line: int, facts: Integers, totals: Integers, claims: Integers,
    places: Integers, times: Integers,
) -> int:  # fmt: skip
    """A move, the side that begins, a time, an ending, or what is none of these; 0 where there is no room."""
    letter, phase = int64(data[place]), totals[PHASE]
    signed = letter in (PLUS, MINUS)
    if signed:
        alone = end - place == 1
        if _ready(place, line, 1 if alone and phase == _ENDED else 0, facts, totals) == 0:
            return 0
        row = totals[GAMES]
        claim = -1 if alone else claim_of(data, place, end)
        if claim >= 0 and totals[PHASE] != _ENDED:
            here = totals[CLAIMS]
            claims[here], places[here], times[here] = claim, place, -1
            totals[CLAIMS] += 1
            totals[PHASE] = _PLAY
        elif alone and totals[CLAIMS] == facts[row, FIRST]:
            facts[row, MOVER] = 0 if letter == PLUS else 1
            totals[PHASE] = _PLAY
        elif facts[row, WRONG] < 0:
            facts[row, WRONG] = place
        return 1
    if phase == _NOTHING:
        if totals[STRAY] == 0:
            totals[FIRST_STRAY] = place
        totals[STRAY] += 1
        return 1
    row = totals[GAMES]
    if letter == _PERCENT and facts[row, ENDING] < 0:
        facts[row, ENDING], facts[row, ENDING + 1] = place, end
        totals[PHASE] = _ENDED
        return 1
    if letter == _T:
        time = number_of(data, place + 1, end, 3)
        if time >= 0:
            if phase == _PLAY and totals[CLAIMS] > facts[row, FIRST]:
                times[totals[CLAIMS] - 1] = time
            return 1
    if phase == _PLAY and letter != _T:
        if facts[row, WRONG] < 0:
            facts[row, WRONG] = place
    else:
        facts[row, ODD] += 1
    return 1


@driver("void(uint8[::1], int64, int64, int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1], int32[::1])")
def _scan(
    data: Integers, line: int, last: int, facts: Integers, totals: Integers, claims: Integers, places: Integers,
    times: Integers, scores: Indices,
) -> None:  # fmt: skip
    """Go through the lines; what comes out is described at ``Scan``."""
    place, size = 0, data.shape[0]
    while place < size:
        # Most lines of most files are plain moves: they need none of what follows.
        if totals[PHASE] == _PLAY and place + 7 < size and int64(data[place + 7]) == _NEWLINE:
            claim = claim_of(data, place, place + 7) if int64(data[place]) in (PLUS, MINUS) else int64(-1)
            if claim >= 0:
                here = totals[CLAIMS]
                claims[here], places[here], times[here] = claim, place, -1
                totals[CLAIMS] += 1
                place += 8
                line += 1
                continue
        end = place
        while end < size and int64(data[end]) != _NEWLINE and int64(data[end]) != _RETURN:
            end += 1
        following = end + 1
        if following < size and int64(data[end]) == _RETURN and int64(data[following]) == _NEWLINE:
            following += 1
        # A byte-order mark stands where files were put together.
        if end - place >= 3 and int64(data[place]) == 0xEF and int64(data[place + 1]) == 0xBB:
            place += 3
        while place < end:
            letter = int64(data[place])
            stop = place + 1
            if letter in (_QUOTE, _N, _DOLLAR):
                stop = end
            while stop < end and int64(data[stop]) != _COMMA:
                stop += 1
            # Blanks belong to the rows of a board, not to other statements.
            final = stop
            while final > place and (int64(data[final - 1]) == BLANK or int64(data[final - 1]) == TAB):
                final -= 1
            room = 1
            if letter == _QUOTE:
                _comment(data, place + 1, end, facts, totals, claims, scores)
            elif letter == _SLASH and final - place == 1:
                if totals[PHASE] != _NOTHING:
                    totals[GAMES] += 1
                    totals[PHASE] = _NOTHING
            elif letter in (_N, _DOLLAR, _P, _V):
                room = _header(data, place, final, line, facts, totals)
            elif final > place and letter != _COMMA and letter != _END_OF_FILE:
                room = _play(data, place, final, line, facts, totals, claims, places, times)
            if room == 0:
                return
            place = stop + 1
        place = following
        line += 1
    totals[REST], totals[REST_LINE] = size, line
    if totals[PHASE] != _NOTHING:
        if last != 0:
            totals[GAMES] += 1
        else:
            row = totals[GAMES]
            totals[REST], totals[REST_LINE], totals[CLAIMS] = facts[row, BEGIN], facts[row, LINE], facts[row, FIRST]


def scan(content: bytes, line: int, last: bool, dropping: bool) -> Scan:
    """Find the games of some whole lines, of which the first is ``line``.

    ``last`` says that nothing follows, ``dropping`` that the lines begin inside of a game that is not wanted: it
    comes as the first one.
    """
    data = np.frombuffer(bytearray(content), dtype=np.uint8)  # compiled code takes only what could be written
    found = prepare(len(data) // 7 + 1, COLUMNS)
    if dropping:
        _ready(0, line, 0, found.facts, found.totals)
        found.totals[PHASE] = _ENDED
    _scan(
        data, line, int(last), found.facts, found.totals, found.claims, found.places, found.times, found.scores
    )  # fmt: skip
    return found.cut()
