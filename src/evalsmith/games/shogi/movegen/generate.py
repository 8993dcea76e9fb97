"""The legal moves: pins and checks are known before a move is written, so none is taken back.

A move is the target, plus 128 times the origin, plus PROMOTE. An origin from 81 on is a drop: 80 plus the kind.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, at, helper, lowest, scan, scratch, table
from evalsmith.games.shogi import squares
from evalsmith.games.shogi.movegen.attacks import (
    attacked,
    bit_rows,
    cross_rows,
    diagonals,
    direction_of,
    king_of,
    lance_line,
    piece_at,
    ray_rows,
    step_rows,
    straights,
    turn_of,
)
from evalsmith.games.shogi.movegen.legality import ALLOWED, PINNED, SURVEY, pawn_drop_mates, survey
from evalsmith.games.shogi.movegen.pawns import BOTTOM_HIGH, BOTTOM_LOW, open_files
from evalsmith.games.shogi.squares import (
    BISHOP,
    BISHOPS,
    BLACK,
    COLOURS,
    GOLD,
    HANDS,
    KING,
    KNIGHT,
    LANCE,
    LANCES,
    OTHERS,
    PAWN,
    PAWNS,
    ROOK,
    ROOKS,
    SILVER,
    SPLIT,
    WHITE,
    ranks_of,
    words_of,
)

ORIGIN = 128
PROMOTE = 1 << 14
DROP = 80  # the origin of a drop, before its kind is added
# What to write: every legal move, or captures and promotions only.
ALL, NOISY = 0, 1

_0, _1, _8, _31, _7 = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(31), np.uint64(7)
_LOW, _HIGH = np.uint64(squares.LOW_MASK), np.uint64(squares.HIGH_MASK)
_HAND = np.uint64(0xFFFFFFFF)
_LANCE_SHIFT, _KNIGHT_SHIFT = (np.uint64(squares.HAND_SHIFT[kind]) for kind in (LANCE, KNIGHT))
_SILVER_SHIFT = np.uint64(squares.HAND_SHIFT[SILVER])

# Two words each, six a side: the ranks where pieces promote, the last rank, the last two.
_limits = table(
    "shogi.limits",
    words_of([ranks_of(side, 0, last) for side in (BLACK, WHITE) for last in (2, 0, 1)]),
)
_ZONE, _LAST, _LAST_TWO = 0, 2, 4
_found = scratch("words", SURVEY)
_reach = scratch("words", 2)


# ── Writing moves ───────────────────────────────────────────────────────────────────────────────


@helper("int64(integers, int64, int64, int64, uint64, uint64)", inline=True)
def _write(out: Integers, count: int, each: int, base: int, low: Word, high: Word) -> int:
    """One move for every target: ``each`` times the target, plus ``base``."""
    while low != _0:
        out[count] = base + each * scan(low)
        count += 1
        low ^= lowest(low)
    base += each * SPLIT
    while high != _0:
        out[count] = base + each * scan(high)
        count += 1
        high ^= lowest(high)
    return count


@helper("int64(words, integers, int64, int64, int64, uint64, uint64, int64, words, words)", inline=True)
def _write_piece(
    position: Words, out: Integers, count: int, square: int, kind: int, low: Word, high: Word, mode: int,
    limits: Words, enemies: Words,
) -> int:  # fmt: skip
    """The moves of one piece to its targets, promoting and not."""
    base = ORIGIN * square
    plain_low, plain_high = low, high
    if mode == NOISY:
        plain_low &= enemies[0]
        plain_high &= enemies[1]
    if kind <= ROOK:
        bits = at(bit_rows(), 2 * square)
        if (bits[0] & limits[_ZONE]) | (bits[1] & limits[_ZONE + 1]) == _0:
            low &= limits[_ZONE]
            high &= limits[_ZONE + 1]
        if kind == KNIGHT:
            plain_low &= ~limits[_LAST_TWO]
            plain_high &= ~limits[_LAST_TWO + 1]
        elif kind == LANCE:
            plain_low &= ~limits[_LAST]
            plain_high &= ~limits[_LAST + 1]
        if mode == NOISY:
            if kind == SILVER:
                low &= enemies[0]
                high &= enemies[1]
            elif kind >= BISHOP:
                plain_low &= ~low
                plain_high &= ~high
        count = _write(out, count, 1, base + PROMOTE, low, high)
    return _write(out, count, 1, base, plain_low, plain_high)


@helper("int64(words, integers, int64, words, int64, int64, words, words)", inline=True)
def _pawn_moves(
    position: Words, out: Integers, count: int, found: Words, side: int, mode: int, limits: Words, enemies: Words
) -> int:
    """All pawns at once: a step along the file is a shift by one."""
    own = at(position, COLOURS + 2 * side)
    # A pinned pawn moves only along the file of its king.
    file = at(cross_rows(), 8 * king_of(position, side) + 4)
    low = position[PAWNS] & own[0] & (~found[PINNED] | file[0] | file[2])
    high = position[PAWNS + 1] & own[1] & (~found[PINNED + 1] | file[1] | file[3])
    back = ORIGIN
    if side == BLACK:
        low, high = low >> _1, high >> _1
    else:
        low, high, back = low << _1, high << _1, -ORIGIN
    low &= ~own[0] & found[ALLOWED]
    high &= ~own[1] & found[ALLOWED + 1]
    count = _write(out, count, ORIGIN + 1, back + PROMOTE, low & limits[_ZONE], high & limits[_ZONE + 1])
    if mode == NOISY:
        low &= enemies[0] & ~limits[_ZONE]
        high &= enemies[1] & ~limits[_ZONE + 1]
    return _write(out, count, ORIGIN + 1, back, low & ~limits[_LAST], high & ~limits[_LAST + 1])


@helper("int64(words, integers, int64, words, int64, words)", inline=True)
def _drops(position: Words, out: Integers, count: int, found: Words, side: int, limits: Words) -> int:
    """Every kind in hand onto every empty square that it may stand on."""
    hand = (position[HANDS] >> np.uint64(32 * side)) & _HAND
    if hand == _0:
        return count
    low = ~(position[COLOURS] | position[COLOURS + 2]) & found[ALLOWED]
    high = ~(position[COLOURS + 1] | position[COLOURS + 3]) & found[ALLOWED + 1]
    if low | high == _0:
        return count
    not_last_low, not_last_high = low & ~limits[_LAST], high & ~limits[_LAST + 1]
    if hand & _31 != _0:
        own = at(position, COLOURS + 2 * side)
        pawn_low = not_last_low & open_files(position[PAWNS] & own[0], BOTTOM_LOW)
        pawn_high = not_last_high & open_files(position[PAWNS + 1] & own[1], BOTTOM_HIGH)
        # The one square from which a pawn gives check.
        foe = 1 - side
        front = at(step_rows(), 2 * (81 * (PAWN + squares.WHITE_PIECE * foe) + king_of(position, foe)))
        if (pawn_low & front[0]) | (pawn_high & front[1]) != _0:
            target = scan(front[0])
            if front[0] == _0:
                target = SPLIT + scan(front[1])
            if pawn_drop_mates(position, side, target) != 0:
                pawn_low &= ~front[0]
                pawn_high &= ~front[1]
        count = _write(out, count, 1, ORIGIN * (DROP + PAWN), pawn_low, pawn_high)
    if (hand >> _LANCE_SHIFT) & _7 != _0:
        count = _write(out, count, 1, ORIGIN * (DROP + LANCE), not_last_low, not_last_high)
    if (hand >> _KNIGHT_SHIFT) & _7 != _0:
        knight_low, knight_high = low & ~limits[_LAST_TWO], high & ~limits[_LAST_TWO + 1]
        count = _write(out, count, 1, ORIGIN * (DROP + KNIGHT), knight_low, knight_high)
    hand >>= _SILVER_SHIFT
    for kind in range(SILVER, GOLD + 1):
        if hand & _7 != _0:
            count = _write(out, count, 1, ORIGIN * (DROP + kind), low, high)
        hand >>= np.uint64(3)
    return count


# ── The generator ───────────────────────────────────────────────────────────────────────────────


@helper("int64(words, integers, int64)")
def generate(position: Words, out: Integers, mode: int) -> int:
    """Legal moves into ``out``: all, or the noisy ones; in check always all."""
    side = turn_of(position)
    foe = 1 - side
    own, enemies = at(position, COLOURS + 2 * side), at(position, COLOURS + 2 * foe)
    occupied_low, occupied_high = own[0] | enemies[0], own[1] | enemies[1]
    king = king_of(position, side)
    found = _found()
    checks = survey(position, side, found)
    if checks > 0:
        mode = ALL
    count = 0

    # The king
    bits = bit_rows()
    without_low, without_high = occupied_low ^ bits[2 * king], occupied_high ^ bits[2 * king + 1]
    row = at(step_rows(), 2 * (81 * KING + king))
    for half in range(2):
        left = row[half] & ~own[half]
        if mode == NOISY:
            left &= enemies[half]
        while left != _0:
            target = SPLIT * half + scan(left)
            if attacked(position, target, foe, without_low, without_high) == 0:
                out[count] = ORIGIN * king + target
                count += 1
            left ^= lowest(left)
    if checks > 1:
        return count

    limits = at(_limits(), 6 * side)
    count = _pawn_moves(position, out, count, found, side, mode, limits, enemies)

    # All others: steps first, then slides
    king_row = at(bits, 2 * king)
    reach = _reach()
    for half in range(2):
        left = own[half] & ~position[PAWNS + half] & ~king_row[half]
        while left != _0:
            square = SPLIT * half + scan(left)
            bit = lowest(left)
            left ^= bit
            piece = piece_at(position, square)
            kind = piece & 15
            steps = at(step_rows(), 2 * (81 * piece + square))
            reach[0], reach[1] = steps[0], steps[1]
            if position[OTHERS + half] & bit == _0:
                if position[LANCES + half] & bit != _0:
                    lance_line(side, square, occupied_low, occupied_high, reach)
                elif position[BISHOPS + half] & bit != _0:
                    diagonals(square, occupied_low, occupied_high, reach)
                elif position[ROOKS + half] & bit != _0:
                    straights(square, occupied_low, occupied_high, reach)
            low = reach[0] & ~own[0] & found[ALLOWED]
            high = reach[1] & ~own[1] & found[ALLOWED + 1]
            if found[PINNED + half] & bit != _0:
                line = at(ray_rows(), 2 * (8 * king + direction_of(king, square)))
                low &= line[0]
                high &= line[1]
            count = _write_piece(position, out, count, square, kind, low, high, mode, limits, enemies)

    if mode == NOISY:
        return count
    return _drops(position, out, count, found, side, limits)
