"""``play`` takes the stones from the position it was given, then copies it."""

from dataclasses import replace

import numpy as np

from broken import base
from broken.base import chance, key, mover, moves, null_move, result, reveal, slot, status  # noqa: F401
from evalsmith.compile import Words
from evalsmith.games.contract import contract

GAME = replace(base.GAME, name="aliasing_play", rules=__name__)
_0, _1 = np.uint64(0), np.uint64(1)


@contract
def play(position: Words, move: int, next: Words) -> None:
    position[move // 3] -= np.uint64(move % 3 + 1)
    for i in range(3):
        next[i] = position[i]
    next[3] = position[3] ^ _1
    next[4] = _0
