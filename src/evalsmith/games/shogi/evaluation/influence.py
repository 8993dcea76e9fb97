"""The first pass of the terms over the board: squares, mobility, attacks on kings, and maps of attacked squares."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Integers, Values, Words, at, helper, lowest, popcount, scan, scratch, table
from evalsmith.games.emitting import emit
from evalsmith.games.shogi.layout import MOBILE, STARTS, VICTIMS
from evalsmith.games.shogi.movegen.attacks import diagonals, king_of, lance_line, piece_at, step_rows, straights
from evalsmith.games.shogi.squares import (
    BISHOPS,
    BLACK,
    COLOURS,
    GOLD_LIKE,
    KING,
    LANCES,
    NAMES,
    OTHERS,
    PAWN,
    SPLIT,
)

# The maps of a side, two words each: squares attacked, attacked twice, attacked by others than the king.
ONCE, TWICE, WITHOUT_KING = 0, 2, 4
MAPS = 6

_0 = np.uint64(0)
_MATERIAL = STARTS["material"]
_SQUARE = STARTS["pawn on square"]
_KING_ATTACK = STARTS["square at the enemy's king attacked"]


def _mobility_start(kind: int) -> int:
    """Where the mobility of a kind begins; -1 for pawns and kings, which have none."""
    if kind in MOBILE:
        return STARTS[f"{NAMES[kind]} mobility"]
    return STARTS["promoted piece mobility"] if kind in GOLD_LIKE else -1


# By kind: its place among the thirteen that can be won (-1: none), and where its mobility begins.
victim_places = table(
    "shogi.victims", np.array([VICTIMS.index(k) if k in VICTIMS else -1 for k in range(16)], dtype=np.int64)
)
_mobility_starts = table("shogi.mobility", np.array([_mobility_start(kind) for kind in range(16)], dtype=np.int64))

_reach = scratch("words", 2)


@helper("int64(words, int64, int64, words, integers, integers, int64, indices, values, int64)", inline=True)
def piece_terms(
    position: Words, side: int, sign: int, maps: Words, attackers: Integers, tally: Integers,
    fused: int, index: Indices, value: Values, count: int,
) -> int:  # fmt: skip
    """Material, squares, mobility and attacks on the enemy's king of one side; fills its maps."""
    foe = 1 - side
    own, enemies = at(position, COLOURS + 2 * side), at(position, COLOURS + 2 * foe)
    low, high = own[0] | enemies[0], own[1] | enemies[1]
    zone = at(step_rows(), 2 * (81 * KING + king_of(position, foe)))
    mine = at(maps, MAPS * side)
    reach = _reach()
    for half in range(2):
        left = own[half]
        while left != _0:
            square, bit = SPLIT * half + scan(left), lowest(left)
            left ^= bit
            piece = piece_at(position, square)
            kind = piece & 15
            steps = at(step_rows(), 2 * (81 * piece + square))
            reach[0], reach[1] = steps[0], steps[1]
            if kind != PAWN and position[OTHERS + half] & bit == _0:
                if position[LANCES + half] & bit != _0:
                    lance_line(side, square, low, high, reach)
                elif position[BISHOPS + half] & bit != _0:
                    diagonals(square, low, high, reach)
                else:
                    straights(square, low, high, reach)
            mine[TWICE] |= mine[ONCE] & reach[0]
            mine[TWICE + 1] |= mine[ONCE + 1] & reach[1]
            mine[ONCE] |= reach[0]
            mine[ONCE + 1] |= reach[1]
            place = square if side == BLACK else 80 - square
            count = emit(fused, index, value, count, _SQUARE + 81 * (kind - 1) + place, sign)
            if kind != KING:
                mine[WITHOUT_KING] |= reach[0]
                mine[WITHOUT_KING + 1] |= reach[1]
                tally[_MATERIAL + victim_places()[kind]] += sign
            hits = popcount(reach[0] & zone[0]) + popcount(reach[1] & zone[1])
            if hits > 0:
                tally[_KING_ATTACK + kind - 1] += sign * hits
                attackers[foe] += 1
            begin = _mobility_starts()[kind]
            if begin >= 0:
                free = popcount(reach[0] & ~own[0]) + popcount(reach[1] & ~own[1])
                count = emit(fused, index, value, count, begin + free, sign)
    return count
