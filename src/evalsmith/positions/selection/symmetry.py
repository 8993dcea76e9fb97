"""One position for all its images under the symmetries of the game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.games.bulk import bulk_of


def canonical(game: Game, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Of each position and its images the one whose stored words come first; values for the mover stay the same."""
    bulk = bulk_of(game)
    best = words
    for image in bulk.images(words):
        smaller = np.zeros(len(words), dtype=np.bool_)
        equal = np.ones(len(words), dtype=np.bool_)
        for word in bulk.stored:
            smaller |= equal & (image[:, word] < best[:, word])
            equal &= image[:, word] == best[:, word]
        best = np.where(smaller[:, None], image, best)
    return np.ascontiguousarray(best)
