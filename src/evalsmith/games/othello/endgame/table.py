"""The solver's transposition table: proven bounds and best moves, in a fixed number of bytes.

Buckets of four entries of two words, key xor data and data. The bucket is chosen by another hash than the key, so
all 64 bits of the key guard a bound. Data, from the lowest bit, eight bits each: lower bound + 64, upper bound + 64,
best move (64: none), empties, generation. Bounds are proven, so they hold in every generation; of a full bucket an
entry of another generation goes, or else the one with the fewest empties.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, helper, int64, prefetch
from evalsmith.games.keys import mix
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.endgame.slots import BUCKET_WORDS

BUCKET_BYTES = 8 * BUCKET_WORDS
NO_SQUARE = 64

_0, _8, _16, _24, _32 = (np.uint64(n) for n in (0, 8, 16, 24, 32))
_BYTE = np.uint64(0xFF)
_THIS_GENERATION = 64  # more than any number of empties
_SEED = np.uint64(0x50171A)
_PLACE_MOVER, _PLACE_ENEMY = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@helper("uint64(uint64, uint64)", inline=True)
def key_of(mover: Word, enemy: Word) -> Word:
    """The key that guards an entry."""
    return mix(mix(_SEED, mover), enemy)


@helper("int64(integers, uint64, uint64)", inline=True)
def _place(context: Integers, mover: Word, enemy: Word) -> int:
    """Where a position's bucket begins."""
    hashed = (mover * _PLACE_MOVER) ^ ((enemy ^ (enemy >> _32)) * _PLACE_ENEMY)
    hashed ^= hashed >> _32
    return int64(hashed & np.uint64(context[slots.BUCKETS] - 1)) * BUCKET_WORDS


@helper("int64(uint64)", inline=True)
def lower_in(data: Word) -> int:
    """The proven lower bound."""
    return int64(data & _BYTE) - 64


@helper("int64(uint64)", inline=True)
def upper_in(data: Word) -> int:
    """The proven upper bound."""
    return int64((data >> _8) & _BYTE) - 64


@helper("int64(uint64)", inline=True)
def move_in(data: Word) -> int:
    """The best move, or NO_SQUARE."""
    return int64((data >> _16) & _BYTE)


@helper("int64(uint64)", inline=True)
def empties_in(data: Word) -> int:
    """The number of empty squares; 0 for an unused entry."""
    return int64((data >> _24) & _BYTE)


@helper("void(integers, uint64, uint64)", inline=True)
def fetch(context: Integers, mover: Word, enemy: Word) -> None:
    """Prepare for a probe that comes soon."""
    prefetch(slots.table(context), _place(context, mover, enemy))


@helper("uint64(integers, uint64, uint64)")
def probe(context: Integers, mover: Word, enemy: Word) -> Word:
    """What is known of a position, or 0."""
    entries = slots.table(context)
    key, start = key_of(mover, enemy), _place(context, mover, enemy)
    for i in range(start, start + BUCKET_WORDS, 2):
        data = entries[i + 1]
        if entries[i] ^ data == key and data != _0:
            return data
    return _0


@helper("void(integers, uint64, uint64, int64, int64, int64, int64)")
def store(context: Integers, mover: Word, enemy: Word, empties: int, lower: int, upper: int, move: int) -> None:
    """Keep bounds of a position, and the move that was best."""
    entries = slots.table(context)
    key, start = key_of(mover, enemy), _place(context, mover, enemy)
    generation = np.uint64(context[slots.GENERATION]) & _BYTE
    chosen, least = start, 1 << 20
    for i in range(start, start + BUCKET_WORDS, 2):
        data = entries[i + 1]
        if data != _0 and entries[i] ^ data == key:
            chosen = i
            lower, upper = max(lower, lower_in(data)), min(upper, upper_in(data))
            if move == NO_SQUARE:
                move = move_in(data)
            break
        worth = empties_in(data)
        if (data >> _32) & _BYTE == generation:
            worth += _THIS_GENERATION
        if worth < least:
            chosen, least = i, worth
    data = np.uint64(lower + 64) | (np.uint64(upper + 64) << _8) | (np.uint64(move) << _16)
    data |= (np.uint64(empties) << _24) | (generation << _32)
    entries[chosen] = key ^ data
    entries[chosen + 1] = data
