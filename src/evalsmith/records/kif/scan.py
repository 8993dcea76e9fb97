"""KIF and KI2 text cut into games and lines, by one compiled pass over its bytes.

Headings, terminations and last lines become spans of bytes that Python reads; the moves of the main line become claims.
"""

from __future__ import annotations

from collections.abc import Callable

from evalsmith.compile import Integers, Small, driver, helper, int64, pointer
from evalsmith.games.shogi.notation.kif import BYTES, VALUE, claim_at, plain_claim
from evalsmith.games.shogi.notation.letters import (
    AND,
    BLACK_MARK,
    CODECS,
    ENDS,
    FIRST_END,
    FIRST_KEY,
    HASH,
    MINUS,
    OPENS,
    PAUSED_WORD,
    POINTS,
    SEALED_WORD,
    SPACE,
    STAR,
    TABLE_WORD,
    TURN_WORD,
    UNTIL_WORD,
    VARIATION_WORD,
    WHITE_MARK,
    code_of,
    letter_at,
    skip,
    spelt,
)
from evalsmith.records.kif.comments import comment_at
from evalsmith.records.kif.heading_lines import (
    BLACK_RATING,
    COMPLEX,
    HEADING,
    HEADING_COLUMNS,
    WHITE_RATING,
    begins_game,
    heading_line,
    opens_heading,
)
from evalsmith.records.kif.tokens import number_at, plain_time, time_at
from evalsmith.records.record import UNKNOWN
from evalsmith.records.shogi.lines import (
    CLAIM,
    CLAIMS,
    CODE,
    END_OF_FILE,
    FIRST,
    HEADER,
    NEWLINE,
    NOTHING,
    PHASE,
    RETURN,
    add_move,
    after_mark,
    close_game,
    end_pass,
    game_of,
    line_end,
    move_of,
    next_line,
    open_game,
    stray,
)
from evalsmith.records.shogi.scan import Letters, Room, Scan

# Columns of a game after those of its heading. A span is two columns, its begin and its end; -1 where it is missing.
# NUMBER is that of the last move.
TERMINATION, SUMMARY = HEADING_COLUMNS, HEADING_COLUMNS + 2
NUMBER, VARIATIONS, WRONG, ODD = range(HEADING_COLUMNS + 4, HEADING_COLUMNS + 8)
COLUMNS = HEADING_COLUMNS + 8

_SIDES = 4  # keys that are sides
_BLANK, _0, _9 = (ord(letter) for letter in " 09")
_MAX_DIGITS = 6
_MAX_BYTES = 3 * _MAX_DIGITS + 24  # of what stands before the end of a plain move

# How far a game has come. A table is the line above the moves.
_TABLE, _PLAY, _ENDED, _VARIATION = range(HEADER + 1, HEADER + 5)


