"""Where pieces reach on an occupied board, and whether a square is attacked.

A set of squares is two words, low and high; what a function finds is added to a row of two words of the caller's.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Word, Words, at, helper, int64, lowest, scan, scan_reverse, table
from evalsmith.games.shogi import squares
from evalsmith.games.shogi.squares import BISHOPS, COLOURS, LANCES, ROOKS, SPLIT, STATE

step_rows = table("shogi.steps", squares.step_table())
ray_rows = table("shogi.rays", squares.ray_table())
cross_rows = table("shogi.crosses", squares.cross_table())
near_rows = table("shogi.near", squares.near_table())
_directions = table("shogi.directions", squares.direction_table())
between_rows = table("shogi.between", squares.between_table())
bit_rows = table("shogi.bits", squares.words_of([1 << square for square in range(squares.SQUARES)]))

_0, _1, _BYTE = np.uint64(0), np.uint64(1), np.uint64(255)
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


@helper("int64(words, int64)", inline=True)
def piece_at(position: Words, square: int) -> int:
    """The piece on a square; 0 where there is none."""
    return int64((position[square >> 3] >> np.uint64((square & 7) << 3)) & _BYTE)


@helper("int64(words, int64)", inline=True)
def king_of(position: Words, side: int) -> int:
    """The square of a king."""
    return int64((position[STATE] >> np.uint64(8 + 8 * side)) & _BYTE)


@helper("int64(words)", inline=True)
def turn_of(position: Words) -> int:
    """The side to move."""
    return int64(position[STATE] & _1)


@helper("int64(int64, int64)", inline=True)
def direction_of(start: int, end: int) -> int:
    """The direction from one square to another, or NO_DIRECTION."""
    return int64(_directions()[81 * start + end])


# ── Slides ──────────────────────────────────────────────────────────────────────────────────────


@helper("void(words, uint64, uint64, words)", inline=True)
def _forward(ray: Words, low: Word, high: Word, reach: Words) -> None:
    """Along a ray to higher squares, up to the first occupied one."""
    blocked = low & ray[0]
    reach[0] |= (blocked ^ (blocked - _1)) & ray[0]
    if blocked == _0:
        further = high & ray[1]
        reach[1] |= (further ^ (further - _1)) & ray[1]


@helper("void(words, uint64, uint64, words)", inline=True)
def _backward(ray: Words, low: Word, high: Word, reach: Words) -> None:
    """Along a ray to lower squares, up to the first occupied one."""
    blocked = high & ray[1]
    reach[1] |= (_FULL << np.uint64(scan_reverse(blocked | _1))) & ray[1]
    if blocked == _0:
        further = low & ray[0]
        reach[0] |= (_FULL << np.uint64(scan_reverse(further | _1))) & ray[0]


@helper("void(int64, uint64, uint64, words)", inline=True)
def straights(square: int, low: Word, high: Word, reach: Words) -> None:
    """What a rook reaches."""
    rays = at(ray_rows(), 16 * square)
    _forward(at(rays, 2 * squares.DOWN), low, high, reach)
    _forward(at(rays, 2 * squares.LEFT), low, high, reach)
    _backward(at(rays, 2 * squares.UP), low, high, reach)
    _backward(at(rays, 2 * squares.RIGHT), low, high, reach)


@helper("void(int64, uint64, uint64, words)", inline=True)
def diagonals(square: int, low: Word, high: Word, reach: Words) -> None:
    """What a bishop reaches."""
    rays = at(ray_rows(), 16 * square)
    _forward(at(rays, 2 * squares.LEFT_DOWN), low, high, reach)
    _forward(at(rays, 2 * squares.LEFT_UP), low, high, reach)
    _backward(at(rays, 2 * squares.RIGHT_UP), low, high, reach)
    _backward(at(rays, 2 * squares.RIGHT_DOWN), low, high, reach)


@helper("void(int64, int64, uint64, uint64, words)", inline=True)
def lance_line(side: int, square: int, low: Word, high: Word, reach: Words) -> None:
    """What a lance of a side reaches."""
    rays = at(ray_rows(), 16 * square)
    if side == 0:
        _backward(at(rays, 2 * squares.UP), low, high, reach)
    else:
        _forward(at(rays, 2 * squares.DOWN), low, high, reach)


# ── Attacks on a square ─────────────────────────────────────────────────────────────────────────


@helper("void(words, int64, int64, words)", inline=True)
def sliders_towards(position: Words, square: int, by: int, found: Words) -> None:
    """Pieces of a side that would slide onto a square if nothing stood between."""
    lines = at(cross_rows(), 8 * square)
    own = at(position, COLOURS + 2 * by)
    # A lance attacks along the file from its own side: black's stand below the square.
    file = at(lines, 6 - 2 * by)
    for half in range(2):
        reaching = (position[ROOKS + half] & lines[half]) | (position[BISHOPS + half] & lines[2 + half])
        reaching |= position[LANCES + half] & file[half]
        found[half] = reaching & own[half]


@helper("int64(words, int64, int64, int64)", inline=True)
def steps_onto(position: Words, origin: int, target: int, half: int) -> int:
    """Whether the piece on ``origin`` reaches ``target``, in half ``half`` of the board, by a single step."""
    row = at(step_rows(), 2 * (81 * piece_at(position, origin) + origin))
    return 1 if row[half] & bit_rows()[2 * target + half] != _0 else 0


@helper("int64(words, int64, int64, uint64, uint64)")
def attacked(position: Words, square: int, by: int, low: Word, high: Word) -> int:
    """Whether a side attacks a square, on a board whose occupied squares are ``low`` and ``high``."""
    enemies = at(position, COLOURS + 2 * by)
    half_of_square = 1 if square >= SPLIT else 0
    near = at(near_rows(), 2 * (81 * (1 - by) + square))
    for half in range(2):
        left = near[half] & enemies[half]
        while left != _0:
            if steps_onto(position, SPLIT * half + scan(left), square, half_of_square) != 0:
                return 1
            left ^= lowest(left)
    lines = at(cross_rows(), 8 * square)
    file = at(lines, 6 - 2 * by)
    for half in range(2):
        left = (position[ROOKS + half] & lines[half]) | (position[BISHOPS + half] & lines[2 + half])
        left = (left | (position[LANCES + half] & file[half])) & enemies[half]
        while left != _0:
            row = at(between_rows(), 2 * (81 * square + SPLIT * half + scan(left)))
            if (row[0] & low) | (row[1] & high) == _0:
                return 1
            left ^= lowest(left)
    return 0
