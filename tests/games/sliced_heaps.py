"""Three heaps and a die again, with a column of weights for each number of stones instead of two that blend."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from broken import base

from evalsmith.games import Evaluation

# What the game and its terms are made of; the fused evaluation is left out, so that the terms are summed.
moves, play, status, mover, result = base.moves, base.play, base.status, base.mover, base.result
key, slot, chance, reveal, terms, phase = base.key, base.slot, base.chance, base.reveal, base.terms, base.phase
start, parse, format, parse_move, format_move = base.start, base.parse, base.format, base.parse_move, base.format_move

GAME = replace(base.GAME, name="sliced_heaps", rules=__name__, terms=__name__, notation=__name__, win=0)
COLUMNS = base.STONES + 1


def evaluation() -> Evaluation:
    whole = base.evaluation()
    blend = tuple((stones, stones, 0) for stones in range(COLUMNS))
    names = tuple(f"{stones} stones" for stones in range(COLUMNS))
    return Evaluation(whole.features, names, blend, 1, starting, terms=whole.terms)


def starting() -> npt.NDArray[np.int32]:
    return np.tile(base.starting()[:1], (COLUMNS, 1))
