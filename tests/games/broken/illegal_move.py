"""``moves`` does not look at the die."""

from dataclasses import replace

import numpy as np

from broken import base
from broken.base import chance, key, mover, null_move, play, result, reveal, slot, status  # noqa: F401
from evalsmith.compile import Integers, Words
from evalsmith.games.contract import contract

GAME = replace(base.GAME, name="illegal_move", rules=__name__)


@contract
def moves(position: Words, out: Integers) -> int:
    count = 0
    for heap in range(3):
        for taken in range(1, min(3, np.int64(position[heap])) + 1):
            out[count] = 3 * heap + taken - 1
            count += 1
    return count
