"""How often positions have each feature, counted by what ``terms`` emits."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Values, Words, at, driver, pointer
from evalsmith.games import CHANCE, PLAYER, Game, Position
from evalsmith.games.contract import WORDS, terms_of


@driver("void(int64[::1], uint64[:, ::1], int32[::1], int16[::1], int64[::1], int64, int8[::1])")
def _count(
    context: Integers, rows: Words, index: Indices, value: Values, counts: Integers, rare: int, taken: Integers
) -> None:
    """Count the features of the rows; with ``rare`` above 0 only of those that have one seen less often."""
    row, words, first = pointer(context), context[WORDS], pointer(rows)
    for i in range(rows.shape[0]):
        found = terms_of(row, at(first, i * words), pointer(index), pointer(value))
        wanted = rare <= 0
        for term in range(found):
            if counts[index[term]] < rare:
                wanted = True
        taken[i] = 1 if wanted else 0
        if wanted:
            for term in range(found):
                counts[index[term]] += 1


def random_positions(game: Game, plies: int, seed: int = 1) -> list[Position]:
    """Positions of random games, where a player moves: a rough idea of what occurs, where nobody gives a dataset."""
    source, found = random.Random(seed), []
    position = game.start()
    for _ in range(plies):
        status = game.status(position)
        if status == PLAYER:
            found.append(position)
            position = game.play_unchecked(position, source.choice(game.moves(position)))
        elif status == CHANCE:
            position = game.reveal(position, game.draw(position, source))
        else:
            position = game.start()
    return found


class FeatureCounts:
    """How often each feature was seen."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.counts = np.zeros(game.evaluation.size, dtype=np.int64)
        self._context = game.context(evaluation=True)

    def add(self, words: npt.NDArray[np.uint64]) -> None:
        """Count the features of positions."""
        self._run(words, 0)

    def take_rare(self, words: npt.NDArray[np.uint64], below: int) -> npt.NDArray[np.bool_]:
        """Which positions have a feature seen fewer than ``below`` times; those are counted as they are taken."""
        return self._run(words, below)

    def _run(self, words: npt.NDArray[np.uint64], rare: int) -> npt.NDArray[np.bool_]:
        taken = np.zeros(len(words), dtype=np.int8)
        index = np.zeros(self.game.max_terms + 8, dtype=np.int32)
        value = np.zeros(self.game.max_terms + 8, dtype=np.int16)
        _count(self._context.row, np.ascontiguousarray(words), index, value, self.counts, rare, taken)
        return taken.astype(np.bool_)
