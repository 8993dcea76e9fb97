"""A frame: the boards of a position as one side sees them, who moves up, and what that side attacks.

The first six words are the boards of the pieces, both colours'. The terms of a side fill in what its pieces attack;
the terms about both sides read it.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Word, helper

# Own pieces and the enemy's; squares attacked by own pawns, knights …, by any piece, by two; own passed pawns.
OWN, ENEMY, BY_PAWN, BY_KNIGHT, BY_BISHOP, BY_ROOK, BY_QUEEN, BY_ANY, BY_TWO, PASSED = range(6, 16)
FRAME_WORDS = 16

_8, _16, _32 = np.uint64(8), np.uint64(16), np.uint64(32)
_BYTES, _PAIRS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)


@helper("uint64(uint64)", inline=True)
def turn(board: Word) -> Word:
    """The board with its ranks in the other order."""
    board = ((board >> _8) & _BYTES) | ((board & _BYTES) << _8)
    board = ((board >> _16) & _PAIRS) | ((board & _PAIRS) << _16)
    return (board >> _32) | (board << _32)
