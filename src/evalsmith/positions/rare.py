"""Extra positions for features that a dataset hardly has: drawn from random games, and played out.

Which feature a position has is what ``terms`` says. Random games reach what sensible ones avoid; of their positions
those are taken that have a feature seen fewer than N times so far.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Values, Words, at, driver, pointer
from evalsmith.games import Game, Position
from evalsmith.games.contract import WORDS, terms_of
from evalsmith.players import parse_player
from evalsmith.positions.openings import random_opening
from evalsmith.positions.samples import Replayer, Samples
from evalsmith.search import Limit, play_game, prepare

Playout = Callable[[Position], int | None]
"""The result of a position for side 0 when our search plays it out; None where that was interrupted."""


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


def rare_samples(
    game: Game,
    counts: FeatureCounts,
    below: int,
    games: int,
    first_number: int,
    playout: Playout,
    source: random.Random,
) -> Samples:
    """Samples with rare features out of some random games, with their playout values."""
    found = [Samples.join([], game.words)]
    for number in range(first_number, first_number + games):
        played = _random_positions(game, number, source)
        rare = played.take(counts.take_rare(played.words, below))
        for row, position in enumerate(rare.words):
            result = playout(position)
            if result is None:
                raise KeyboardInterrupt
            rare.result[row] = result if game.mover(position) == 0 else -result
        found.append(rare)
    return Samples.join(found, game.words)


def _random_positions(game: Game, number: int, source: random.Random) -> Samples:
    """The positions of one game of random moves in which a player moves."""
    searcher = parse_player("random", game).searcher(Limit(nodes=1), source.getrandbits(62))
    start, moves = random_opening(game, 1, source) or (game.start(), [])
    prepare(searcher, Limit(nodes=1), source.getrandbits(62), random=True)
    played = play_game(game, searcher, searcher, start)
    return Replayer(game).samples(number, start, played.moves, None, first_ply=len(moves))
