"""What the terms say of kings: guards, attackers, escapes and castles."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Integers, Values, Words, at, helper, popcount, table
from evalsmith.games.emitting import emit
from evalsmith.games.shogi.evaluation import castles
from evalsmith.games.shogi.evaluation.influence import MAPS, ONCE, WITHOUT_KING
from evalsmith.games.shogi.layout import MOST_ATTACKERS, STARTS
from evalsmith.games.shogi.movegen.attacks import king_of, piece_at, step_rows
from evalsmith.games.shogi.squares import BLACK, COLOURS, KING, OTHERS, WHITE_PIECE

_0 = np.uint64(0)
_ATTACKERS = STARTS["attackers near the king"]
_GUARDS = STARTS["guards beside the king"]
_ESCAPES = STARTS["escape squares of the king"]
_UNGUARDED = STARTS["unguarded squares beside the king"]

_patterns = table("shogi.castles", castles.pattern_table())
_castle_starts = table("shogi.castle_starts", np.array([STARTS[c.name] for c in castles.CASTLES], dtype=np.int64))
_PATTERNS = len(castles.pattern_table())
_PATTERN_WIDTH = 2 + 2 * castles.WIDEST
_CASTLES = len(castles.CASTLES)


@helper("int64(words, int64, int64, words, integers, int64, indices, values, int64)", inline=True)
def king_terms(
    position: Words,
    side: int,
    sign: int,
    maps: Words,
    attackers: Integers,
    fused: int,
    index: Indices,
    value: Values,
    count: int,
) -> int:
    """The counts around a side's king."""
    king = king_of(position, side)
    zone = at(step_rows(), 2 * (81 * KING + king))
    own, enemy_maps = at(position, COLOURS + 2 * side), at(maps, MAPS * (1 - side))
    own_maps = at(maps, MAPS * side)
    guards, escapes, unguarded = 0, 0, 0
    for half in range(2):
        # Golds, silvers and what moves like them, with knights; lances and pawns guard too little.
        guards += popcount(zone[half] & own[half] & position[OTHERS + half])
        attacked = enemy_maps[ONCE + half]
        escapes += popcount(zone[half] & ~own[half] & ~attacked)
        unguarded += popcount(zone[half] & attacked & ~own_maps[WITHOUT_KING + half])
    count = emit(fused, index, value, count, _ATTACKERS + min(attackers[side], MOST_ATTACKERS), sign)
    count = emit(fused, index, value, count, _GUARDS + guards, sign)
    count = emit(fused, index, value, count, _ESCAPES + escapes, sign)
    return emit(fused, index, value, count, _UNGUARDED + unguarded, sign)


@helper("int64(words, int64, int64, int64, indices, values, int64)", inline=True)
def castle_terms(position: Words, side: int, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """The best grade of each castle whose king is at home."""
    king = king_of(position, side)
    if side != BLACK:
        king = 80 - king
    patterns = _patterns()
    best = 0
    for number in range(_PATTERNS):
        row = at(patterns, _PATTERN_WIDTH * number)
        if row[1] == king:
            grade = 0
            for guard in range(castles.WIDEST):
                square, kind = row[2 + 2 * guard], row[3 + 2 * guard]
                if square >= 0:
                    square = square if side == BLACK else 80 - square
                    if piece_at(position, square) == kind + WHITE_PIECE * side:
                        grade += 1
            best = max(best, grade)
        # The variants of a castle stand together, so its best is known when the next one begins.
        if number + 1 == _PATTERNS or at(patterns, _PATTERN_WIDTH * (number + 1))[0] != row[0]:
            if best > 0:
                count = emit(fused, index, value, count, _castle_starts()[row[0]] + best - 1, sign)
            best = 0
    return count
