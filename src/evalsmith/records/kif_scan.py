"""KIF and KI2 text cut into games and lines, by one compiled pass over its code points.

Headings, endings and last lines become spans of letters that Python reads; the moves of the main line become claims.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, driver, helper, int64
from evalsmith.games.shogi.generate import ORIGIN
from evalsmith.records.kif_tokens import (
    BLACK_MARK,
    OPENS,
    POINTS,
    SPACE,
    WHITE_MARK,
    claim_at,
    class_at,
    number_at,
    skip,
    time_at,
)
from evalsmith.records.shogi_replay import NO_ORIGIN
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
# missing. NUMBER is that of the last move, WORDS counts the moves that tell no origin.
HEADING, ENDING, TOLD = 3, 5, 7
NUMBER, WORDS, VARIATIONS, WRONG, ODD = range(9, 14)
COLUMNS = 14

# How far a game has come. A table is the line above the moves.
_NOTHING, _HEADER, _TABLE, _PLAY, _ENDED, _VARIATION = range(6)

_NEWLINE, _RETURN, _END_OF_FILE, _MARK = 10, 13, 26, 0xFEFF
_STAR, _WIDE_STAR, _AND, _HASH, _BAR, _PLUS, _MINUS = 0x2A, 0xFF0A, 0x26, 0x23, 0x7C, 0x2B, 0x2D
_TE, _SUU, _HEN, _KA, _MA, _DE = ord("手"), ord("数"), ord("変"), ord("化"), ord("ま"), ord("で")
_SEALED, _PAUSED = ord("封"), ord("中")
# Two letters that begin the keys of a heading; behind moves they begin another game.
_KEYS = tuple(
    (ord(key[0]), ord(key[1]))
    for key in ("開始", "手合", "先手", "後手", "下手", "上手", "棋戦", "表題", "対局", "場所", "持ち", "作品", "作者")
)
_FIRSTS, _SECONDS = (np.array(letters, dtype=np.int64) for letters in zip(*_KEYS, strict=True))
_KEY_COUNT = len(_KEYS)
_KEY_WIDTH = 24  # the longest key that is looked for


@helper("int64(int64, int64, int64, int64[:, ::1], int64[::1])")
def _ready(place: int, line: int, renew: int, facts: Integers, totals: Integers) -> int:
    """Make sure that a game is open, a fresh one where ``renew`` is set; 0 where there is no room for it."""
    if renew != 0 and totals[PHASE] != _NOTHING:
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
        facts[row, HEADING], facts[row, HEADING + 1] = place, place
        facts[row, WORDS], facts[row, VARIATIONS], facts[row, ODD] = 0, 0, 0
        totals[PHASE] = _HEADER
    return 1


@helper("int64(uint32[::1], int64, int64)")
def _is_key(data: Integers, place: int, end: int) -> int:
    """1 for a line with a key and a colon, 2 where the key is one that begins a game, 0 for any other line."""
    found = 0
    for behind in range(place, min(end, place + _KEY_WIDTH)):
        if class_at(data, behind, end) == POINTS:
            found = 1
            break
    if found != 0 and place + 1 < end:
        for key in range(_KEY_COUNT):
            if int64(data[place]) == _FIRSTS[key] and int64(data[place + 1]) == _SECONDS[key]:
                return 2
    return found


@helper("void(int64, int64, int64[:, ::1], int64[::1])")
def _not_understood(place: int, phase: int, facts: Integers, totals: Integers) -> None:
    """Count a line that is none of those known: among moves it breaks the game."""
    row = totals[GAMES]
    if phase == _NOTHING:
        if totals[STRAY] == 0:
            totals[FIRST_STRAY] = place
        totals[STRAY] += 1
    elif phase in (_TABLE, _PLAY):
        if facts[row, WRONG] < 0:
            facts[row, WRONG] = place
    else:
        facts[row, ODD] += 1


@helper("int64(uint32[::1], int64[:, ::1], int64)", inline=True)
def _is_open(data: Integers, facts: Integers, row: int) -> int:
    """Whether the ending told so far lets the game go on: an interruption, a sealed move."""
    place = facts[row, ENDING]
    return 1 if place >= 0 and (int64(data[place]) == _SEALED or int64(data[place]) == _PAUSED) else 0


@helper(
    "int64(uint32[::1], int64, int64, int64, int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1], "
    "int64[::1])",
    inline=True,
)
def _take(
    data: Integers, begin: int, place: int, end: int, facts: Integers, totals: Integers, claims: Integers,
    places: Integers, times: Integers, behind: Integers,
) -> int:  # fmt: skip
    """A move with its time, or an ending, of the game that is open; ``behind[0]`` is the place behind it."""
    row, here = totals[GAMES], totals[CLAIMS]
    going = totals[PHASE] != _ENDED or _is_open(data, facts, row) != 0
    last = claims[here - 1] & 127 if here > facts[row, FIRST] else -1
    claim = claim_at(data, place, end, last, behind)
    if not going:
        if facts[row, WRONG] < 0:
            facts[row, WRONG] = begin
        behind[0] = end
        return 0
    if claim < 0:
        if class_at(data, place, end) >= BLACK_MARK:
            place = skip(data, place + 1, end)
        final = place
        while final < end and class_at(data, final, end) != SPACE and class_at(data, final, end) != OPENS:
            final += 1
        facts[row, ENDING], facts[row, ENDING + 1] = place, final
        totals[PHASE] = _ENDED
        behind[0] = final
        return 0
    if (claim // ORIGIN) & 127 == NO_ORIGIN:
        facts[row, WORDS] += 1
    claims[here], places[here] = claim, place
    final = behind[0]
    times[here] = time_at(data, final, end, behind)
    behind[0] = max(behind[0], final)
    totals[CLAIMS] += 1
    totals[PHASE] = _PLAY
    return 1


@helper(
    "int64(uint32[::1], int64, int64, int64, int64, int64, int64[:, ::1], int64[::1], int64[::1], int64[::1],"
    "int64[::1], int64[::1])",
    inline=True,
)
def _numbered(
    data: Integers, begin: int, place: int, end: int, number: int, line: int, facts: Integers, totals: Integers,
    claims: Integers, places: Integers, times: Integers, behind: Integers,
) -> int:  # fmt: skip
    """A line of KIF with a number: a move or an ending; 0 where there is no room for a new game."""
    if totals[PHASE] == _VARIATION:
        return 1
    renew = 1 if totals[PHASE] == _ENDED and number == 1 else 0
    if _ready(begin, line, renew, facts, totals) == 0:
        return 0
    row = totals[GAMES]
    known = facts[row, NUMBER]
    if _take(data, begin, place, end, facts, totals, claims, places, times, behind) != 0:
        if known >= 0 and number != known + 1 and facts[row, WRONG] < 0:
            facts[row, WRONG] = begin
        facts[row, NUMBER] = number
    return 1


@helper(
    "int64(uint32[::1], int64, int64, int64, int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])"
)
def _marked(
    data: Integers, place: int, end: int, line: int, facts: Integers, totals: Integers, claims: Integers,
    places: Integers, times: Integers, behind: Integers,
) -> int:  # fmt: skip
    """A line of KI2 with the moves of both sides; 0 where there is no room for a new game."""
    if totals[PHASE] == _VARIATION:
        return 1
    if _ready(place, line, 0, facts, totals) == 0:
        return 0
    while place < end:
        if class_at(data, place, end) < BLACK_MARK or class_at(data, place, end) > WHITE_MARK:
            if facts[totals[GAMES], WRONG] < 0:
                facts[totals[GAMES], WRONG] = place
            return 1
        _take(data, place, place, end, facts, totals, claims, places, times, behind)
        place = skip(data, behind[0], end)
    return 1


@helper("int64(uint32[::1], int64, int64, int64, int64[:, ::1], int64[::1])")
def _worded(data: Integers, place: int, end: int, line: int, facts: Integers, totals: Integers) -> int:
    """A line without a number: of the heading, the board or the end; 0 where there is no room for a new game."""
    first, second = int64(data[place]), int64(data[place + 1]) if place + 1 < end else 0
    phase = totals[PHASE]
    row = totals[GAMES]
    played = phase >= _ENDED or (phase == _PLAY)
    if first == _HEN and second == _KA and class_at(data, place + 2, end) == POINTS:
        if phase == _NOTHING:
            _not_understood(place, phase, facts, totals)
        else:
            facts[row, VARIATIONS] += 1
            totals[PHASE] = _VARIATION
        return 1
    if first == _MA and second == _DE:
        if phase in (_NOTHING, _VARIATION):
            return 1
        if facts[row, TOLD] < 0:
            facts[row, TOLD], facts[row, TOLD + 1] = place, end
            totals[PHASE] = _ENDED
        return 1
    if first == _TE and second == _SUU and place + 2 < end and int64(data[place + 2]) == _MINUS:
        if _ready(place, line, 1 if played else 0, facts, totals) == 0:
            return 0
        totals[PHASE] = _TABLE
        return 1
    key = _is_key(data, place, end)
    board = first == _BAR or (first == _PLUS and second == _MINUS)
    if phase <= _HEADER and (key != 0 or board or phase == _HEADER):
        if _ready(place, line, 0, facts, totals) == 0:
            return 0
        facts[totals[GAMES], HEADING + 1] = end
        return 1
    if key == 2 and (played or phase == _TABLE):
        if _ready(place, line, 1, facts, totals) == 0:
            return 0
        facts[totals[GAMES], HEADING + 1] = end
        return 1
    _not_understood(place, phase, facts, totals)
    return 1


@driver("void(uint32[::1], int64, int64, int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])")
def _scan(
    data: Integers, line: int, last: int, facts: Integers, totals: Integers, claims: Integers, places: Integers,
    times: Integers, behind: Integers,
) -> None:  # fmt: skip
    """Go through the lines; what comes out is described at ``Scan``."""
    place, size = 0, data.shape[0]
    while place < size:
        end = place
        while end < size and int64(data[end]) != _NEWLINE and int64(data[end]) != _RETURN:
            end += 1
        following = end + 1
        if following < size and int64(data[end]) == _RETURN and int64(data[following]) == _NEWLINE:
            following += 1
        # A byte-order mark also stands where files were put together.
        if place < end and int64(data[place]) == _MARK:
            place += 1
        begin = skip(data, place, end)
        letter = int64(data[begin]) if begin < end else _END_OF_FILE
        comment = letter in (_STAR, _WIDE_STAR, _AND, _HASH)
        if not comment and letter != _END_OF_FILE:
            number = number_at(data, begin, end, behind)
            text = skip(data, behind[0], end)
            digit = 1 <= class_at(data, text, end) <= 9 and class_at(data, text + 1, end) == SPACE
            room = 1
            if number >= 0 and text > behind[0]:
                # The line above a board has a single digit a file.
                if not digit:
                    room = _numbered(data, place, text, end, number, line, facts, totals, claims, places, times, behind)
            elif BLACK_MARK <= class_at(data, begin, end) <= WHITE_MARK:
                room = _marked(data, begin, end, line, facts, totals, claims, places, times, behind)
            else:
                room = _worded(data, begin, end, line, facts, totals)
            if room == 0:
                return
        place = following
        line += 1
    totals[REST], totals[REST_LINE] = size, line
    if totals[PHASE] != _NOTHING:
        if last != 0:
            totals[GAMES] += 1
        else:
            row = totals[GAMES]
            totals[REST], totals[REST_LINE], totals[CLAIMS] = facts[row, BEGIN], facts[row, LINE], facts[row, FIRST]


def scan(text: str, line: int, last: bool, dropping: bool) -> Scan:
    """Find the games of some whole lines, of which the first is ``line``.

    ``last`` says that nothing follows, ``dropping`` that the lines begin inside of a game that is not wanted: it
    comes as the first one.
    """
    data = np.frombuffer(bytearray(text.encode("utf-32-le", "replace")), dtype=np.uint32)
    found = prepare(len(data) // 5 + 1, COLUMNS)
    if dropping:
        _ready(0, line, 0, found.facts, found.totals)
        found.totals[PHASE] = _VARIATION
    behind = np.zeros(1, dtype=np.int64)
    _scan(
        data, line, int(last), found.facts, found.totals, found.claims, found.places, found.times, behind
    )  # fmt: skip
    return found.cut()
