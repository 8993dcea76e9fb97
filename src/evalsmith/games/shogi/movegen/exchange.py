"""Static exchange evaluation: what a move wins once both sides have captured on its target, the cheapest piece first.

A captured piece counts twice, since it changes sides. Pins are overlooked, and so are promotions after the first move.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Words, at, helper, lowest, scan, scratch, table
from evalsmith.games.shogi.evaluation.values import capture_values
from evalsmith.games.shogi.movegen.attacks import (
    between_rows,
    bit_rows,
    cross_rows,
    near_rows,
    piece_at,
    steps_onto,
)
from evalsmith.games.shogi.squares import BISHOPS, COLOURS, KING, LANCES, ROOKS, SPLIT

_0 = np.uint64(0)
_NOBODY = -1

_stakes = capture_values()
_stakes[KING] = 100_000  # a king that captures what is still guarded loses everything
at_stake = table("shogi.at_stake", _stakes)

_occupied = scratch("words", 2)


@helper("int64(words, int64, int64, words)")
def _cheapest(position: Words, square: int, by: int, occupied: Words) -> int:
    """Where the cheapest piece of a side stands that attacks a square, or _NOBODY."""
    own, found, least = at(position, COLOURS + 2 * by), _NOBODY, 1 << 30
    half_of_square = 1 if square >= SPLIT else 0
    near = at(near_rows(), 2 * (81 * (1 - by) + square))
    lines = at(cross_rows(), 8 * square)
    file = at(lines, 6 - 2 * by)
    for half in range(2):
        left = near[half] & own[half] & occupied[half]
        while left != _0:
            origin = SPLIT * half + scan(left)
            price = at_stake()[piece_at(position, origin) & 15]
            if price < least and steps_onto(position, origin, square, half_of_square) != 0:
                found, least = origin, price
            left ^= lowest(left)
        left = (position[ROOKS + half] & lines[half]) | (position[BISHOPS + half] & lines[2 + half])
        left = (left | (position[LANCES + half] & file[half])) & own[half] & occupied[half]
        while left != _0:
            origin = SPLIT * half + scan(left)
            price = at_stake()[piece_at(position, origin) & 15]
            row = at(between_rows(), 2 * (81 * square + origin))
            if price < least and (row[0] & occupied[0]) | (row[1] & occupied[1]) == _0:
                found, least = origin, price
            left ^= lowest(left)
    return found


@helper("int64(words, int64, int64, int64, int64, int64)")
def holds(position: Words, square: int, origin: int, side: int, lead: int, piece: int) -> int:
    """Whether who has just moved a piece to a square stays ahead by a lead of 0 or more, if ``side`` may capture next.

    ``origin`` is where the piece came from, or -1 for one from the hand; it is not counted as lost in the lead yet.
    """
    lead -= at_stake()[piece & 15]
    held = 1
    if lead >= 0:
        return held
    occupied, bits = _occupied(), bit_rows()
    for half in range(2):
        occupied[half] = position[COLOURS + half] | position[COLOURS + 2 + half] | bits[2 * square + half]
        if origin >= 0:
            occupied[half] &= ~bits[2 * origin + half]
    while lead < 0:
        capturer = _cheapest(position, square, side, occupied)
        if capturer == _NOBODY:
            return held
        for half in range(2):
            occupied[half] &= ~bits[2 * capturer + half]
        held = 1 - held
        lead = -lead - 1 - at_stake()[piece_at(position, capturer) & 15]
        side = 1 - side
    return held
