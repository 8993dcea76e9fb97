"""Which openings are balanced: those that a shallow search of ours scores within a bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np

from evalsmith.engine import Limit
from evalsmith.engine.many import ManySearch, search_many
from evalsmith.games import Game, Position

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

    Both are in the order in which they were offered, whatever the number of workers.
    """
    search = ManySearch(game, None, Limit(nodes=balance.nodes), _TABLE_BYTES)
    level: list[tuple[T, int]] = []
    others: list[tuple[T, int]] = []
    while len(level) < count:
        size = min(_BATCH[1], max(_BATCH[0], 2 * (count - len(level))))
        batch = list(islice(offered, size))
        if not batch:
            break
        words = np.stack([position_of(one) for one in batch])
        scores = np.abs(search_many(search, words)).tolist()
        for judged in zip(batch, scores, strict=True):
            (level if judged[1] <= balance.bound else others).append(judged)
    return level[:count], others
