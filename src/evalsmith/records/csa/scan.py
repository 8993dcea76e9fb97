"""CSA text cut into games and statements, by one compiled pass over its bytes.

Nothing is judged here that needs a board: a move becomes a claim, names and titles become spans of bytes.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Small, driver, helper, int64, pointer
from evalsmith.games.shogi.notation.csa import csa_claim
from evalsmith.records.csa.tokens import (
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
    number_of,
    rating_of,
    score_of,
)
from evalsmith.records.record import UNKNOWN
from evalsmith.records.shogi.lines import (
    CLAIMS,
    END_OF_FILE,
    FIRST,
    HEADER,
    NEWLINE,
    NOTHING,
    PHASE,
    SCORE,
    SHARED,
    TIME,
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

# Columns of a game after those that all formats share. A span is two columns, its begin and its end; -1 where it is
# missing.
BLACK_NAME, WHITE_NAME, EVENT, DATE, CLOCK, START, TERMINATION, SUMMARY = range(SHARED, SHARED + 16, 2)
BLACK_RATING, WHITE_RATING, MOVER, WRONG, ODD = range(SHARED + 16, SHARED + 21)
COLUMNS = SHARED + 21

# How far a game has come.
_PLAY, _ENDED = HEADER + 1, HEADER + 2

_COMMA, _QUOTE, _PERCENT, _SLASH, _DOLLAR, _STAR = 44, 39, 37, 47, 36, 42
_N, _P, _T, _V = 78, 80, 84, 86


@helper("int64(int64, int64, int64, integers, integers, integers)", inline=True)
def _ready(place: int, line: int, renew: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """Make sure that a game is open, a fresh one where ``renew`` is set and this one has begun to be played.

    0 where there is no room for it.
    """
    game = game_of(facts, totals)
    played = totals[PHASE] == _ENDED or (totals[PHASE] == _PLAY and totals[CLAIMS] > game[FIRST])
    if renew != 0 and played:
        close_game(totals)
    if totals[PHASE] != NOTHING:
        return 1
    if open_game(place, line, facts, rows, totals) == 0:
        return 0
    game = game_of(facts, totals)
    game[BLACK_RATING], game[WHITE_RATING] = UNKNOWN, UNKNOWN
    game[ODD] = 0
    return 1


@helper("void(small, int64, int64, integers, integers, integers)")
def _comment(data: Small, place: int, end: int, facts: Integers, rows: Integers, totals: Integers) -> None:
    """What game servers say in comments: ratings, who won, and the mover's program's score, for black."""
    game, last = game_of(facts, totals), totals[CLAIMS] - 1
    if totals[PHASE] == NOTHING:
        return
    if place + 1 < end and int64(data[place]) == _STAR and int64(data[place + 1]) == _STAR:
        score = score_of(data, place + 2, end)
        if last >= game[FIRST] and score != UNKNOWN:
            move_of(rows, last)[SCORE] = score
        return
    for side in range(2):
        length = begins(data, place, end, BLACK_WORD if side == 0 else WHITE_WORD)
        if length > 0:
            game[BLACK_RATING + side] = rating_of(data, place + length, end)
    length = begins(data, place, end, SUMMARY_WORD)
    if length > 0:
        game[SUMMARY], game[SUMMARY + 1] = place + length, end


@helper("void(small, int64, int64, integers)")
def _title(data: Small, place: int, end: int, game: Integers) -> None:
    """``$EVENT:`` and its like."""
    for number in range(4):
        word = EVENT_WORD if number == 0 else DATE_WORD if number == 1 else LIMIT_WORD if number == 2 else CLOCK_WORD
        length = begins(data, place, end, word)
        if length > 0:
            column = EVENT if number == 0 else DATE if number == 1 else CLOCK
            game[column], game[column + 1] = place + length, end


@helper("int64(small, int64, int64, int64, integers, integers, integers)")
def _header(data: Small, place: int, end: int, line: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """A statement before the moves; 0 where there is no room for a new game."""
    letter = int64(data[place])
    # Some write how a game ended with a $ after it, so only the others begin a new one.
    if _ready(place, line, 0 if letter == _DOLLAR else 1, facts, rows, totals) == 0:
        return 0
    game = game_of(facts, totals)
    if letter == _N:
        sign = int64(data[place + 1]) if place + 1 < end else 0
        if sign in (PLUS, MINUS):
            column = BLACK_NAME if sign == PLUS else WHITE_NAME
            game[column], game[column + 1] = place + 2, end
        else:
            game[ODD] += 1
    elif letter == _DOLLAR:
        _title(data, place + 1, end, game)
    elif letter == _P:
        if game[START] < 0:
            game[START] = place
        game[START + 1] = end
    return 1


@helper("int64(small, int64, int64, int64, integers, integers, integers)")
def _signed(data: Small, place: int, end: int, line: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """A move, or the side that begins; 0 where there is no room for a new game."""
    alone = end - place == 1
    if _ready(place, line, 1 if alone and totals[PHASE] == _ENDED else 0, facts, rows, totals) == 0:
        return 0
    game = game_of(facts, totals)
    claim = -1 if alone else csa_claim(data, place, end)
    if claim >= 0 and totals[PHASE] != _ENDED:
        add_move(claim, place, -1, rows, totals)
        totals[PHASE] = _PLAY
    elif alone and totals[CLAIMS] == game[FIRST]:
        game[MOVER] = 0 if int64(data[place]) == PLUS else 1
        totals[PHASE] = _PLAY
    elif game[WRONG] < 0:
        game[WRONG] = place
    return 1


@helper("void(small, int64, int64, integers, integers, integers)")
def _other(data: Small, place: int, end: int, facts: Integers, rows: Integers, totals: Integers) -> None:
    """A time, a termination, or what is neither."""
    letter, phase, game = int64(data[place]), totals[PHASE], game_of(facts, totals)
    if phase == NOTHING:
        stray(place, totals)
        return
    if letter == _PERCENT and game[TERMINATION] < 0:
        game[TERMINATION], game[TERMINATION + 1] = place, end
        totals[PHASE] = _ENDED
        return
    if letter == _T:
        time = number_of(data, place + 1, end, 3)
        if time >= 0:
            if phase == _PLAY and totals[CLAIMS] > game[FIRST]:
                move_of(rows, totals[CLAIMS] - 1)[TIME] = time
            return
    if phase == _PLAY and letter != _T:
        if game[WRONG] < 0:
            game[WRONG] = place
    else:
        game[ODD] += 1


@helper("int64(small, int64, int64, int64, integers, integers, integers)")
def _line(data: Small, place: int, end: int, line: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """The statements of a line; 0 where there is no room for a new game."""
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
            _comment(data, place + 1, end, facts, rows, totals)
        elif letter == _SLASH and final - place == 1:
            close_game(totals)
        elif letter in (_N, _DOLLAR, _P, _V):
            room = _header(data, place, final, line, facts, rows, totals)
        elif letter in (PLUS, MINUS):
            room = _signed(data, place, final, line, facts, rows, totals)
        elif final > place and letter != _COMMA and letter != END_OF_FILE:
            _other(data, place, final, facts, rows, totals)
        if room == 0:
            return 0
        place = stop + 1
    return 1


@driver("void(uint16[::1], int64, int64, int64, int64[:, ::1], int64[:, ::1], int64[::1])")
def _scan(
    content: Small, line: int, last: int, dropping: int, games: Integers, moves: Integers, sums: Integers
) -> None:
    """Go through the lines; what comes out is described at ``Scan``."""
    data, facts, rows, totals = pointer(content), pointer(games), pointer(moves), pointer(sums)
    place, size = 0, content.shape[0]
    if dropping != 0:
        _ready(0, line, 0, facts, rows, totals)
        totals[PHASE] = _ENDED
    while place < size:
        # Most lines of most files are plain moves: they need none of what follows.
        if totals[PHASE] == _PLAY and place + 7 < size and int64(data[place + 7]) == NEWLINE:
            claim = csa_claim(data, place, place + 7) if int64(data[place]) in (PLUS, MINUS) else int64(-1)
            if claim >= 0:
                add_move(claim, place, -1, rows, totals)
                place += 8
                line += 1
                continue
        end = line_end(data, place, size)
        if _line(data, after_mark(data, place, end), end, line, facts, rows, totals) == 0:
            return
        place = next_line(data, end, size)
        line += 1
    end_pass(size, line, last, facts, totals)


def scan(letters: Letters, line: int, last: bool, dropping: bool, room: Room) -> Scan:
    """Find the games of some whole lines, of which the first is ``line``.

    ``last`` says that nothing follows, ``dropping`` that the lines begin inside of a game that is not wanted: it
    comes as the first one.
    """
    found = room.empty(len(letters) // 7 + 1, COLUMNS)
    _scan(letters, line, last, dropping, found.facts, found.rows, found.totals)
    return found.cut()
