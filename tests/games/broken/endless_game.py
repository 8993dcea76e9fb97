"""Who takes the last stone sets up the heaps again."""

from dataclasses import replace

import numpy as np

from broken import base
from broken.base import chance, key, mover, moves, null_move, result, reveal, slot, status, stones  # noqa: F401
from evalsmith.compile import Words
from evalsmith.games.contract import contract

GAME = replace(base.GAME, name="endless_game", rules=__name__)
_0, _1 = np.uint64(0), np.uint64(1)
_OUTER, _INNER = np.uint64(base.HEAPS[0]), np.uint64(base.HEAPS[1])


@contract
def play(position: Words, move: int, next: Words) -> None:
    for i in range(3):
        next[i] = position[i]
    next[move // 3] = position[move // 3] - np.uint64(move % 3 + 1)
    if stones(next) == 0:
        next[0] = _OUTER
        next[1] = _INNER
        next[2] = _OUTER
    next[3] = position[3] ^ _1
    next[4] = _0