@helper("int64(int64, int64, int64, integers, integers, integers)")
def _ready(place: int, line: int, renew: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """Make sure that a game is open, a fresh one where ``renew`` is set; 0 where there is no room for it."""
    if renew != 0:
        close_game(totals)
    if totals[PHASE] != NOTHING:
        return 1
    if open_game(place, line, facts, rows, totals) == 0:
        return 0
    game = game_of(facts, totals)
    game[HEADING], game[HEADING + 1] = place, place
    game[VARIATIONS], game[ODD], game[COMPLEX] = 0, 0, 0
    game[BLACK_RATING], game[WHITE_RATING] = UNKNOWN, UNKNOWN
    return 1


@helper("void(int64, integers, integers)")
def _not_understood(place: int, facts: Integers, totals: Integers) -> None:
    """Count a line that is none of those known: among moves it breaks the game."""
    game, phase = game_of(facts, totals), totals[PHASE]
    if phase == NOTHING:
        stray(place, totals)
    elif phase in (_TABLE, _PLAY):
        if game[WRONG] < 0:
            game[WRONG] = place
    else:
        game[ODD] += 1


@helper("int64(small, int64, integers, integers)")
def _goes_on(data: Small, end: int, facts: Integers, totals: Integers) -> int:
    """Whether the game may go on: after its end only if it was interrupted, or its next move sealed."""
    if totals[PHASE] != _ENDED:
        return 1
    ended, code = game_of(facts, totals)[TERMINATION], totals[CODE]
    if ended >= 0:
        for word in (SEALED_WORD, PAUSED_WORD):
            if spelt(data, ended, end, code, word) >= 0:
                return 1
    return 0


@helper("int64(small, int64, int64, int64)")
def _after_side(data: Small, place: int, end: int, code: int) -> int:
    """The place of a termination's own word, after the side that it may name and the blanks between them."""
    for side in range(_SIDES):
        after = spelt(data, place, end, code, FIRST_KEY + side)
        if after >= 0:
            return skip(data, after, end, code)
    return place


@helper("int64(small, int64, int64, int64)")
def _sums_up(data: Small, place: int, end: int, code: int) -> int:
    """Whether a line among the moves says how the game ended, in words of another kind than まで … ."""
    number = number_at(data, place, end, code)
    if number >= 0:
        return 1 if spelt(data, place + (number >> BYTES), end, code, TURN_WORD) >= 0 else 0
    for word in range(FIRST_END, FIRST_END + ENDS):
        if spelt(data, place, end, code, word) >= 0:
            return 1
    return 0


@helper("int64(small, int64, int64, int64, integers, integers, integers)", inline=True)
def _take(data: Small, begin: int, place: int, end: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """A move with its time, or a termination, of the game that is open: the place after it."""
    game, here, code = game_of(facts, totals), totals[CLAIMS], totals[CODE]
    if _goes_on(data, end, facts, totals) == 0:
        game[WRONG] = begin if game[WRONG] < 0 else game[WRONG]
        return end
    last = move_of(rows, here - 1)[CLAIM] & 127 if here > game[FIRST] else int64(-1)
    claim = claim_at(data, place, end, last, code)
    if claim >= 0:
        after = place + (claim >> BYTES)
        time = time_at(data, after, end, code)
        add_move(claim & VALUE, place, -1 if time < 0 else time & VALUE, rows, totals)
        totals[PHASE] = _PLAY
        return after if time < 0 else after + (time >> BYTES)
    seen = letter_at(data, place, end, code)
    if seen & 255 in (BLACK_MARK, WHITE_MARK):
        place = skip(data, place + (seen >> 8), end, code)
    final = _after_side(data, place, end, code)
    seen = letter_at(data, final, end, code)
    while final < end and seen & 255 != SPACE and seen & 255 != OPENS:
        final += seen >> 8
        seen = letter_at(data, final, end, code)
    game[TERMINATION], game[TERMINATION + 1] = place, min(final, end)
    totals[PHASE] = _ENDED
    return min(final, end)


@helper("int64(small, int64, int64, int64, int64, int64, integers, integers, integers)")
def _numbered(
    data: Small, begin: int, place: int, end: int, number: int, line: int, facts: Integers, rows: Integers,
    totals: Integers,
) -> int:  # fmt: skip
    """A line of KIF with a number: a move or a termination; 0 where there is no room for a new game."""
    if totals[PHASE] == _VARIATION:
        return 1
    renew = 1 if totals[PHASE] == _ENDED and number == 1 else 0
    if _ready(begin, line, renew, facts, rows, totals) == 0:
        return 0
    game, moves = game_of(facts, totals), totals[CLAIMS]
    _take(data, begin, place, end, facts, rows, totals)
    if totals[CLAIMS] > moves:
        known = game[NUMBER]
        if known >= 0 and number != known + 1 and game[WRONG] < 0:
            game[WRONG] = begin
        game[NUMBER] = number
    return 1


@helper("int64(small, int64, int64, int64, integers, integers, integers)", inline=True)
def _marked(data: Small, place: int, end: int, line: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """A line of KI2 with the moves of both sides; 0 where there is no room for a new game."""
    if totals[PHASE] == _VARIATION:
        return 1
    if _ready(place, line, 0, facts, rows, totals) == 0:
        return 0
    game, code = game_of(facts, totals), totals[CODE]
    while place < end:
        letter = letter_at(data, place, end, code) & 255
        if letter != BLACK_MARK and letter != WHITE_MARK:
            game[WRONG] = place if game[WRONG] < 0 else game[WRONG]
            return 1
        place = skip(data, _take(data, place, place, end, facts, rows, totals), end, code)
    return 1


@helper("int64(small, int64, int64, int64, integers, integers, integers)")
def _worded(data: Small, place: int, end: int, line: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """A line without a number: of the heading, the board or the end; 0 where there is no room for a new game."""
    phase, game, code = totals[PHASE], game_of(facts, totals), totals[CODE]
    after = spelt(data, place, end, code, VARIATION_WORD)
    if after >= 0 and letter_at(data, after, end, code) & 255 == POINTS:
        if phase == NOTHING:
            stray(place, totals)
        else:
            game[VARIATIONS] += 1
            totals[PHASE] = _VARIATION
        return 1
    if spelt(data, place, end, code, UNTIL_WORD) >= 0 or (phase == _PLAY and _sums_up(data, place, end, code) != 0):
        if phase not in (NOTHING, _VARIATION) and game[SUMMARY] < 0:
            game[SUMMARY], game[SUMMARY + 1] = place, end
            totals[PHASE] = _ENDED
        return 1
    after = spelt(data, place, end, code, TABLE_WORD)
    if after >= 0 and letter_at(data, after, end, code) & 255 == MINUS:
        if _ready(place, line, 1 if phase >= _PLAY else 0, facts, rows, totals) == 0:
            return 0
        totals[PHASE] = _TABLE
        return 1
    renew = begins_game(data, place, end, code) if phase > HEADER else int64(0)
    if renew != 0 or phase == HEADER or (phase == NOTHING and opens_heading(data, place, end, code) != 0):
        if _ready(place, line, renew, facts, rows, totals) == 0:
            return 0
        heading_line(data, place, end, code, game_of(facts, totals))
        return 1
    _not_understood(place, facts, totals)
    return 1


@helper("int64(small, int64, int64, integers, integers, integers)", inline=True)
def _quick(data: Small, place: int, size: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """The next line, if it is a plain move of KIF as most lines are: the place after it. Else 0."""
    game, here, number = game_of(facts, totals), totals[CLAIMS], 0
    if place + _MAX_BYTES > size:
        return 0
    begin = place
    while int64(data[place]) == _BLANK and place < begin + _MAX_DIGITS:
        place += 1
    begin = place
    while _0 <= int64(data[place]) <= _9 and place < begin + _MAX_DIGITS:
        number = 10 * number + int64(data[place]) - _0
        place += 1
    if place == begin or int64(data[place]) != _BLANK or (game[NUMBER] >= 0 and number != game[NUMBER] + 1):
        return 0
    while int64(data[place]) == _BLANK and place < begin + 2 * _MAX_DIGITS:
        place += 1
    last = move_of(rows, here - 1)[CLAIM] & 127 if here > game[FIRST] else int64(-1)
    claim = plain_claim(data, place, last, totals[CODE])
    if claim < 0:
        claim = claim_at(data, place, size, last, totals[CODE])
    if claim < 0:
        return 0
    after = place + (claim >> BYTES)
    time = int64(-1)
    if after < size and int64(data[after]) != NEWLINE and int64(data[after]) != RETURN:
        time = plain_time(data, after, size)
        if time < 0:
            time = time_at(data, after, size, totals[CODE])
        after += time >> BYTES if time >= 0 else 0
    add_move(claim & VALUE, place, -1 if time < 0 else time & VALUE, rows, totals)
    game[NUMBER] = number
    totals[PHASE] = _PLAY
    return next_line(data, line_end(data, after, size), size)


@helper("int64(small, int64, int64, int64, integers, integers, integers)")
def _line(data: Small, place: int, end: int, line: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """Any line; 0 where there is no room for a new game."""
    code = totals[CODE]
    begin = skip(data, place, end, code)
    seen = letter_at(data, begin, end, code)
    letter = seen & 255
    if begin >= end or int64(data[begin]) == END_OF_FILE or letter in (AND, HASH):
        return 1
    if letter == STAR:
        if _TABLE <= totals[PHASE] <= _PLAY:
            comment_at(data, begin + (seen >> 8), end, game_of(facts, totals)[FIRST], rows, totals)
        return 1
    number = number_at(data, begin, end, code)
    after = begin + (number >> BYTES)
    text = skip(data, after, end, code) if number >= 0 else begin
    if number >= 0 and text > after:
        # The line above a board has a single digit a file.
        seen = letter_at(data, text, end, code)
        if 1 <= seen & 255 <= 9 and letter_at(data, text + (seen >> 8), end, code) & 255 == SPACE:
            return 1
        return _numbered(data, place, text, end, number & VALUE, line, facts, rows, totals)
    if letter in (BLACK_MARK, WHITE_MARK):
        return _marked(data, begin, end, line, facts, rows, totals)
    return _worded(data, begin, end, line, facts, rows, totals)


@driver("void(uint16[::1], int64, int64, int64, int64, int64[:, ::1], int64[:, ::1], int64[::1])")
def _scan(
    content: Small, encoding: int, line: int, last: int, dropping: int, games: Integers, moves: Integers, sums: Integers
) -> None:
    """Go through the lines; what comes out is described at ``Scan``."""
    data, facts, rows, totals = pointer(content), pointer(games), pointer(moves), pointer(sums)
    place, size = 0, content.shape[0]
    if dropping != 0:
        _ready(0, line, 0, facts, rows, totals)
        totals[PHASE] = _VARIATION
    while place < size:
        if _TABLE <= totals[PHASE] <= _PLAY:
            after = _quick(data, place, size, facts, rows, totals)
            if after > 0:
                place = after
                line += 1
                continue
        end, letters = place, 0
        while end < size and int64(data[end]) != NEWLINE and int64(data[end]) != RETURN:
            letters |= int64(data[end])
            end += 1
        place = after_mark(data, place, end)
        if letters >= 0x80:
            totals[CODE] = code_of(data, place, end, encoding)
        if _line(data, place, end, line, facts, rows, totals) == 0:
            return
        place = next_line(data, end, size)
        line += 1
    end_pass(size, line, last, facts, totals)


def scanner(encoding: str | None) -> Callable[[Letters, int, bool, bool, Room], Scan]:
    """A pass over texts of a file that tells its encoding, or does not."""
    code = CODECS.index(encoding) if encoding in CODECS else -1

    def scan(letters: Letters, line: int, last: bool, dropping: bool, room: Room) -> Scan:
        """Find the games of some whole lines, of which the first is ``line``.

        ``last`` says that nothing follows, ``dropping`` that the lines begin inside of a game that is not wanted: it
        comes as the first one.
        """
        found = room.empty(len(letters) // 6 + 1, COLUMNS)
        _scan(letters, code, line, last, dropping, found.facts, found.rows, found.totals)
        return found.cut()

    return scan
