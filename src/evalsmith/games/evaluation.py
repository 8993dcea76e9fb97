"""What an evaluation is made of: features, their weights in columns, and how the columns blend."""

from __future__ import annotations

from collections.abc import Callable
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


@dataclass(frozen=True)
class Feature:
    """A block of weights that terms look up.

    ``ordered`` says that neighbouring indices mean neighbouring amounts (a count), so that the
    tuner may tie them together. ``describe`` names one index; ``picture`` draws one, as SVG. ``overview`` sums the
    weights of a feature up for a person, as a small matrix.
    """

    name: str
    size: int
    ordered: bool = False
    describe: Callable[[int], str] = str
    picture: Callable[[int], str] | None = None
    overview: Callable[[npt.NDArray[np.int32]], Overview] | None = None


@dataclass(frozen=True)
class Evaluation:
    """What a game's ``terms`` emits, and how its columns of weights blend.

    ``blend[phase]`` is (column a, column b, t) with t in units of 1/``scale``. ``terms`` names what
    the kernel emits, in its order, where that order is fixed: pairs of term and feature.
    ``starting`` gives the hand-set weights, one row per column, in hundredths.
    ``engine`` turns such weights into the row that a fused ``evaluate`` reads.
    """

    features: tuple[Feature, ...]
    columns: tuple[str, ...]
    blend: tuple[tuple[int, int, int], ...]
    scale: int
    starting: Callable[[], npt.NDArray[np.int32]]
    terms: tuple[tuple[str, str], ...] | None = None
    engine: Callable[[npt.NDArray[np.int32]], npt.NDArray[np.int32]] | None = None

    @property
    def size(self) -> int:
        """How many weights a column has."""
        return sum(feature.size for feature in self.features)
