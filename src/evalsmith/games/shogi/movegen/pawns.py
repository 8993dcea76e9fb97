"""Pawns as sets of squares: where they step, and which files are open to another."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Word, helper, popcount
from evalsmith.games.shogi.squares import BLACK, halves, ranks_of

_0, _1, _8, _9, _54 = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(9), np.uint64(54)
# The lowest rank: the last bit of each file.
BOTTOM_LOW, BOTTOM_HIGH = (np.uint64(word) for word in halves(ranks_of(BLACK, 8, 8)))


@helper("uint64(uint64, uint64)", inline=True)
def open_files(pawns: Word, bottom: Word) -> Word:
    """The files of one half of the board that have no pawn, given the last bit of each."""
    # Taking a pawn away from that bit clears it, and never borrows from the next file.
    free = (bottom - pawns) & bottom
    return (free << _1) - (free >> _8)


@helper("uint64(int64, uint64)", inline=True)
def ahead(side: int, pieces: Word) -> Word:
    """One step forwards as a side sees it, for pieces that are not on its last rank."""
    return pieces >> _1 if side == BLACK else pieces << _1


@helper("int64(uint64, uint64)", inline=True)
def side_by_side(low: Word, high: Word) -> int:
    """How many neighbouring files have their pawns on one rank."""
    # The seventh file is the last of the low word, the eighth the first of the high one.
    across = popcount((low >> _54) & high)
    return popcount(low & (low >> _9)) + across + popcount(high & (high >> _9))
