"""What a net sees of chess: 14 planes of 8×8 cells, as the side to move sees the board, who moves up.

0–5    the mover's pawns, knights, bishops, rooks, queens, king
6–11   the enemy's
12     rooks that may still castle, of both sides
13     the square on which a pawn may be captured en passant
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Words, helper
from evalsmith.games.chess.frame import turn
from evalsmith.games.chess.words import BLACK_PIECES, KING, STATE, WHITE, WHITE_PIECES, en_passant_of, side_of
from evalsmith.games.planes import Planes, plane_kernel

PIECES = ("pawns", "knights", "bishops", "rooks", "queens", "king")
_CASTLING, _EN_PASSANT = 12, 13

_1 = np.uint64(1)
_8, _FIRST, _LAST_RANK = np.uint64(8), np.uint64(0xFF), np.uint64(56)
_TARGETS = 39  # the square before a6, where en passant would capture on file 0


@helper("void(words, words, int64)", inline=True)
def _fill_for(position: Words, out: Words, side: int) -> None:
    """One word each, as a side sees the board."""
    own, enemy = position[WHITE_PIECES + side], position[BLACK_PIECES - side]
    state, file = position[STATE], en_passant_of(position[STATE])
    rooks = (state & _FIRST) | ((state >> _8 & _FIRST) << _LAST_RANK)
    passed = _1 << np.uint64(_TARGETS + file) if file > 0 else np.uint64(0)
    for piece in range(KING + 1):
        mine, theirs = position[piece] & own, position[piece] & enemy
        out[piece] = mine if side == WHITE else turn(mine)
        out[KING + 1 + piece] = theirs if side == WHITE else turn(theirs)
    out[_CASTLING] = rooks if side == WHITE else turn(rooks)
    out[_EN_PASSANT] = passed if side == side_of(state) else turn(passed)


@plane_kernel
def fill(position: Words, out: Words) -> None:
    """As the mover sees the board."""
    _fill_for(position, out, side_of(position[STATE]))


@plane_kernel
def fill_enemy(position: Words, out: Words) -> None:
    """As the enemy sees it."""
    _fill_for(position, out, 1 - side_of(position[STATE]))


PLANES = Planes(
    fill,
    width=8,
    height=8,
    names=(
        *(f"the mover's {piece}" for piece in PIECES),
        *(f"the enemy's {piece}" for piece in PIECES),
        "rooks that may castle",
        "en passant",
    ),
    as_mover=True,
    enemy=fill_enemy,
)
