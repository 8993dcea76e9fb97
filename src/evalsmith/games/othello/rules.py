"""The rules of Othello on bitboards.

Words: 0 the mover's discs, 1 the enemy's discs (a1 is bit 0, h1 bit 7, a2 bit 8), 2 the side to move
(black 0, white 1). Moves: a square 0–63, or PASS. A pass is a move, legal only when there is no other
and the enemy can move.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, int64, lowest, popcount, scan
from evalsmith.games.contract import OVER, PLAYER, contract
from evalsmith.games.keys import mix

PASS = 64
CENTIDISC = 100

_0, _1, _2 = np.uint64(0), np.uint64(1), np.uint64(2)
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
_INNER_FILES = np.uint64(0x7E7E7E7E7E7E7E7E)
_HORIZONTAL, _DIAGONAL, _VERTICAL, _ANTIDIAGONAL = np.uint64(1), np.uint64(9), np.uint64(8), np.uint64(7)
_KEY_SEED = np.uint64(0x0BE110)

# How good a square is to move to, before anything else is known of the position.
_SQUARES = np.array([
    90, -20, 10, 5, 5, 10, -20, 90,
    -20, -50, -5, -5, -5, -5, -50, -20,
    10, -5, 5, 0, 0, 5, -5, 10,
    5, -5, 0, 0, 0, 0, -5, 5,
    5, -5, 0, 0, 0, 0, -5, 5,
    10, -5, 5, 0, 0, 5, -5, 10,
    -20, -50, -5, -5, -5, -5, -50, -20,
    90, -20, 10, 5, 5, 10, -20, 90,
], dtype=np.int64)  # fmt: skip
# One reply more for the enemy counts as much as this in the same scale.
_REPLY = 12


@helper("uint64(uint64, uint64, uint64)", inline=True)
def _line(mover: Word, between: Word, shift: Word) -> Word:
    """The squares behind a run of ``between`` that touches a disc of the mover, both ways along a line."""
    twice = shift + shift
    up = between & (mover << shift)
    down = between & (mover >> shift)
    up |= between & (up << shift)
    down |= between & (down >> shift)
    pairs_up = between & (between << shift)
    pairs_down = pairs_up >> shift
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    return (up << shift) | (down >> shift)


@helper("uint64(uint64, uint64)", inline=True)
def mobility(mover: Word, enemy: Word) -> Word:
    """The empty squares where the mover may place a disc."""
    inner = enemy & _INNER_FILES
    reached = _line(mover, inner, _HORIZONTAL)
    reached |= _line(mover, inner, _DIAGONAL)
    reached |= _line(mover, inner, _ANTIDIAGONAL)
    reached |= _line(mover, enemy, _VERTICAL)
    return reached & ~(mover | enemy)


@helper("uint64(uint64, uint64, uint64, uint64)", inline=True)
def _turned(disc: Word, mover: Word, between: Word, shift: Word) -> Word:
    """The discs that a new disc turns, both ways along a line."""
    twice = shift + shift
    up = between & (disc << shift)
    down = between & (disc >> shift)
    up |= between & (up << shift)
    down |= between & (down >> shift)
    pairs_up = between & (between << shift)
    pairs_down = pairs_up >> shift
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    turned = _0
    if (up << shift) & mover != _0:
        turned |= up
    if (down >> shift) & mover != _0:
        turned |= down
    return turned


@helper("uint64(uint64, uint64, uint64)", inline=True)
def flips(disc: Word, mover: Word, enemy: Word) -> Word:
    """The enemy discs that a disc of the mover turns."""
    inner = enemy & _INNER_FILES
    turned = _turned(disc, mover, inner, _HORIZONTAL)
    turned |= _turned(disc, mover, inner, _DIAGONAL)
    turned |= _turned(disc, mover, inner, _ANTIDIAGONAL)
    return turned | _turned(disc, mover, enemy, _VERTICAL)


@contract
def moves(position: Words, out: Integers) -> int:
    """The squares in order, or the pass."""
    mover, enemy = position[0], position[1]
    free = mobility(mover, enemy)
    if free == _0:
        if mobility(enemy, mover) == _0:
            return 0
        out[0] = PASS
        return 1
    count = 0
    while free != _0:
        out[count] = scan(free)
        count += 1
        free ^= lowest(free)
    return count


@contract
def play(position: Words, move: int, next: Words) -> None:
    """Place a disc and turn the others, or pass."""
    mover, enemy, side = position[0], position[1], position[2]
    turned, disc = _0, _0
    if move != PASS:
        disc = _1 << np.uint64(move)
        turned = flips(disc, mover, enemy)
    next[0] = enemy & ~turned
    next[1] = mover | turned | disc
    next[2] = side ^ _1


@contract
def status(position: Words) -> int:
    """Over when neither side can move."""
    mover, enemy = position[0], position[1]
    if mobility(mover, enemy) == _0 and mobility(enemy, mover) == _0:
        return OVER
    return PLAYER


@contract
def mover(position: Words) -> int:
    """0 black, 1 white."""
    return int64(position[2])


@contract
def result(position: Words) -> int:
    """The disc difference in centidiscs; the winner takes the empty squares."""
    own, other = popcount(position[0]), popcount(position[1])
    margin, empties = own - other, 64 - own - other
    if margin > 0:
        margin += empties
    elif margin < 0:
        margin -= empties
    return margin * CENTIDISC


@contract
def key(position: Words) -> Word:
    """A hash of all three words."""
    return mix(mix(mix(_KEY_SEED, position[0]), position[1]), position[2])


@contract
def order(position: Words, move: int) -> int:
    """Good squares first, and those that leave the enemy few replies."""
    if move == PASS:
        return 0
    mover, enemy = position[0], position[1]
    disc = _1 << np.uint64(move)
    turned = flips(disc, mover, enemy)
    replies = mobility(enemy & ~turned, mover | turned | disc)
    return int64(_SQUARES[move] - _REPLY * popcount(replies))


@contract
def slot(position: Words, move: int) -> int:
    """The square, and 64 for the pass."""
    return move
