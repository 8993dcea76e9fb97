"""NTest's patterns ("maps"): their squares, their places on the board, and where their words stand in a table.

A configuration of a pattern is a base-3 number: 0 the enemy, 1 empty, 2 the mover, the first square least significant.
Configurations that mirror each other share a word. Behind the patterns' words a table has those of four counts and of
the parity.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.games.othello.sums import square_name

COUNT = 64  # words of a count
MOBILITY, ENEMY_MOBILITY, POTENTIAL, ENEMY_POTENTIAL, PARITY = 143_397, 143_461, 143_525, 143_589, 143_653
SIZE = 143_655  # words of a table

Squares = tuple[int, ...]


@dataclass(frozen=True)
class Map:
    """A pattern: where its words begin in a table, its places on the board, and its own mirror image, if it has one."""

    name: str
    offset: int
    places: tuple[Squares, ...]
    mirror: Squares | None

    @property
    def cells(self) -> int:
        """How many squares it looks at."""
        return len(self.places[0])

    @functools.cached_property
    def ids(self) -> npt.NDArray[np.int32]:
        """The word of each configuration, counted from the pattern's first; mirror images share one."""
        configurations = np.arange(3**self.cells)
        if self.mirror is None:
            return configurations.astype(np.int32)
        powers = 3 ** np.arange(self.cells)
        digits = configurations[:, None] // powers % 3
        twins = (digits[:, self.mirror] * powers).sum(axis=1)
        return np.unique(np.minimum(configurations, twins), return_inverse=True)[1].reshape(-1).astype(np.int32)

    def describe(self, word: int) -> str:
        """The first configuration of a word on the pattern's first place, ``a1X b1-`` with X for the mover."""
        configuration = int(np.flatnonzero(self.ids == word)[0])
        cells = [configuration // 3**k % 3 for k in range(self.cells)]
        return " ".join(f"{square_name(s)}{'O-X'[cell]}" for s, cell in zip(self.places[0], cells, strict=True))


@functools.cache
def maps() -> tuple[Map, ...]:
    """The patterns, in the order of the file."""
    found = [_map(f"row {i + 1}", 3321 * i, row, _backwards(8)) for i, row in enumerate(_rows())]
    offsets = {8: 13284, 7: 16605, 6: 17739, 5: 18117}
    found += [_map(f"diagonal {n}", start, _diagonal(n), _backwards(n)) for n, start in offsets.items()]
    triangle = _named("a1 b2 d1 c1 b1 c2 b3 a2 a3 a4")
    found += [
        _map("triangle", 18252, triangle, (0, 1, 9, 8, 7, 6, 5, 4, 3, 2)),
        _map("corner 2x4", 48141, _named("a2 b2 c2 d2 a1 b1 c1 d1"), None),
        _map("corner 2x5", 54702, _named("a2 b2 c2 d2 e2 a1 b1 c1 d1 e1"), None),
        _map("edge and both X", 113751, _named("b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"), _backwards(10)),
    ]
    return tuple(found)


@functools.cache
def lines() -> tuple[Squares, ...]:
    """The rows, the columns and the diagonals of four and more, along which potential mobility is counted."""
    bases = [*_rows(), *map(_diagonal, (8, 7, 6, 5, 4))]
    return tuple(place for base in bases for place in _places(base))


def _map(name: str, offset: int, squares: Squares, mirror: Squares | None) -> Map:
    return Map(name, offset, _places(squares), mirror)


def _places(squares: Squares) -> tuple[Squares, ...]:
    """The squares under the symmetries of the board; those that lie on the same squares count once."""
    found: dict[frozenset[int], Squares] = {}
    for turned in (False, True):
        for flip_file in (0, 7):
            for flip_rank in (0, 7):
                cells = [divmod(square, 8) for square in squares]
                moved = [((f, r) if turned else (r, f)) for r, f in cells]
                place = tuple(8 * (rank ^ flip_rank) + (file ^ flip_file) for rank, file in moved)
                found.setdefault(frozenset(place), place)
    return tuple(found.values())


def _rows() -> list[Squares]:
    return [tuple(range(8 * rank, 8 * rank + 8)) for rank in range(4)]


def _named(names: str) -> Squares:
    return tuple("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in names.split())


def _diagonal(length: int) -> Squares:
    return tuple(8 * (8 - length + i) + i for i in range(length))


def _backwards(length: int) -> Squares:
    return tuple(reversed(range(length)))
