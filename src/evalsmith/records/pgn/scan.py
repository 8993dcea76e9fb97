"""The compiled pass over a buffer of PGN: games found, read, and laid down in columns, one after another.

A game that ends inside the buffer is laid down; one that may go on after its end is left for the next pass, so that a
file of any size goes through a buffer of one size. A broken game leaves a row of facts and no moves.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Words, at, driver, pointer
from evalsmith.games.chess.words import WORDS
from evalsmith.records.pgn.game import BEGIN, FACTS, FAULT, MAX_PLIES, PLACE, PLIES, TOO_LONG, read_game
from evalsmith.records.pgn.tags import CUT, opens_tag
from evalsmith.records.pgn.text import CUT_OFF, next_game, next_tag_line

# What goes in and comes out of a pass: where the text begins and ends in the buffer, whether the file ends with it,
# whether a game that was too long is still passed over, how long one may be in bytes, and lines that belong to no game.
FROM, TO, FINAL, SKIPPING, LIMIT, STRAY = range(6)
STATE_SIZE = 6
SAID_SIZE = 16


@driver(
    "int64(int64[::1], uint8[::1], int64[::1], int64[::1], int64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[::1], "
    "int32[::1], int32[::1], int16[::1], int32[::1])"
)
def scan_games(
    context: Integers, text: Integers, state: Integers, said: Integers, facts: Integers, starts: Words, ends: Words,
    work: Words, moves: Integers, scores: Integers, depths: Integers, taken: Integers,
) -> int:  # fmt: skip
    """Lay down games while there is room, and give their number; ``state[FROM]`` is then where to go on."""
    i, end, final, limit = state[FROM], state[TO], state[FINAL], state[LIMIT]
    count, used = 0, 0
    while count < len(facts) and used + MAX_PLIES <= len(moves):
        if state[SKIPPING] != 0:
            i = next_tag_line(text, i, end)
            if i >= end or (final == 0 and opens_tag(text, i, end) == CUT):
                # The byte before stays, to tell whether a line begins.
                i = end if final != 0 else i - 1
                break
            state[SKIPPING] = 0
        row = at(pointer(facts), count * FACTS)
        i = next_game(text, i, end, final, at(pointer(state), STRAY))
        if i == end:
            break
        begin = i if i >= 0 else CUT_OFF - i
        if i >= 0:
            i = read_game(
                pointer(context), text, begin, end, final, row, pointer(said), pointer(work),
                at(pointer(starts), count * WORDS), at(pointer(ends), count * WORDS),
                at(pointer(moves), used), at(pointer(scores), used), at(pointer(depths), used),
                at(pointer(taken), used),
            )  # fmt: skip
        if (i if i >= 0 else end) - begin > limit:
            row[BEGIN], row[FAULT], row[PLACE], row[PLIES] = begin, TOO_LONG, begin, 0
            state[SKIPPING] = 1
            i = begin + limit
        elif i < 0:
            i = begin
            break
        if row[FAULT] == 0:
            used += row[PLIES]
        count += 1
    state[FROM] = i
    return count
