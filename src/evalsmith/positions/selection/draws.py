"""Random draws of samples that depend on the seed and the samples alone, not on how they are batched."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from evalsmith.positions.samples import Samples

Flags = npt.NDArray[np.bool_]


class GameDraw:
    """Draws at maximum ``maximum`` samples of each game as they pass, also where a game comes in several parts."""

    def __init__(self, maximum: int, seed: int) -> None:
        self._maximum, self._seed = maximum, seed
        self._taken: Counter[int] = Counter()

    def choose(self, samples: Samples) -> Flags:
        """Which of the next samples are taken."""
        games, owner = np.unique(samples.game, return_inverse=True)
        taken = np.array([self._taken[game] for game in games.tolist()], dtype=np.int64)
        chosen = some_of_each(samples, self._maximum - taken[owner], self._seed)
        more = np.bincount(owner[chosen], minlength=len(games))
        self._taken.update(dict(zip(games.tolist(), more.tolist(), strict=True)))
        return chosen


def some_of_each(samples: Samples, maximum: int | npt.NDArray[np.int64], seed: int) -> Flags:
    """Which samples are among the first ``maximum`` of their game in an order drawn by the seed."""
    order = np.lexsort((draws(samples, seed), samples.game))
    games = samples.game[order]
    begins = np.flatnonzero(np.diff(games, prepend=games[:1] - 1))
    rank = np.arange(len(games)) - np.repeat(begins, np.diff(np.append(begins, len(games))))
    chosen = np.zeros(len(games), dtype=np.bool_)
    chosen[order] = rank < (maximum[order] if isinstance(maximum, np.ndarray) else maximum)
    return chosen


def draws(samples: Samples, seed: int) -> npt.NDArray[np.uint64]:
    """A random word for each sample that depends on the seed, its game and its ply alone."""
    word = samples.game.astype(np.uint64) * np.uint64(1 << 20) + samples.ply.astype(np.uint64)
    word ^= np.uint64(seed * 0x9E3779B97F4A7C15 % (1 << 64))
    for factor, shift in ((0xBF58476D1CE4E5B9, 30), (0x94D049BB133111EB, 27)):
        word = (word ^ (word >> np.uint64(shift))) * np.uint64(factor)
    return word ^ (word >> np.uint64(31))
