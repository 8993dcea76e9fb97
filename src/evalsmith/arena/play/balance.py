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


def judged(
    game: Game, offered: Iterator[T], position_of: Callable[[T], Position], balance: Balance, count: int
) -> Iterator[tuple[T, int]]:
    """What is offered with the sizes of its scores, in that order, until ``count`` of them were balanced."""
    search = ManySearch(game, None, Limit(nodes=balance.nodes), _TABLE_BYTES)
    found = 0
    while found < count:
        size = min(_BATCH[1], max(_BATCH[0], 2 * (count - found)))
        batch = list(islice(offered, size))
        if not batch:
            return
        words = np.stack([position_of(one) for one in batch])
        for one, score in zip(batch, np.abs(search_many(search, words)).tolist(), strict=True):
            yield one, score
            found += score <= balance.bound
            if found == count:
                return
