"""The key forgets whose move it is."""

from dataclasses import replace

import numpy as np

from broken import base
from broken.base import chance, mover, moves, null_move, play, result, reveal, slot, status  # noqa: F401
from evalsmith.compile import Word, Words
from evalsmith.games.contract import contract
from evalsmith.games.keys import mix

GAME = replace(base.GAME, name="wrong_key", rules=__name__)
_SEED = np.uint64(7)


@contract
def key(position: Words) -> Word:
    return mix(mix(mix(mix(_SEED, position[0]), position[1]), position[2]), position[4])
