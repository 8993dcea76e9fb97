"""Othello's patterns: which squares each looks at, and the orids that mirrored configurations share.

An *instance* is a configuration of a pattern as a base-3 number (0 empty, 1 mover, 2 enemy, the first
square least significant). An *orid* is the class of an instance under the pattern's own symmetry, numbered by
first appearance going through the instances upwards, so that all reflections evaluate the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.games.othello.notation import BOARD_MAPS

Squares = tuple[int, ...]


@dataclass(frozen=True)
class Pattern:
    """One feature: its base squares, its own symmetry as a reordering of them, and its places on the board."""

    name: str
    places: tuple[Squares, ...]
    mirror: Squares | None

    @property
    def instances(self) -> int:
        """How many configurations there are."""
        return int(3 ** len(self.places[0]))

    def orids(self) -> npt.NDArray[np.int64]:
        """The orid of each instance."""
        digits = digits_of(np.arange(self.instances), len(self.places[0]))
        if self.mirror is None:
            return np.arange(self.instances)
        twin = (digits[:, self.mirror] * 3 ** np.arange(digits.shape[1])).sum(axis=1)
        first = np.minimum(np.arange(self.instances), twin)
        return np.unique(first, return_inverse=True)[1].reshape(-1)


def digits_of(instances: npt.NDArray[np.int64], length: int) -> npt.NDArray[np.int64]:
    """The base-3 digits, first square first: one row an instance."""
    return (instances[:, None] // 3 ** np.arange(length)) % 3


def _squares(names: str) -> Squares:
    return tuple("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in names.split())


def _pattern(name: str, *bases: str, mirror: Squares | None) -> Pattern:
    """The pattern at every place to which a symmetry of the board takes one of its bases."""
    places: list[Squares] = []
    seen: set[frozenset[int]] = set()
    for base in bases:
        for board_map in BOARD_MAPS.values():
            place = tuple(board_map[square] for square in _squares(base))
            if frozenset(place) not in seen:
                seen.add(frozenset(place))
                places.append(place)
    return Pattern(name, tuple(places), mirror)


def _reversed(length: int) -> Squares:
    return tuple(reversed(range(length)))


def _row(rank: int) -> str:
    return " ".join(f"{file}{rank}" for file in "abcdefgh")


def _diagonal(length: int) -> str:
    return " ".join(f"{'abcdefgh'[i]}{9 - length + i}" for i in range(length))


PATTERNS: tuple[Pattern, ...] = (
    _pattern("edge+2x", "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2", mirror=_reversed(10)),
    _pattern("corner3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3", mirror=(0, 3, 6, 1, 4, 7, 2, 5, 8)),
    _pattern("corner2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2", mirror=None),
    _pattern("corner2x4", "a1 b1 c1 d1 a2 b2 c2 d2", mirror=None),
    _pattern("triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4", mirror=(0, 4, 7, 9, 1, 5, 8, 2, 6, 3)),
    _pattern("line8", *(_row(rank) for rank in (1, 2, 3, 4)), mirror=_reversed(8)),
    _pattern("diagonal8", _diagonal(8), mirror=_reversed(8)),
    _pattern("diagonal7", _diagonal(7), mirror=_reversed(7)),
    _pattern("diagonal6", _diagonal(6), mirror=_reversed(6)),
    _pattern("diagonal5", _diagonal(5), mirror=_reversed(5)),
    _pattern("diagonal4", _diagonal(4), mirror=_reversed(4)),
)
PLACES: tuple[tuple[int, Squares], ...] = tuple(
    (number, place) for number, pattern in enumerate(PATTERNS) for place in pattern.places
)


def contributions(places: Sequence[Squares], width: int) -> npt.NDArray[np.uint16]:
    """What the discs of one rank add to every instance: [rank, byte of discs, place], padded to ``width``.

    The sum over ranks for the mover, plus twice that for the enemy, is the instance at each place. It is below
    3¹⁰ = 59049, so 16 bits hold it.
    """
    powers = np.zeros((64, width), dtype=np.uint16)
    for place, squares in enumerate(places):
        for exponent, square in enumerate(squares):
            powers[square, place] = 3**exponent
    bytes_ = np.arange(256)
    out = np.zeros((8, 256, width), dtype=np.uint16)
    for square in range(64):
        out[square // 8, (bytes_ >> square % 8 & 1) == 1] += powers[square]
    return out


def instance_name(squares: Sequence[int], instance: int) -> str:
    """A configuration as text: ``a1 X, b1 -, …`` with X for the mover."""
    digits = digits_of(np.array([instance]), len(squares))[0]
    return " ".join(f"{'abcdefgh'[s % 8]}{s // 8 + 1}{'-XO'[d]}" for s, d in zip(squares, digits, strict=True))
