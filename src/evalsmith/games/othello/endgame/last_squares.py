"""The last four empty squares: no table, no lists of moves, squares of odd quadrants first.

Every search of the solver asks whether a position is worth more than ``alpha`` discs for the mover: a value above
alpha is a lower bound of the score, any other an upper bound. The winner takes the empties, so all scores are even.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Word, helper, int64, lowest, popcount, scan, table
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.rules import flips, mobility

_0, _56 = np.uint64(0), np.uint64(56)
_BYTE = np.uint64(0xFF)
_FILE_A = np.uint64(0x0101010101010101)
# Times this, the bits of file a stand in the highest byte, rank 1 lowest.
_TO_BYTE = np.uint64(0x0102040810204080)
_QUADRANTS = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))


def _turned_on_line() -> npt.NDArray[np.uint8]:
    """How many discs a disc turns on a line that is full otherwise: [256 · its place + the discs of its side]."""
    counts = np.zeros(8 * 256, dtype=np.uint8)
    for place in range(8):
        for discs in range(256):
            for line in (range(place - 1, -1, -1), range(place + 1, 8)):
                own = [step for step, square in enumerate(line) if discs >> square & 1]
                counts[256 * place + discs] += own[0] if own else 0
    return counts


def _diagonals() -> npt.NDArray[np.uint64]:
    """The two diagonals through each square."""
    places = [divmod(square, 8) for square in range(64)]
    lines = []
    for rank, file in places:
        lines.append(sum(1 << 8 * r + f for r, f in places if r - rank == f - file))
        lines.append(sum(1 << 8 * r + f for r, f in places if r - rank == file - f))
    return np.array(lines, dtype=np.uint64)


def _neighbours() -> npt.NDArray[np.uint64]:
    """The squares around each square."""
    places = [divmod(square, 8) for square in range(64)]
    found = [sum(1 << 8 * r + f for r, f in places if max(abs(r - a), abs(f - b)) == 1) for a, b in places]
    return np.array(found, dtype=np.uint64)


_turned = table("othello.turned_on_line", _turned_on_line())
_diagonal = table("othello.diagonals", _diagonals())
_around = table("othello.neighbours", _neighbours())


@helper("uint64(uint64)", inline=True)
def odd_quadrants(empty: Word) -> Word:
    """The quadrants with an odd number of empty squares, where the mover may also make the last move."""
    odd = _0
    for quadrant in _QUADRANTS:
        if popcount(empty & quadrant) & 1:
            odd |= quadrant
    return odd


@helper("int64(uint64, uint64)", inline=True)
def final(mover: Word, enemy: Word) -> int:
    """The score of a finished game."""
    own, other = popcount(mover), popcount(enemy)
    if own > other:
        return 64 - 2 * other
    if own < other:
        return 2 * own - 64
    return 0


@helper("uint64(uint64, uint64, uint64)", inline=True)
def _flips(disc: Word, mover: Word, enemy: Word) -> Word:
    """The discs that a disc turns; quick where it stands beside none of the enemy's."""
    if _around()[scan(disc)] & enemy == _0:
        return _0
    return flips(disc, mover, enemy)


@helper("int64(uint64, int64)", inline=True)
def _count(side: Word, square: int) -> int:
    """How many discs a disc of ``side`` turns on the last empty square."""
    file, rank = 256 * (square & 7), 256 * (square >> 3)
    turned, diagonal = _turned(), _diagonal()
    count = int64(turned[file + int64((side >> np.uint64(square & 56)) & _BYTE)])
    count += int64(turned[rank + int64((((side >> np.uint64(square & 7)) & _FILE_A) * _TO_BYTE) >> _56)])
    count += int64(turned[file + int64(((side & diagonal[2 * square]) * _FILE_A) >> _56)])
    return count + int64(turned[file + int64(((side & diagonal[2 * square + 1]) * _FILE_A) >> _56)])


@helper("int64(uint64, uint64, uint64)", inline=True)
def _last_one(mover: Word, enemy: Word, disc: Word) -> int:
    """One empty square."""
    square, own = scan(disc), popcount(mover)
    turned = _count(mover, square)
    if turned != 0:
        return 2 * (own + turned) - 62
    turned = _count(enemy, square)
    if turned != 0:
        return 2 * (own - turned) - 64
    return 2 * own - 62 if own > 31 else 2 * own - 64


@helper("int64(integers, uint64, uint64, int64)")
def _last_two(context: Integers, mover: Word, enemy: Word, alpha: int) -> int:
    """Two empty squares."""
    empty = ~(mover | enemy)
    first = lowest(empty)
    second = empty ^ first
    best, nodes = -slots.INFINITE, 1
    turned = _flips(first, mover, enemy)
    if turned != _0:
        nodes += 1
        best = -_last_one(enemy ^ turned, mover | turned | first, second)
    if best <= alpha:
        turned = _flips(second, mover, enemy)
        if turned != _0:
            nodes += 1
            best = max(best, -_last_one(enemy ^ turned, mover | turned | second, first))
    context[slots.NODES] += nodes
    if best > -slots.INFINITE:
        return best
    if mobility(enemy, mover) == _0:
        return final(mover, enemy)
    return -_last_two(context, enemy, mover, -alpha - 1)


@helper("int64(integers, uint64, uint64, int64, int64)")
def _by_parity(context: Integers, mover: Word, enemy: Word, alpha: int, empties: int) -> int:
    """Two, three or four empty squares."""
    if empties == 2:
        return _last_two(context, mover, enemy, alpha)
    context[slots.NODES] += 1
    empty = ~(mover | enemy)
    odd = odd_quadrants(empty)
    group, later = empty & odd, empty & ~odd
    best = -slots.INFINITE
    while group | later != _0:
        if group == _0:
            group, later = later, _0
        disc = lowest(group)
        group ^= disc
        turned = _flips(disc, mover, enemy)
        if turned != _0:
            best = max(best, -_by_parity(context, enemy ^ turned, mover | turned | disc, -alpha - 1, empties - 1))
            if best > alpha:
                return best
    if best > -slots.INFINITE:
        return best
    if mobility(enemy, mover) == _0:
        return final(mover, enemy)
    return -_by_parity(context, enemy, mover, -alpha - 1, empties)


@helper("int64(integers, uint64, uint64, int64, int64)", inline=True)
def last(context: Integers, mover: Word, enemy: Word, alpha: int, empties: int) -> int:
    """At most four empty squares."""
    if empties >= 2:
        return _by_parity(context, mover, enemy, alpha, empties)
    context[slots.NODES] += 1
    if empties == 1:
        return _last_one(mover, enemy, ~(mover | enemy))
    return final(mover, enemy)
