"""The evaluation of many positions at once, as the search uses it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, at, driver, pointer
from evalsmith.games import Game
from evalsmith.games.contract import WORDS, evaluate_of
from evalsmith.weights.file import Weights


@driver("void(int64[::1], uint64[:,::1], int64[::1])")
def _evaluations(context: Integers, positions: Words, out: Integers) -> None:
    row, words = pointer(context), context[WORDS]
    for i in range(len(positions)):
        out[i] = evaluate_of(row, at(pointer(positions), i * words))


def evaluations(game: Game, weights: Weights, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The evaluation of many positions as the search uses it, for the mover, in the game's unit."""
    context = game.context(evaluation=True)
    weights.attach(context)
    out = np.zeros(len(words), dtype=np.int64)
    _evaluations(context.row, np.ascontiguousarray(words), out)
    return out
