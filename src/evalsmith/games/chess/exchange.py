"""Static exchange evaluation: what a move wins once both sides have captured on its target, the cheapest piece first.

Pins are overlooked, and so is what a pawn becomes that captures on the last rank.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Word, Words, helper, lowest, table
from evalsmith.games.chess.attacks import bishop_attacks, bit, king_attacks, knight_attacks, pawn_attacks, rook_attacks
from evalsmith.games.chess.words import BISHOP, BLACK_PIECES, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE_PIECES

_0 = np.uint64(0)

# Centipawns, for ordering, pruning and exchanges. A king is never captured, so it wins nothing …
VALUES = np.array([100, 320, 330, 500, 950, 0], dtype=np.int64)
values = table("chess.values", VALUES)
# … but one that captures what is still guarded loses everything.
_AT_STAKE = np.array([100, 320, 330, 500, 950, 100_000], dtype=np.int64)
at_stake = table("chess.at_stake", _AT_STAKE)


@helper("uint64(words, int64, uint64)", inline=True)
def _attackers(position: Words, square: int, occupied: Word) -> Word:
    """The pieces of both sides that attack a square."""
    place = bit(square)
    found = (pawn_attacks(place, 1) & position[WHITE_PIECES]) | (pawn_attacks(place, 0) & position[BLACK_PIECES])
    found &= position[PAWN]
    found |= knight_attacks(square) & position[KNIGHT]
    found |= king_attacks(square) & position[KING]
    found |= bishop_attacks(square, occupied) & (position[BISHOP] | position[QUEEN])
    found |= rook_attacks(square, occupied) & (position[ROOK] | position[QUEEN])
    return found & occupied


@helper("int64(words, int64, int64, uint64, int64, int64)")
def holds(position: Words, square: int, side: int, occupied: Word, lead: int, piece: int) -> int:
    """Whether who has just moved a piece to a square stays ahead by a lead of 0 or more, if ``side`` may capture next.

    The piece is not counted as lost in the lead yet.
    """
    lead -= at_stake()[piece]
    held = 1
    attackers = _0
    if lead < 0:
        attackers |= _attackers(position, square, occupied)
    while lead < 0:
        own = attackers & position[WHITE_PIECES + side]
        if own == _0:
            return held
        piece = PAWN
        while own & position[piece] == _0:
            piece += 1
        occupied ^= lowest(own & position[piece])
        # What stood behind the capturing piece on its line attacks now.
        if piece in (PAWN, BISHOP, QUEEN):
            attackers |= bishop_attacks(square, occupied) & (position[BISHOP] | position[QUEEN])
        if piece in (ROOK, QUEEN):
            attackers |= rook_attacks(square, occupied) & (position[ROOK] | position[QUEEN])
        attackers &= occupied
        held = 1 - held
        lead = -lead - 1 - at_stake()[piece]
        side = 1 - side
    return held
