"""What the terms say of pieces in hand: their number, and what dropping them threatens."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import (
    Indices,
    Integers,
    Values,
    Words,
    at,
    helper,
    lowest,
    popcount,
    scan,
    scratch,
    table,
)
from evalsmith.games.emitting import emit
from evalsmith.games.shogi.evaluation.influence import MAPS, ONCE, WITHOUT_KING, victim_places
from evalsmith.games.shogi.hands import in_hand
from evalsmith.games.shogi.layout import BOTH_HELD, BOTH_PLACED, ONE_HELD, STARTS
from evalsmith.games.shogi.movegen.attacks import diagonals, king_of, lance_line, piece_at, step_rows, straights
from evalsmith.games.shogi.movegen.pawns import BOTTOM_HIGH, BOTTOM_LOW, ahead, open_files
from evalsmith.games.shogi.squares import (
    BISHOP,
    BISHOPS,
    BLACK,
    COLOURS,
    GOLD,
    HAND_KINDS,
    HANDS,
    KING,
    LANCE,
    NAMES,
    PAWN,
    PAWNS,
    ROOK,
    ROOKS,
    SPLIT,
    WHITE,
    WHITE_PIECE,
    ranks_of,
    words_of,
)

_0, _1 = np.uint64(0), np.uint64(1)
_CHECK = STARTS["safe check by drop"]
_HOLE = STARTS["hole in the enemy camp for drop"]
_BEFORE = STARTS["pawn drop before"]
_PAIR = STARTS["bishop and rook"]
_IN_HAND = STARTS[f"{NAMES[PAWN]} in hand"]

_count_starts = table(
    "shogi.hand_counts", np.array([0, *(STARTS[f"{NAMES[kind]} in hand"] for kind in HAND_KINDS)], dtype=np.int64)
)
# Where drops of a side are of use: the enemy's camp. For pawns, also the last rank as the enemy sees it.
_camps = table("shogi.camps", words_of([ranks_of(side, 0, 2) for side in (BLACK, WHITE)]))
_last = table("shogi.last_ranks", words_of([ranks_of(side, 0, 0) for side in (BLACK, WHITE)]))

_reach = scratch("words", 2)


@helper("int64(words, int64, int64, int64, indices, values, int64)", inline=True)
def pair_terms(position: Words, side: int, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """Where a side has both a bishop and a rook, or what they become: the better to drop, the better."""
    own = at(position, COLOURS + 2 * side)
    bishop = position[BISHOPS] & own[0] | position[BISHOPS + 1] & own[1]
    rook = position[ROOKS] & own[0] | position[ROOKS + 1] & own[1]
    bishops, rooks = in_hand(position, side, BISHOP), in_hand(position, side, ROOK)
    if bishops > 0 and rooks > 0:
        return emit(fused, index, value, count, _PAIR + BOTH_HELD, sign)
    if rooks > 0 and bishop != _0:
        return emit(fused, index, value, count, _PAIR + ONE_HELD + 1, sign)
    if bishops > 0 and rook != _0:
        return emit(fused, index, value, count, _PAIR + ONE_HELD, sign)
    if bishop != _0 and rook != _0:
        return emit(fused, index, value, count, _PAIR + BOTH_PLACED, sign)
    return count


@helper("int64(words, int64, int64, words, integers, int64, indices, values, int64)", inline=True)
def hand_terms(
    position: Words,
    side: int,
    sign: int,
    maps: Words,
    tally: Integers,
    fused: int,
    index: Indices,
    value: Values,
    count: int,
) -> int:
    """Pieces in hand by number; safe checks by drop; holes in the enemy's camp; pawns dropped before pieces."""
    foe = 1 - side
    own, enemies = at(position, COLOURS + 2 * side), at(position, COLOURS + 2 * foe)
    if (position[HANDS] >> np.uint64(32 * side)) & np.uint64(0xFFFFFFFF) == _0:
        return count
    low, high = own[0] | enemies[0], own[1] | enemies[1]
    mine, theirs = at(maps, MAPS * side), at(maps, MAPS * foe)
    king = king_of(position, foe)
    beside = at(step_rows(), 2 * (81 * KING + king))
    # A dropped piece stays if nobody but the king attacks it, and the king cannot take what is guarded.
    safe_low = ~low & ~theirs[WITHOUT_KING] & (~beside[0] | mine[ONCE])
    safe_high = ~high & ~theirs[WITHOUT_KING + 1] & (~beside[1] | mine[ONCE + 1])
    open_low = open_files(position[PAWNS] & own[0], BOTTOM_LOW)
    open_high = open_files(position[PAWNS + 1] & own[1], BOTTOM_HIGH)
    camp = at(_camps(), 2 * side)
    hole_low = ~low & ~theirs[ONCE] & camp[0]
    hole_high = ~high & ~theirs[ONCE + 1] & camp[1]
    holes = popcount(hole_low) + popcount(hole_high)
    reach = _reach()
    for kind in range(PAWN, GOLD + 1):
        held = in_hand(position, side, kind)
        if held == 0:
            continue
        count = emit(fused, index, value, count, _count_starts()[kind] + held - 1, sign)
        # From where the piece would check is where the king would go if it moved like the enemy's piece.
        steps = at(step_rows(), 2 * (81 * (kind + WHITE_PIECE * foe) + king))
        reach[0], reach[1] = steps[0], steps[1]
        if kind == LANCE:
            lance_line(foe, king, low, high, reach)
        elif kind == BISHOP:
            diagonals(king, low, high, reach)
        elif kind == ROOK:
            straights(king, low, high, reach)
        room = holes
        if kind == PAWN:
            reach[0] &= open_low
            reach[1] &= open_high
            room = popcount(hole_low & open_low) + popcount(hole_high & open_high)
        tally[_CHECK + kind - 1] += sign * (popcount(reach[0] & safe_low) + popcount(reach[1] & safe_high))
        tally[_HOLE + kind - 1] += sign * room
    if in_hand(position, side, PAWN) > 0:
        last = at(_last(), 2 * foe)
        open_row = reach
        open_row[0], open_row[1] = open_low & ~low, open_high & ~high
        for half in range(2):
            # Their own last rank is ours to begin from: nothing can be dropped beyond it.
            victims = enemies[half] & ~position[PAWNS + half] & ~last[half]
            squares = ahead(foe, victims) & open_row[half] & (mine[ONCE + half] | ~theirs[ONCE + half])
            squares = ahead(side, squares)
            while squares != _0:
                kind = piece_at(position, SPLIT * half + scan(squares)) & 15
                if kind != KING:
                    tally[_BEFORE + victim_places()[kind]] += sign
                squares ^= lowest(squares)
    return count
