"""The evaluation of positions that are met again: a small table of each thread remembers it."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, int64, uint64
from evalsmith.engine import values
from evalsmith.engine.alphabeta import slots, techniques


@helper("int64(integers, words, uint64)", inline=True)
def static(context: Integers, position: Words, key: Word) -> int:
    """The static value of the position with this key."""
    if context[slots.TECHNIQUES] & techniques.EVALUATIONS == 0:
        return values.static(context, position)
    entry = slots.evaluations(context, int64(key & uint64(context[slots.EVALUATION_PLACES] - 1)))
    if entry[0] == key:
        return int64(entry[1])
    value = values.static(context, position)
    entry[0], entry[1] = key, np.uint64(value)
    return value


@helper("void(integers)")
def forget(context: Integers) -> None:
    """Nothing is remembered: other weights may come."""
    entries = slots.evaluations(context)
    for i in range(2 * context[slots.EVALUATION_PLACES]):
        entries[i] = np.uint64(0)
