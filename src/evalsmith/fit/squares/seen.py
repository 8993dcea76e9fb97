"""How often weights were seen in the positions they were fitted to, and what the rare ones got."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalsmith.fit.squares.matrix import Vector
from evalsmith.weights import Layout

# A bin begins at its number of positions and ends before the next one's.
BINS = (0, 1, 2, 4, 8, 16, 64, 256, 1024, 16384)

Table = dict[str, list[list[float]]]
"""For each feature and bin: how many weights, the sum of their sizes, and of how far they are from the start."""


@dataclass(frozen=True)
class Seen:
    """The weights of one feature that were seen about as often; sizes and changes are means, in the game's unit."""

    feature: str
    least: int
    most: int | None
    weights: int
    size: float
    change: float


def seen_table(layout: Layout, counts: Vector, weights: Vector, start: Vector) -> Table:
    """The table of one column, or of all columns one after another."""
    counts, weights, start = (each.reshape(-1, layout.size) for each in (counts, weights, start))
    table: Table = {}
    for name, _ in layout.features:
        part = layout.slice_of(name)
        of_bin = np.searchsorted(BINS, counts[:, part].reshape(-1), side="right") - 1
        sizes, changes = np.abs(weights[:, part]).reshape(-1), np.abs(weights - start)[:, part].reshape(-1)
        sums = [
            np.bincount(of_bin, weights=each, minlength=len(BINS)) for each in (np.ones(len(sizes)), sizes, changes)
        ]
        table[name] = [[float(number) for number in row] for row in zip(*sums, strict=True)]
    return table


def add_tables(tables: Iterable[Table]) -> list[Seen]:
    """The tables of several columns as one."""
    sums: dict[str, np.ndarray[Any, Any]] = {}
    for table in tables:
        for name, rows in table.items():
            sums[name] = sums.get(name, 0.0) + np.array(rows)
    found = []
    for name, added in sums.items():
        for number, (count, size, change) in enumerate(added.tolist()):
            most = BINS[number + 1] - 1 if number + 1 < len(BINS) else None
            mean = max(count, 1.0)
            found.append(Seen(name, BINS[number], most, int(count), round(size / mean, 2), round(change / mean, 2)))
    return found
