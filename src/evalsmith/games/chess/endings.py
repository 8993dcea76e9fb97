"""Terms of endings: pawns where both sides have the same pieces, and leads that cannot win.

A side without pawns that is no more than a knight or bishop ahead can hardly win, however well its pieces stand; nor
can two knights. Of such a position only a few terms are written: the lead, the enemy's pawns, and where the kings are.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Values, Word, Words, driver, helper, pointer, popcount, scan, scan_reverse
from evalsmith.games.chess.frame import turn
from evalsmith.games.chess.layout import FIRST, MAX_LEAD
from evalsmith.games.chess.words import BISHOP, BLACK_PIECES, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE_PIECES
from evalsmith.games.emitting import emit

_EVEN, _ONLY = FIRST["pawns more in an even ending"], FIRST["only pawn in an even ending"]
_AHEAD, _PAWNS = FIRST["ahead without pawns"], FIRST["pawns against a piece"]
_FOREMOST, _KING_SQUARE = FIRST["foremost pawn against a piece"], FIRST["king square"]

_0 = np.uint64(0)
_KNIGHTS = 6  # points of two knights


@helper("int64(words, uint64)", inline=True)
def _points(position: Words, side: Word) -> int:
    """The pieces of a side: 3 for knights and bishops, 5 for rooks, 9 for queens."""
    minors = popcount((position[KNIGHT] | position[BISHOP]) & side)
    return 3 * minors + 5 * popcount(position[ROOK] & side) + 9 * popcount(position[QUEEN] & side)


@helper("int64(words, uint64, uint64)", inline=True)
def idle_lead(position: Words, side: Word, other: Word) -> int:
    """By how many points a side without pawns is ahead where that cannot win; -1 elsewhere."""
    if position[PAWN] & side != _0:
        return -1
    lead = _points(position, side) - _points(position, other)
    if lead == 0 and position[PAWN] & other != _0:
        return -1
    if lead == _KNIGHTS and popcount(position[KNIGHT] & side) == 2:
        return MAX_LEAD if other == position[KING] & other else -1
    return lead if 0 <= lead <= MAX_LEAD else -1


@driver("int64(uint64[::1])")
def is_idle(position: Words) -> int:
    """Whether neither side can win, or only the enemy of a side that is ahead in pieces."""
    words = pointer(position)
    white, black = words[WHITE_PIECES], words[BLACK_PIECES]
    return 1 if max(idle_lead(words, white, black), idle_lead(words, black, white)) >= 0 else 0


@helper("int64(words, uint64, uint64, int64, int64, int64, int64, indices, values, int64)")
def idle_terms(
    position: Words,
    side: Word,
    other: Word,
    white: int,
    lead: int,
    sign: int,
    fused: int,
    index: Indices,
    value: Values,
    count: int,
) -> int:
    """The terms of a side whose lead cannot win; ``white`` says that it is white, ``sign`` whether it moves."""
    mine, theirs, pawns = position[KING] & side, position[KING] & other, position[PAWN] & other
    own_square, enemy_square = scan(mine if white != 0 else turn(mine)), scan(theirs if white == 0 else turn(theirs))
    count = emit(fused, index, value, count, _KING_SQUARE + own_square, sign)
    count = emit(fused, index, value, count, _KING_SQUARE + enemy_square, -sign)
    if lead > 0:
        armed = 1 if _points(position, other) > 0 else 0
        count = emit(fused, index, value, count, _AHEAD + MAX_LEAD * armed + lead - 1, sign)
    if pawns != _0:
        rank = scan_reverse(pawns if white == 0 else turn(pawns)) >> 3
        count = emit(fused, index, value, count, _PAWNS + popcount(pawns) - 1, -sign)
        count = emit(fused, index, value, count, _FOREMOST + rank - 1, -sign)
    return count


@helper("int64(words, uint64, uint64, int64, indices, values, int64)", inline=True)
def even_terms(position: Words, own: Word, enemy: Word, fused: int, index: Indices, value: Values, count: int) -> int:
    """A lead in pawns where both sides have the same few pieces."""
    minors, rooks, queens = position[KNIGHT] | position[BISHOP], position[ROOK], position[QUEEN]
    if popcount(minors | rooks | queens) > 4:
        return count
    light, heavy, most = popcount(minors & own), popcount(rooks & own), popcount(queens & own)
    if light != popcount(minors & enemy) or heavy != popcount(rooks & enemy) or most != popcount(queens & enemy):
        return count
    kind = -1
    if most == 0:
        if light <= 1 and heavy <= 1:
            kind = light if heavy == 0 else 2 + 2 * light
        elif heavy == 2 and light == 0:
            kind = 5
    elif most == 1 and light == 0 and heavy == 0:
        kind = 3
    if kind < 0:
        return count
    mine, theirs = popcount(position[PAWN] & own), popcount(position[PAWN] & enemy)
    count = emit(fused, index, value, count, _EVEN + kind, mine - theirs)
    return emit(fused, index, value, count, _ONLY + kind, mine - theirs if mine + theirs == 1 else 0)
