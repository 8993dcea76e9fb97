"""Stable discs: those that no sequence of moves can ever turn.

A disc is stable when along each of its four lines either the line is full, or a neighbour on the line is a stable disc
of the same colour, or the board ends. Discs on the border have a single line that can turn them, and a table knows
for each filling of it which discs stay. What is found is a part of all stable discs, never more.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Word, helper, int64, popcount, table

_0, _1, _7, _8, _9, _56 = (np.uint64(n) for n in (0, 1, 7, 8, 9, 56))
_BYTE = np.uint64(0xFF)
_INNER = np.uint64(0x007E7E7E7E7E7E00)
_FILE_A = np.uint64(0x0101010101010101)
# Times this, the bits of file a stand in the highest byte, rank 1 lowest.
_TO_BYTE = np.uint64(0x0102040810204080)
# Where a shift by 1, 2 and 4 files to the right (left) cannot have come around the border.
_RIGHT = tuple(np.uint64(0x0101010101010101 * (0xFF << n & 0xFF)) for n in (1, 2, 4))
_LEFT = tuple(np.uint64(0x0101010101010101 * (0xFF >> n)) for n in (1, 2, 4))
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def _placed(own: int, other: int, square: int) -> tuple[int, int]:
    """A line after a disc of ``own`` on an empty square."""
    turned = 0
    for step in (-1, 1):
        run, place = 0, square + step
        while 0 <= place < 8 and other >> place & 1:
            run |= 1 << place
            place += step
        if 0 <= place < 8 and own >> place & 1:
            turned |= run
    return own | turned | 1 << square, other & ~turned


def _edges() -> npt.NDArray[np.uint8]:
    """The discs of ``own`` that stay whatever is placed on a line of the border: [own + 256 · other].

    Fuller lines come first, so that each needs only the lines after one disc more.
    """
    stay = np.zeros(256 * 256, dtype=np.uint8)
    lines = [(own, other) for own in range(256) for other in range(256) if own & other == 0]
    lines.sort(key=lambda line: -(line[0] | line[1]).bit_count())
    for own, other in lines:
        kept = own
        for square in range(8):
            if not (own | other) >> square & 1:
                mine, theirs = _placed(own, other, square)
                kept &= int(stay[mine + 256 * theirs])
                theirs, mine = _placed(other, own, square)
                kept &= int(stay[mine + 256 * theirs])
        stay[own + 256 * other] = kept
    return stay


def _files() -> npt.NDArray[np.uint64]:
    """A byte as discs of file a."""
    return np.array([sum(1 << 8 * rank for rank in range(8) if byte >> rank & 1) for byte in range(256)], np.uint64)


_edge_table = table("othello.stable_edges", _edges())
_file_table = table("othello.file_a", _files())


@helper("uint64(uint64, uint64, uint64)", inline=True)
def _edge(own: Word, other: Word, shift: Word) -> Word:
    """The stable discs of a rank of the border, in place."""
    line = ((own >> shift) & _BYTE) | (((other >> shift) & _BYTE) << _8)
    return np.uint64(_edge_table()[int64(line)]) << shift


@helper("uint64(uint64, uint64, uint64)", inline=True)
def _side(own: Word, other: Word, shift: Word) -> Word:
    """The stable discs of a file of the border, in place."""
    line = ((((own >> shift) & _FILE_A) * _TO_BYTE) >> _56) | (((((other >> shift) & _FILE_A) * _TO_BYTE) >> _56) << _8)
    return _file_table()[int64(_edge_table()[int64(line)])] << shift


@helper("uint64(uint64, uint64)", inline=True)
def stable_border(own: Word, other: Word) -> Word:
    """The stable discs of ``own`` on the border."""
    return _edge(own, other, _0) | _edge(own, other, _56) | _side(own, other, _0) | _side(own, other, _7)


@helper("uint64(uint64, uint64, uint64, uint64, uint64, uint64, uint64, uint64)", inline=True)
def _full(empty: Word, shift: Word, up1: Word, up2: Word, up4: Word, down1: Word, down2: Word, down4: Word) -> Word:
    """The squares whose line in one direction has no empty square: the empties spread along it, both ways."""
    twice = shift + shift
    up = empty | ((empty << shift) & up1)
    up |= (up << twice) & up2
    up |= (up << (twice + twice)) & up4
    down = empty | ((empty >> shift) & down1)
    down |= (down >> twice) & down2
    down |= (down >> (twice + twice)) & down4
    return ~(up | down)


@helper("uint64(uint64, uint64)")
def stable(own: Word, other: Word) -> Word:
    """Stable discs of ``own``."""
    empty = ~(own | other)
    across = _full(empty, _1, _RIGHT[0], _RIGHT[1], _RIGHT[2], _LEFT[0], _LEFT[1], _LEFT[2])
    along = _full(empty, _8, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL)
    rising = _full(empty, _9, _RIGHT[0], _RIGHT[1], _RIGHT[2], _LEFT[0], _LEFT[1], _LEFT[2])
    falling = _full(empty, _7, _LEFT[0], _LEFT[1], _LEFT[2], _RIGHT[0], _RIGHT[1], _RIGHT[2])
    inner = own & _INNER
    found = stable_border(own, other) | (inner & across & along & rising & falling)
    grown = found
    while grown != _0:
        supported = across | (found << _1) | (found >> _1)
        supported &= along | (found << _8) | (found >> _8)
        supported &= rising | (found << _9) | (found >> _9)
        supported &= falling | (found << _7) | (found >> _7)
        grown = supported & inner & ~found
        found |= grown
    return found


@helper("int64(uint64, uint64)")
def most(mover: Word, enemy: Word) -> int:
    """The most discs the mover can win by: all but the enemy's stable ones."""
    return 64 - 2 * popcount(stable(enemy, mover))
