"""Lines and games as every compiled pass over shogi text sees them: where a line ends, how a game opens and closes.

A pass fills three arrays: ``facts``, a row a game; ``rows``, a row a move; ``totals``, one row for the whole text.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Small, at, helper, int64
from evalsmith.records.record import UNKNOWN

# Columns that every format's games have: where a game begins, on which line, and its first move.
BEGIN, LINE, FIRST = range(3)
SHARED = 3
# Columns of a move: its claim, where it stands, milliseconds taken (−1 unknown), what its program said of the position
# before it (for the mover, UNKNOWN where it said nothing), and the depth of that (−1 unknown).
CLAIM, PLACE, TIME, SCORE, DEPTH = range(5)
MOVE_COLUMNS = 5
# What the pass says of the whole text: how many games and moves there are, where the rest begins and its line, how
# many lines stand outside of games and the first of them, whether there was no room for more games, how far the game
# that is open has come, and the encoding in force. WIDTH and ROOM go in: how many columns a game has, and how many
# games there is room for.
GAMES, CLAIMS, REST, REST_LINE, STRAY, FIRST_STRAY, FULL, PHASE, CODE, WIDTH, ROOM = range(11)
TOTALS = 11

# How far a game has come; formats go on from there.
NOTHING, HEADER = 0, 1

NEWLINE, RETURN, END_OF_FILE = 10, 13, 26


@helper("int64(small, int64, int64)", inline=True)
def line_end(data: Small, place: int, size: int) -> int:
    """Where the line ends that a place is in."""
    while place < size and int64(data[place]) != NEWLINE and int64(data[place]) != RETURN:
        place += 1
    return place


@helper("int64(small, int64, int64)", inline=True)
def next_line(data: Small, end: int, size: int) -> int:
    """Where the next line begins; a pair of return and newline ends a line once."""
    following = end + 1
    if following < size and int64(data[end]) == RETURN and int64(data[following]) == NEWLINE:
        following += 1
    return following


@helper("int64(small, int64, int64)", inline=True)
def after_mark(data: Small, place: int, end: int) -> int:
    """The place after a byte-order mark, which also stands where files were put together."""
    if end - place >= 3 and int64(data[place]) == 0xEF and int64(data[place + 1]) == 0xBB:
        return place + 3
    return place


@helper("integers(integers, integers)", inline=True)
def game_of(facts: Integers, totals: Integers) -> Integers:
    """The row of the game that is open, or the next one's."""
    return at(facts, totals[WIDTH] * totals[GAMES])


@helper("integers(integers, int64)", inline=True)
def move_of(rows: Integers, move: int) -> Integers:
    """The row of a move."""
    return at(rows, MOVE_COLUMNS * move)


@helper("int64(int64, int64, integers, integers, integers)")
def open_game(place: int, line: int, facts: Integers, rows: Integers, totals: Integers) -> int:
    """A fresh row for a game, all of it −1 but where it begins; 0 where there is no room for it."""
    if totals[GAMES] == totals[ROOM]:
        totals[FULL], totals[REST], totals[REST_LINE] = 1, place, line
        return 0
    game, move = game_of(facts, totals), move_of(rows, totals[CLAIMS])
    for column in range(totals[WIDTH]):
        game[column] = -1
    game[BEGIN], game[LINE], game[FIRST] = place, line, totals[CLAIMS]
    move[SCORE], move[DEPTH] = UNKNOWN, -1
    totals[PHASE] = HEADER
    return 1


@helper("void(integers)", inline=True)
def close_game(totals: Integers) -> None:
    """End the game that is open, if one is."""
    if totals[PHASE] != NOTHING:
        totals[GAMES] += 1
        totals[PHASE] = NOTHING


@helper("void(int64, int64, int64, integers, integers)", inline=True)
def add_move(claim: int, place: int, time: int, rows: Integers, totals: Integers) -> None:
    """A row for a move; a score that was rows of the position before it stays."""
    move, following = move_of(rows, totals[CLAIMS]), move_of(rows, totals[CLAIMS] + 1)
    move[CLAIM], move[PLACE], move[TIME] = claim, place, time
    following[SCORE], following[DEPTH] = UNKNOWN, -1
    totals[CLAIMS] += 1


@helper("void(int64, integers)")
def stray(place: int, totals: Integers) -> None:
    """Count a line outside of a game."""
    if totals[STRAY] == 0:
        totals[FIRST_STRAY] = place
    totals[STRAY] += 1


@helper("void(int64, int64, int64, integers, integers)")
def end_pass(size: int, line: int, last: int, facts: Integers, totals: Integers) -> None:
    """Where the rest begins: after the text, or where the game begins that may go on in the next text."""
    totals[REST], totals[REST_LINE] = size, line
    if last != 0:
        close_game(totals)
    elif totals[PHASE] != NOTHING:
        game = game_of(facts, totals)
        totals[REST], totals[REST_LINE], totals[CLAIMS] = game[BEGIN], game[LINE], game[FIRST]
