"""One step of a game in progress, inside one kernel.

A step asks the rules whether a move is legal, where it leads, who moves then and whether that repeats a position. One
kernel answers all of it, because between two moves of an outside program the memory is cold and every call from Python
costs microseconds. `Board` is what everybody else uses.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Layout, Words, at, driver, helper, pointer
from evalsmith.games.contract import (
    CHANCE,
    CONTEXT_SIZE,
    FIRST_FREE,
    MAX_MOVES,
    OVER,
    WORDS,
    check_of,
    key_of,
    mover_of,
    moves_of,
    play_into,
    repeated_in,
    reveal_into,
    status_of,
)

_layout = Layout(FIRST_FREE, CONTEXT_SIZE)
positions = _layout.rows("words", length_in=WORDS)  # of the game, a row for each ply
keys = _layout.rows("words")
checks = _layout.rows("integers")
legal = _layout.rows("integers", length_in=MAX_MOVES)  # room for legal moves
REPEATS = _layout.number()  # whether the game has a rule of repetition
FREE = _layout.next  # a kernel that drives a board has the slots from here on to itself

# A standing, what the rules say of a position, in one number: the mover, and from these bits on the status and the
# answer of `repeated`.
STATUS_BIT, REPEATED_BIT = 1, 3
ILLEGAL = -1


@helper("int64(integers, words, int64)")
def _standing(context: Integers, position: Words, ply: int) -> int:
    """The standing of the position at a ply; stores its key and check."""
    status = status_of(context, position)
    standing = mover_of(context, position) | status << STATUS_BIT
    if context[REPEATS] != 0:
        known, checked = keys(context), checks(context)
        known[ply], checked[ply] = key_of(context, position), check_of(context, position)
        if status != OVER:
            standing |= repeated_in(context, position, known, checked, ply) << REPEATED_BIT
    return standing


@driver("int64(int64[::1], int64)")
def standing_at(context: Integers, ply: int) -> int:
    """The standing of the position at a ply."""
    here = pointer(context)
    return _standing(here, positions(here, ply), ply)


@helper("int64(integers, int64, int64)")
def play_at(context: Integers, ply: int, move: int) -> int:
    """Play a legal move at a ply, into the row after it; the standing there."""
    position = positions(context, ply)
    following = at(position, context[WORDS])
    play_into(context, position, move, following)
    return _standing(context, following, ply + 1)


@driver("int64(int64[::1], int64, int64)")
def advance(context: Integers, ply: int, move: int) -> int:
    """Play a move, or reveal an outcome of chance, at a ply, into the row after it; the standing there, or ILLEGAL."""
    here = pointer(context)
    position = positions(here, ply)
    if status_of(here, position) == CHANCE:
        following = at(position, context[WORDS])
        reveal_into(here, position, move, following)
        return _standing(here, following, ply + 1)
    moves = legal(here)
    for i in range(moves_of(here, position, moves)):
        if moves[i] == move:
            return play_at(here, ply, move)
    return ILLEGAL
