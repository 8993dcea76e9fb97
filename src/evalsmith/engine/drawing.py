"""Random numbers inside kernels: a state in a slot of the context, moved on by every draw, so that a seed repeats."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Reals, Words, helper, int64
from evalsmith.games.contract import chance_of
from evalsmith.games.keys import mix


@helper("int64(integers, int64, int64)")
def draw(context: Integers, slot: int, count: int) -> int:
    """A number below ``count``; the state stands in ``slot``."""
    word = mix(np.uint64(context[slot]), np.uint64(count))
    context[slot] = int64(word >> np.uint64(1))
    return int64((word >> np.uint64(11)) % np.uint64(count))


@helper("int64(integers, int64, words, reals)", floats=True)
def draw_outcome(context: Integers, slot: int, position: Words, chances: Reals) -> int:
    """An outcome of chance, by its probability; ``chances`` is room for them."""
    outcomes = chance_of(context, position, chances)
    point = draw(context, slot, 1 << 30) / float(1 << 30)
    for outcome in range(outcomes - 1):
        point -= chances[outcome]
        if point < 0:
            return outcome
    return outcomes - 1
