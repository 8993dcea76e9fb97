"""The rules of Connect Four, compiled.

Words: 0 the mover's stones, 1 the enemy's. A column is seven bits, the lowest cell first; its seventh stays
empty, so that no line runs over into the next column. Who moves follows from the number of stones. A move is a column.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, lowest, popcount
from evalsmith.games.contract import OVER, PLAYER, contract
from evalsmith.games.keys import mix

COLUMNS, ROWS, CELLS = 7, 6, 42
WIN = 10_000

_0, _1 = np.uint64(0), np.uint64(1)
_UP, _DOWNHILL, _ACROSS, _UPHILL = np.uint64(1), np.uint64(6), np.uint64(7), np.uint64(8)
_COLUMN = np.uint64(0b111111)
BOTTOM = np.uint64(sum(1 << 7 * column for column in range(COLUMNS)))
BOARD = BOTTOM * np.uint64(0b111111)
_KEY_SEED = np.uint64(0xC04)
_ORDER = np.array([0, 2, 4, 6, 4, 2, 0], dtype=np.int64)


# ── Rules ───────────────────────────────────────────────────────────────────────────────────────


@helper("uint64(uint64, uint64)", inline=True)
def _fours(stones: Word, step: Word) -> Word:
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (step + step))


@helper("int64(uint64)", inline=True)
def won(stones: Word) -> int:
    """Whether the stones hold four in a line."""
    fours = _fours(stones, _UP) | _fours(stones, _DOWNHILL) | _fours(stones, _ACROSS) | _fours(stones, _UPHILL)
    return 1 if fours != _0 else 0


@contract
def moves(position: Words, out: Integers) -> int:
    """The columns with room, while the enemy has no four."""
    count = 0
    if won(position[1]):
        return count
    stones = position[0] | position[1]
    for column in range(COLUMNS):
        full = _COLUMN << np.uint64(7 * column)
        if stones & full != full:
            out[count] = column
            count += 1
    return count


@contract
def play(position: Words, move: int, next: Words) -> None:
    """Drop a stone; the mover becomes the enemy."""
    mover, enemy = position[0], position[1]
    full = _COLUMN << np.uint64(7 * move)
    next[0] = enemy
    next[1] = mover | lowest(full & ~(mover | enemy))


@contract
def status(position: Words) -> int:
    """Over with four in a line or a full board."""
    return OVER if won(position[1]) or popcount(position[0] | position[1]) == CELLS else PLAYER


@contract
def mover(position: Words) -> int:
    """0 the one who began, 1 the other."""
    return popcount(position[0] | position[1]) % 2


@contract
def result(position: Words) -> int:
    """Lost to the enemy's four, or drawn."""
    return -WIN if won(position[1]) else 0


@contract
def key(position: Words) -> Word:
    """A hash of both words."""
    return mix(mix(_KEY_SEED, position[0]), position[1])


@contract
def order(position: Words, move: int) -> int:
    """The centre first."""
    return _ORDER[move]


@contract
def slot(position: Words, move: int) -> int:
    """The column."""
    return move
