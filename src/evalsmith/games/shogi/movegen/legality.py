"""What the king allows: checks, pins, the squares that answer a check, and mate by a dropped pawn."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Words, at, helper, lowest, popcount, scan, scratch
from evalsmith.games.shogi.movegen.attacks import (
    attacked,
    between_rows,
    bit_rows,
    king_of,
    near_rows,
    sliders_towards,
    step_rows,
    steps_onto,
)
from evalsmith.games.shogi.squares import COLOURS, HIGH_MASK, KING, LOW_MASK, SPLIT

_0 = np.uint64(0)
_LOW, _HIGH = np.uint64(LOW_MASK), np.uint64(HIGH_MASK)

# Where `survey` writes what it finds, two words each.
CHECKERS, PINNED, ALLOWED = 0, 2, 4
SURVEY = 6

_sliders = scratch("words", 2)


@helper("int64(words, int64, words)", inline=True)
def survey(position: Words, side: int, found: Words) -> int:
    """How many pieces give check to a side; who they are, what is pinned, and which targets answer a single check."""
    foe = 1 - side
    king = king_of(position, side)
    own, enemies = at(position, COLOURS + 2 * side), at(position, COLOURS + 2 * foe)
    low, high = own[0] | enemies[0], own[1] | enemies[1]
    for word in range(SURVEY):
        found[word] = _0
    checks = 0
    half_of_king = 1 if king >= SPLIT else 0
    near = at(near_rows(), 2 * (81 * side + king))
    for half in range(2):
        left = near[half] & enemies[half]
        while left != _0:
            if steps_onto(position, SPLIT * half + scan(left), king, half_of_king) != 0:
                checks += 1
                found[CHECKERS + half] |= lowest(left)
            left ^= lowest(left)
    sliders = _sliders()
    sliders_towards(position, king, foe, sliders)
    for half in range(2):
        left = sliders[half]
        while left != _0:
            row = at(between_rows(), 2 * (81 * king + SPLIT * half + scan(left)))
            first, second = row[0] & low, row[1] & high
            if first | second == _0:
                checks += 1
                found[CHECKERS + half] |= lowest(left)
                found[ALLOWED] |= row[0]
                found[ALLOWED + 1] |= row[1]
            elif popcount(first) + popcount(second) == 1:
                found[PINNED] |= first & own[0]
                found[PINNED + 1] |= second & own[1]
            left ^= lowest(left)
    if checks == 0:
        found[ALLOWED], found[ALLOWED + 1] = _LOW, _HIGH
    else:
        found[ALLOWED] |= found[CHECKERS]
        found[ALLOWED + 1] |= found[CHECKERS + 1]
    return checks


@helper("int64(words, int64)")
def in_check(position: Words, side: int) -> int:
    """Whether a side's king is attacked."""
    low, high = position[COLOURS] | position[COLOURS + 2], position[COLOURS + 1] | position[COLOURS + 3]
    return attacked(position, king_of(position, side), 1 - side, low, high)


@helper("int64(words, int64, int64)")
def pawn_drop_mates(position: Words, side: int, target: int) -> int:
    """Whether a pawn that a side drops on ``target``, right before the enemy's king, mates."""
    foe = 1 - side
    king = king_of(position, foe)
    own, enemies = at(position, COLOURS + 2 * side), at(position, COLOURS + 2 * foe)
    bits = bit_rows()
    pawn_low, pawn_high = bits[2 * target], bits[2 * target + 1]
    low, high = own[0] | enemies[0] | pawn_low, own[1] | enemies[1] | pawn_high
    # The king takes the pawn or walks away. The pawn itself guards nothing but the king's square.
    without_low, without_high = low ^ bits[2 * king], high ^ bits[2 * king + 1]
    around = at(step_rows(), 2 * (81 * KING + king))
    for half in range(2):
        left = around[half] & ~enemies[half]
        while left != _0:
            square = SPLIT * half + scan(left)
            if attacked(position, square, side, without_low, without_high) == 0:
                return 0
            left ^= lowest(left)
    # Another piece takes the pawn, unless it is pinned to the king.
    half_of_target = 1 if target >= SPLIT else 0
    near = at(near_rows(), 2 * (81 * side + target))
    sliders = _sliders()
    sliders_towards(position, target, foe, sliders)
    for half in range(2):
        left = (near[half] & enemies[half]) | sliders[half]
        while left != _0:
            origin = SPLIT * half + scan(left)
            if origin != king:
                row = at(between_rows(), 2 * (81 * target + origin))
                slides = sliders[half] & lowest(left) != _0 and (row[0] & low) | (row[1] & high) == _0
                if slides or steps_onto(position, origin, target, half_of_target) != 0:
                    after_low, after_high = low ^ bits[2 * origin], high ^ bits[2 * origin + 1]
                    if attacked(position, king, side, after_low, after_high) == 0:
                        return 0
            left ^= lowest(left)
    return 1
