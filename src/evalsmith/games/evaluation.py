"""What an evaluation is made of: features, their weights in columns, and how the columns blend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Overview:
    """A feature's weights as a matrix to look at; NaN where there is nothing."""

    matrix: npt.NDArray[np.float64]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    caption: str


# Whose a term is (``Feature.whose``): each side has terms of its own, the mover's with values above 0 and the enemy's
# below; a term's value is the mover's amount less the enemy's; it is about the mover, about the enemy, or about both.
EACH, DIFFERENCE, MOVER, ENEMY, BOTH = "each", "difference", "mover", "enemy", "both"


@dataclass(frozen=True)
class Feature:
    """A block of weights that terms look up.

    ``ordered`` says that neighbouring indices mean neighbouring amounts (a count), so that the
    tuner may tie them together. ``describe`` names one index; ``picture`` draws one, as SVG. ``overview`` sums the
    weights of a feature up for a person, as a small matrix.

    What explains a position needs more: ``group`` is the heading under which the feature is summed up (default: its
    own name), ``whose`` is one of the five words above or nothing where a sum cannot be given to a side, and
    ``on_board`` names an index for a side as the board does, where ``describe`` says what the owner sees.
    """

    name: str
    size: int
    ordered: bool = False
    describe: Callable[[int], str] = str
    picture: Callable[[int], str] | None = None
    overview: Callable[[npt.NDArray[np.int32]], Overview] | None = None
    group: str = ""
    whose: str = ""
    on_board: Callable[[int, int], str] | None = None


@dataclass(frozen=True)
class Evaluation:
    """What a game's ``terms`` emits, and how its columns of weights blend.

    ``blend[phase]`` is (column a, column b, t) with t in units of 1/``scale``. ``terms`` names what
    the kernel emits, in its order, where that order is fixed: pairs of term and feature.
    ``starting`` gives the hand-set weights, one row per column, in hundredths.
    ``engine`` turns such weights into the row that a fused ``evaluate`` reads.
    ``amounts`` tells of a position how much a side has of what terms give as a difference, by index; ``locate`` names
    what the n-th term sees on the board, where that says more than its index.
    """

    features: tuple[Feature, ...]
    columns: tuple[str, ...]
    blend: tuple[tuple[int, int, int], ...]
    scale: int
    starting: Callable[[], npt.NDArray[np.int32]]
    terms: tuple[tuple[str, str], ...] | None = None
    engine: Callable[[npt.NDArray[np.int32]], npt.NDArray[np.int32]] | None = None
    amounts: Callable[[npt.NDArray[np.uint64], int], Mapping[int, int]] | None = None
    locate: Callable[[npt.NDArray[np.uint64], int], str | None] | None = None

    @property
    def size(self) -> int:
        """How many weights a column has."""
        return sum(feature.size for feature in self.features)
