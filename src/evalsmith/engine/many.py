"""Many positions searched as work for any worker: each from nothing, so that none depends on those before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalsmith.engine.alphabeta.searcher import Searcher
from evalsmith.engine.limit import Limit
from evalsmith.games import OVER, Game
from evalsmith.scale import How, Job, Report, run
from evalsmith.weights import Weights

NO_SCORE = -(2**62)
"""Where there is nothing to search, as before a move of chance."""
_TOGETHER = 8  # positions of an item

Scores = npt.NDArray[np.int64]


class Positions(NamedTuple):
    """Some of the positions: the number of the first, and their words."""

    first: int
    words: npt.NDArray[np.uint64]

    def __str__(self) -> str:
        return f"positions from {self.first}"


@dataclass(frozen=True)
class ManySearch:
    """How each position is searched. The table is cleared before each, so a small one is enough."""

    game: Game
    weights: Weights | None
    limit: Limit
    table_bytes: int


def search_many(search: ManySearch, words: npt.NDArray[np.uint64], how: How | None = None) -> Scores:
    """The score that our search gives each position, for its mover; the result where a game is over."""
    out = np.full(len(words), NO_SCORE, dtype=np.int64)
    here = f"{__name__}:"
    job = Job(here + "ManySearcher", (search,), check=here + "are_scores")
    for item, scores in run(job, _items(words), how):
        out[item.first : item.first + len(scores)] = scores
    return out


def _items(words: npt.NDArray[np.uint64]) -> Iterator[Positions]:
    for first in range(0, len(words), _TOGETHER):
        yield Positions(first, words[first : first + _TOGETHER])


def are_scores(item: Positions, result: object) -> bool:
    """Whether a result has a score for each position."""
    return isinstance(result, np.ndarray) and result.dtype == np.int64 and len(result) == len(item.words)


class ManySearcher:
    """Searches some positions after others."""

    def __init__(self, search: ManySearch) -> None:
        self.game, self.limit = search.game, search.limit
        self.searcher = Searcher(search.game, search.weights, search.table_bytes)
        self._stopped = False

    def do(self, item: Positions, report: Report) -> Scores:
        """The scores of some positions."""
        out = np.full(len(item.words), NO_SCORE, dtype=np.int64)
        for row, position in enumerate(item.words):
            if self._stopped:
                raise KeyboardInterrupt
            if self.game.status(position) == OVER:
                out[row] = self.game.result(position)
            else:
                self.searcher.new_game()
                found = self.searcher.think(position, self.limit).lines
                out[row] = found[0].score if found else NO_SCORE
            report(1)
        if self._stopped:
            raise KeyboardInterrupt
        return out

    def stop(self) -> None:
        """End the search under way."""
        self._stopped = True
        self.searcher.stop()

    def close(self) -> None:
        """Nothing was started."""
