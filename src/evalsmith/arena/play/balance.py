"""Which openings are balanced: those that a shallow search of ours scores within a bound."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from evalsmith.engine import Limit, Searcher
from evalsmith.games import Game, Position
from evalsmith.scale import cores, on_threads

_TABLE_BYTES = 1 << 20
_BATCH = 32, 512  # openings judged at once: at least, and at most

T = TypeVar("T")


@dataclass(frozen=True)
class Balance:
    """Balanced is what ``nodes`` nodes score within ±``bound``, in the game's unit."""

    bound: int
    nodes: int


def split(
    game: Game, offered: Iterator[T], position_of: Callable[[T], Position], balance: Balance, count: int
) -> tuple[list[tuple[T, int]], list[tuple[T, int]]]:
    """The first ``count`` that are balanced, and the others that were judged; each with the size of its score.

    Both are in the order in which they were offered, whatever the number of threads.
    """
    scale = _Scale(game, balance.nodes)
    level: list[tuple[T, int]] = []
    others: list[tuple[T, int]] = []
    while len(level) < count:
        size = min(_BATCH[1], max(_BATCH[0], 2 * (count - len(level))))
        batch = list(islice(offered, size))
        if not batch:
            break
        scores = scale.scores([position_of(one) for one in batch])
        for judged in zip(batch, scores, strict=True):
            (level if judged[1] <= balance.bound else others).append(judged)
    return level[:count], others


class _Scale:
    """Scores positions on all cores; each from nothing, so that none depends on those before it."""

    def __init__(self, game: Game, nodes: int) -> None:
        self.game, self.limit = game, Limit(nodes=nodes)
        self._local = threading.local()
        self._searchers: list[Searcher] = []

    def scores(self, positions: Sequence[Position]) -> list[int]:
        """The sizes of the scores."""

        def score(number: int) -> int:
            return self._score(positions[number])

        found = dict(on_threads(score, range(len(positions)), min(cores(), len(positions)), self._stop))
        return [found[number] for number in range(len(positions))]

    def _score(self, position: Position) -> int:
        if not hasattr(self._local, "searcher"):
            self._local.searcher = Searcher(self.game, table_bytes=_TABLE_BYTES)
            self._searchers.append(self._local.searcher)
        searcher: Searcher = self._local.searcher
        searcher.new_game()
        return abs(searcher.think(position, self.limit).lines[0].score)

    def _stop(self) -> None:
        for searcher in self._searchers:
            searcher.stop()
