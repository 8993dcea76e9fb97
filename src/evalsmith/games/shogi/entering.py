"""Entered kings as kernels count them: what stands in the enemy's three ranks, and the points for a declaration.

A rook, a bishop or what they become counts five points, any other piece one, the king none.
"""

from __future__ import annotations

from evalsmith.compile import Words, at, helper, popcount, table
from evalsmith.games.shogi.hands import in_hand
from evalsmith.games.shogi.movegen.attacks import king_of
from evalsmith.games.shogi.squares import (
    BISHOP,
    BISHOPS,
    BLACK,
    COLOURS,
    GOLD,
    PAWN,
    ROOK,
    ROOKS,
    WHITE,
    ranks_of,
    words_of,
)

LARGE, SMALL = 5, 1
PIECES_NEEDED = 10
# The points that win by each rule, for black and for white, and those that draw.
BY_27, BY_24 = 27, 24
BLACK_NEEDS, WHITE_NEEDS, WINS_BY_24, DRAWS_BY_24 = 28, 27, 31, 24

_camps = table("shogi.entering_camps", words_of([ranks_of(side, 0, 2) for side in (BLACK, WHITE)]))


@helper("int64(words, int64)")
def has_entered(position: Words, side: int) -> int:
    """Whether a side's king stands in the enemy's three ranks."""
    rank = king_of(position, side) % 9
    return 1 if (rank < 3 if side == BLACK else rank > 5) else 0


@helper("int64(words, int64)")
def entered_pieces(position: Words, side: int) -> int:
    """The pieces of a side in the enemy's three ranks, its king left out."""
    own, camp = at(position, COLOURS + 2 * side), at(_camps(), 2 * side)
    return popcount(own[0] & camp[0]) + popcount(own[1] & camp[1]) - has_entered(position, side)


@helper("int64(words, int64)")
def _points_in_hand(position: Words, side: int) -> int:
    points = 0
    for kind in range(PAWN, GOLD + 1):
        points += in_hand(position, side, kind) * (LARGE if kind in (BISHOP, ROOK) else SMALL)
    return points


@helper("int64(words, int64)")
def entered_points(position: Words, side: int) -> int:
    """The points of a side in the enemy's three ranks and in hand."""
    own, camp = at(position, COLOURS + 2 * side), at(_camps(), 2 * side)
    points = entered_pieces(position, side) + _points_in_hand(position, side)
    for half in range(2):
        large = position[BISHOPS + half] | position[ROOKS + half]
        points += (LARGE - SMALL) * popcount(own[half] & camp[half] & large)
    return points
