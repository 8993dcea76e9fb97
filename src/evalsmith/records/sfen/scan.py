"""Lines of USI's ``position`` command cut into starts and moves, by one compiled pass over their bytes."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Small, driver, helper, int64, pointer, table
from evalsmith.games.shogi.notation.usi import usi_claim
from evalsmith.records.shogi.lines import (
    END_OF_FILE,
    SHARED,
    add_move,
    after_mark,
    close_game,
    end_pass,
    game_of,
    line_end,
    next_line,
    open_game,
)
from evalsmith.records.shogi.scan import Letters, Room, Scan

# Columns of a game after those that all formats share; a span is two columns. TERMINATION is a last word that is no
# move, -1 where there is none; WRONG is such a word before the last.
START, TERMINATION, WRONG = SHARED, SHARED + 2, SHARED + 4
COLUMNS = SHARED + 5

_BLANK, _TAB, _HASH = 32, 9, 35
_MOVES = tuple(b"moves")
_WIDTH = len(_MOVES)

_moves_word = table("records.usi_moves", np.array(_MOVES, dtype=np.int64))


@helper("int64(small, int64)", inline=True)
def _blank(data: Small, place: int) -> int:
    letter = int64(data[place])
    return 1 if letter in (_BLANK, _TAB) else 0


@helper("int64(small, int64, int64)", inline=True)
def _is_moves(data: Small, place: int, end: int) -> int:
    """Whether the word at a place is ``moves``."""
    if end - place != _WIDTH:
        return 0
    for letter in range(_WIDTH):
        if int64(data[place + letter]) != _moves_word()[letter]:
            return 0
    return 1


@helper("void(small, int64, int64, integers, integers, integers)")
def _line(data: Small, place: int, end: int, facts: Integers, rows: Integers, totals: Integers) -> None:
    """The words of one line: the start up to ``moves``, then moves."""
    game, playing = game_of(facts, totals), 0
    game[START], game[START + 1] = place, place
    while place < end:
        stop = place
        while stop < end and _blank(data, stop) == 0:
            stop += 1
        if playing == 0:
            if _is_moves(data, place, stop) != 0:
                playing = 1
            else:
                game[START + 1] = stop
        else:
            if game[TERMINATION] >= 0 and game[WRONG] < 0:
                game[WRONG] = game[TERMINATION]
            claim = usi_claim(data, place, stop)
            if claim < 0:
                game[TERMINATION], game[TERMINATION + 1] = place, stop
            else:
                add_move(claim, place, -1, rows, totals)
        place = stop
        while place < end and _blank(data, place) != 0:
            place += 1


@driver("void(uint16[::1], int64, int64[:, ::1], int64[:, ::1], int64[::1])")
def _scan(content: Small, line: int, games: Integers, moves: Integers, sums: Integers) -> None:
    """Go through the lines; every one that is neither empty nor a comment is a game."""
    data, facts, rows, totals = pointer(content), pointer(games), pointer(moves), pointer(sums)
    place, size = 0, content.shape[0]
    while place < size:
        end = line_end(data, place, size)
        place = after_mark(data, place, end)
        while place < end and _blank(data, place) != 0:
            place += 1
        if place < end and int64(data[place]) != _HASH and int64(data[place]) != END_OF_FILE:
            if open_game(place, line, facts, rows, totals) == 0:
                return
            _line(data, place, end, facts, rows, totals)
            close_game(totals)
        place = next_line(data, end, size)
        line += 1
    end_pass(size, line, 1, facts, totals)


def scan(letters: Letters, line: int, last: bool, dropping: bool, room: Room) -> Scan:
    """Find the games of some whole lines, of which the first is ``line``; none ever goes on in the next lines."""
    found = room.empty(len(letters) // 4 + 2, COLUMNS)
    _scan(letters, line, found.facts, found.rows, found.totals)
    return found.cut()
