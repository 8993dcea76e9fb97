"""The transposition table: buckets of four entries of two words, in a fixed number of bytes.

An entry is (key xor data, data), so that one torn by another thread fails its key. Data, from the lowest
bit: move 24, value 24, depth 8, bound 2, generation 6. A new entry takes the place of its own position's (unless it is
much deeper and of the same search), or an empty one, or else one of the bucket's by the policy:

- relevance: the one with the smallest plies played + 2·depth, if the new one has no less. Every search of a game counts
  as two plies, one's own move and the reply.
- depth: the shallowest one, if the new one is as deep or the old one is from an earlier search.
- always: the one that the key points at.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, helper, int64, prefetch
from evalsmith.engine.alphabeta import slots
from evalsmith.engine.alphabeta.slots import BUCKET_WORDS
from evalsmith.engine.settings import REPLACEMENTS

ENTRY_BYTES = 16
BUCKET = BUCKET_WORDS // 2  # entries
UPPER, LOWER, EXACT = 1, 2, 3
RELEVANCE, DEPTH, ALWAYS = 0, 1, 2
POLICIES = dict(zip(REPLACEMENTS, (RELEVANCE, DEPTH, ALWAYS), strict=True))

_0 = np.uint64(0)
_24, _32, _48, _56, _58 = np.uint64(24), np.uint64(32), np.uint64(48), np.uint64(56), np.uint64(58)
_24_BITS = np.uint64(0xFFFFFF)
_8_BITS, _2_BITS, _6_BITS = np.uint64(255), np.uint64(3), np.uint64(63)
_BIAS = 1 << 23
_NONE = 0xFFFFFF  # how "no move" is stored
_DEEP = 40  # solved values count as this deep, or they would never give way
_WORTH_KEEPING = 3  # plies by which the entry of a position must be deeper to stay when the position is stored again


@helper("int64(integers, uint64)", inline=True)
def _bucket(context: Integers, key: Word) -> int:
    """Where the bucket of a key begins: its upper half, scaled to the number of buckets, which may be any."""
    return int64(((key >> _32) * np.uint64(context[slots.BUCKETS])) >> _32) * BUCKET_WORDS


@helper("void(integers, uint64)", inline=True)
def approach(context: Integers, key: Word) -> None:
    """Have the bucket of a key brought near: what is done before it is probed hides the way to the memory."""
    prefetch(slots.table(context), _bucket(context, key))


@helper("uint64(integers, uint64)")
def probe(context: Integers, key: Word) -> Word:
    """The data stored for a key, or 0."""
    entries = slots.table(context)
    start = _bucket(context, key)
    for i in range(start, start + BUCKET_WORDS, 2):
        data = entries[i + 1]
        if entries[i] ^ data == key and data != _0:
            return data
    return _0


@helper("void(integers, uint64, int64, int64, int64, int64)")
def store(context: Integers, key: Word, move: int, value: int, depth: int, bound: int) -> None:
    """Store what was found about a position, if there is a place for it; without a new move the old one stays."""
    entries = slots.table(context)
    generation, policy = context[slots.GENERATION], context[slots.REPLACEMENT]
    start = _bucket(context, key)
    same, empty, victim, min_relevance = -1, -1, start, 1 << 30
    for i in range(start, start + BUCKET_WORDS, 2):
        data = entries[i + 1]
        if data == _0:
            if empty < 0:
                empty = i
            continue
        if entries[i] ^ data == key:
            same = i
            break
        known = int64((data >> _48) & _8_BITS)
        age = (generation - int64((data >> _58) & _6_BITS)) & 63
        relevance = 2 * (min(known, _DEEP) - age)
        if policy == DEPTH:
            relevance = known if age == 0 else -1
        if relevance < min_relevance:
            victim, min_relevance = i, relevance
    stored = _NONE if move < 0 else move
    if same >= 0:
        chosen, data = same, entries[same + 1]
        fresh = int64((data >> _58) & _6_BITS) == generation & 63
        if bound != EXACT and fresh and int64((data >> _48) & _8_BITS) > depth + _WORTH_KEEPING and policy != ALWAYS:
            return
        if move < 0:
            stored = int64(data & _24_BITS)
    elif empty >= 0:
        chosen = empty
    elif policy == ALWAYS:
        chosen = start + 2 * int64(key & np.uint64(BUCKET - 1))
    elif min_relevance > (depth if policy == DEPTH else 2 * min(depth, _DEEP)):
        return
    else:
        chosen = victim
    data = np.uint64(stored) | (np.uint64(value + _BIAS) << _24)
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
    entries = slots.table(context)
    for i in range(context[slots.BUCKETS] * BUCKET_WORDS):
        entries[i] = _0
