"""The transposition table: buckets of four entries of two words, in a fixed number of bytes.

An entry is (key xor data, data), so that one torn by another thread fails its key. Data, from the lowest
bit: move 24, value 24, depth 8, bound 2, generation 6. A new entry replaces its own position's, or else the one of the
bucket whose relevance is least: twice its depth, less its age.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, helper, int64, words_at
from evalsmith.search.slots import GENERATION, TABLE, TABLE_BUCKETS

ENTRY_BYTES = 16
BUCKET = 4
UPPER, LOWER, EXACT = 1, 2, 3

_0 = np.uint64(0)
_24, _48, _56, _58 = np.uint64(24), np.uint64(48), np.uint64(56), np.uint64(58)
_24_BITS = np.uint64(0xFFFFFF)
_8_BITS, _2_BITS, _6_BITS = np.uint64(255), np.uint64(3), np.uint64(63)
_BIAS = 1 << 23
_NONE = 0xFFFFFF  # how "no move" is stored


@helper("uint64(integers, uint64)")
def probe(context: Integers, key: Word) -> Word:
    """The data stored for a key, or 0."""
    buckets = np.uint64(context[TABLE_BUCKETS])
    entries = words_at(context[TABLE])
    start = int64(key & (buckets - np.uint64(1))) * (2 * BUCKET)
    for i in range(start, start + 2 * BUCKET, 2):
        data = entries[i + 1]
        if entries[i] ^ data == key and data != _0:
            return data
    return _0


@helper("void(integers, uint64, int64, int64, int64, int64)")
def store(context: Integers, key: Word, move: int, value: int, depth: int, bound: int) -> None:
    """Keep what was found out about a position."""
    buckets = np.uint64(context[TABLE_BUCKETS])
    entries = words_at(context[TABLE])
    generation = context[GENERATION]
    start = int64(key & (buckets - np.uint64(1))) * (2 * BUCKET)
    chosen, least = start, 1 << 30
    kept = _NONE if move < 0 else move
    for i in range(start, start + 2 * BUCKET, 2):
        data = entries[i + 1]
        if data == _0:
            if least > -1000:
                chosen, least = i, -1000
            continue
        if entries[i] ^ data == key:
            chosen = i
            if move < 0:
                kept = int64(data & _24_BITS)
            break
        age = (generation - int64((data >> _58) & _6_BITS)) & 63
        relevance = 2 * int64((data >> _48) & _8_BITS) - age
        if relevance < least:
            chosen, least = i, relevance
    data = np.uint64(kept) | (np.uint64(value + _BIAS) << _24)
    data |= (np.uint64(depth) << _48) | (np.uint64(bound) << _56) | (np.uint64(generation & 63) << _58)
    entries[chosen] = key ^ data
    entries[chosen + 1] = data


@helper("int64(uint64)", inline=True)
def move_in(data: Word) -> int:
    """The stored move, or -1."""
    move = int64(data & _24_BITS)
    return -1 if move == _NONE else move


@helper("int64(uint64)", inline=True)
def value_in(data: Word) -> int:
    """The stored value."""
    return int64((data >> _24) & _24_BITS) - _BIAS


@helper("int64(uint64)", inline=True)
def depth_in(data: Word) -> int:
    """The depth the value was found at."""
    return int64((data >> _48) & _8_BITS)


@helper("int64(uint64)", inline=True)
def bound_in(data: Word) -> int:
    """UPPER, LOWER or EXACT."""
    return int64((data >> _56) & _2_BITS)


@helper("void(integers)")
def clear(context: Integers) -> None:
    """Forget everything."""
    entries = words_at(context[TABLE])
    for i in range(context[TABLE_BUCKETS] * (2 * BUCKET)):
        entries[i] = _0
