"""Who takes the last stone sets up the heaps again."""

from dataclasses import replace

import numpy as np

from broken import base
from broken.base import chance, key, mover, moves, rest, result, reveal, slot, status, stones  # noqa: F401
from evalsmith.compile import Words
from evalsmith.games.contract import contract

GAME = replace(base.GAME, name="endless_game", rules=__name__)
_0, _1 = np.uint64(0), np.uint64(1)
_OUTER, _INNER = np.uint64(base.HEAPS[0]), np.uint64(base.HEAPS[1])


@contract
def play(position: Words, move: int, following: Words) -> None:
    for i in range(3):
        following[i] = position[i]
    following[move // 3] = position[move // 3] - np.uint64(move % 3 + 1)
    if stones(following) == 0:
        following[0] = _OUTER
        following[1] = _INNER
        following[2] = _OUTER
    following[3] = position[3] ^ _1
    following[4] = _0
