"""Castles: how the pieces stand around a king that has come home.

A castle is the king's square and the places of its guards, as black sees the board with the king on the right. The
mirrored castle, on the left, counts the same. The grade is the number of guards in their places, so a half-built
castle has a lower one; of several variants the best counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.games.shogi.squares import GOLD, KNIGHT, LANCE, SILVER, square_at

Guards = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Castle:
    """A family of castles: where its king lives, and which piece belongs where in each variant."""

    name: str
    king: str
    variants: tuple[Guards, ...]

    @property
    def grades(self) -> int:
        """The highest grade."""
        return max(len(guards) for guards in self.variants)


CASTLES = (
    Castle(
        "Mino castle",
        "2h",
        (
            (("3h", SILVER), ("4i", GOLD), ("5h", GOLD), ("2i", KNIGHT), ("1i", LANCE)),
            (("3h", SILVER), ("4i", GOLD), ("4g", GOLD), ("2i", KNIGHT), ("1i", LANCE)),
            (("2g", SILVER), ("3h", GOLD), ("4g", GOLD), ("2i", KNIGHT), ("1i", LANCE)),
        ),
    ),
    Castle(
        "Anaguma castle",
        "1i",
        (
            (("1h", LANCE), ("2h", SILVER), ("3i", GOLD), ("3h", GOLD), ("2i", KNIGHT)),
            (("1h", LANCE), ("2h", SILVER), ("3i", GOLD), ("4i", GOLD), ("2i", KNIGHT)),
            (("1h", LANCE), ("2h", SILVER), ("3i", SILVER), ("3h", GOLD), ("2i", KNIGHT)),
        ),
    ),
    Castle(
        "Yagura castle",
        "2h",
        ((("3h", GOLD), ("4g", GOLD), ("3g", SILVER), ("2i", KNIGHT), ("1i", LANCE)),),
    ),
)
WIDEST = max(castle.grades for castle in CASTLES)


def _square(name: str, mirrored: bool) -> int:
    file, rank = int(name[0]) - 1, "abcdefghi".index(name[1])
    return square_at(8 - file if mirrored else file, rank)


def pattern_table() -> npt.NDArray[np.int64]:
    """One row a variant and side: castle, king's square, then square and kind of each guard (square -1: none)."""
    rows = []
    for number, castle in enumerate(CASTLES):
        for guards in castle.variants:
            for mirrored in (False, True):
                row = [number, _square(castle.king, mirrored)]
                for place, kind in guards:
                    row += [_square(place, mirrored), kind]
                rows.append(row + [-1, 0] * (WIDEST - len(guards)))
    return np.array(rows, dtype=np.int64)
