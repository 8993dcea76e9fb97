"""How threads share the work of one search: a move that another thread is looking into is put off.

A small table that all threads see says which moves are being searched, at which depth. Who comes to such a move does
the others first; when it comes back, the answer mostly stands in the transposition table. The first move of a
position is never put off, since the window for the others comes from it. One thread alone has no such table, so that
nothing changes for it. Entries are single words: a lost or a false one costs time, never a wrong value.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, helper, int64, words_at
from evalsmith.search.alphabeta.slots import BUSY

BUSY_WORDS = 1 << 14
LEAST_DEPTH = 2  # below it a move is searched sooner than it is put off
NO_TASK = np.uint64(0)

_MIX, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(50)  # the upper 14 bits of a product


@helper("uint64(uint64, int64, int64)", inline=True)
def task(key: Word, move: int, depth: int) -> Word:
    """The word for one move of one position at one depth."""
    return (key ^ (np.uint64(move * 256 + depth + 1) * _MIX)) | np.uint64(1)


@helper("int64(integers, uint64)")
def is_taken(context: Integers, word: Word) -> int:
    """Whether another thread is at it."""
    return 1 if words_at(context[BUSY])[int64((word * _MIX) >> _SHIFT)] == word else 0


@helper("void(integers, uint64)")
def take(context: Integers, word: Word) -> None:
    """Say that it is being searched."""
    words_at(context[BUSY])[int64((word * _MIX) >> _SHIFT)] = word


@helper("void(integers, uint64)")
def release(context: Integers, word: Word) -> None:
    """Say that it is done."""
    busy = words_at(context[BUSY])
    place = int64((word * _MIX) >> _SHIFT)
    if busy[place] == word:
        busy[place] = NO_TASK
