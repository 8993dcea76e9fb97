"""How threads share the work of one search: a move that another thread is looking into is deferred.

A small table that all threads see says which moves are being searched, at which depth. A thread that comes to such a
move searches the others first; when it comes back, the answer is mostly in the transposition table. The first move of a
position is never deferred, since the window for the others comes from it. One thread alone has no such table, so that
nothing changes for it. Entries are single words: a lost or a false one costs time, never a wrong value.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, helper, int64
from evalsmith.engine.alphabeta import slots, techniques

TASKS = 1 << 14
_MIN_DEPTH = 2  # below it a move is searched sooner than it is deferred
NO_TASK = np.uint64(0)

_MIX, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(50)  # the upper 14 bits of a product


@helper("uint64(uint64, int64, int64)", inline=True)
def task(key: Word, move: int, depth: int) -> Word:
    """The word for one move of one position at one depth."""
    return (key ^ (np.uint64(move * 256 + depth + 1) * _MIX)) | np.uint64(1)


@helper("int64(integers, int64)", inline=True)
def is_worthwhile(context: Integers, depth: int) -> int:
    """Whether threads share the moves of a position at this depth."""
    used = context[slots.TECHNIQUES] & techniques.PVS
    return 1 if context[slots.SHARES] != 0 and depth >= _MIN_DEPTH and used != 0 else 0


@helper("int64(integers, uint64, int64)")
def take(context: Integers, word: Word, may_defer: int) -> int:
    """Say that it is being searched; 0 where another thread does that and it may be deferred."""
    tasks = slots.tasks(context)
    place = int64((word * _MIX) >> _SHIFT)
    if may_defer != 0 and tasks[place] == word:
        return 0
    tasks[place] = word
    return 1


@helper("void(integers, uint64)")
def release(context: Integers, word: Word) -> None:
    """Say that it is done; nothing where it was never shared."""
    if word == NO_TASK:
        return
    tasks = slots.tasks(context)
    place = int64((word * _MIX) >> _SHIFT)
    if tasks[place] == word:
        tasks[place] = NO_TASK
