"""Rows less the mean of their group: a fit to them learns differences inside groups, and nothing between groups.

That is the same as one more unknown for each group, without a penalty, that takes up what all its rows share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.squares.matrix import Matrix, Vector, dot

Groups = npt.NDArray[np.int64]


def centred(values: Vector, group: Groups) -> Vector:
    """Values less the mean of their group; groups are numbered from 0 up, and may have gaps."""
    counts = np.bincount(group)
    means = np.bincount(group, values) / np.maximum(counts, 1)
    return np.asarray(values - means[group])


@dataclass(frozen=True)
class Centred:
    """The rows of a matrix, each less the mean row of its group."""

    matrix: Matrix
    group: Groups

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def unknowns(self) -> int:
        """How many columns the matrix has."""
        return self.matrix.unknowns

    def times(self, x: Vector) -> Vector:
        """A·x, centred."""
        return centred(self.matrix.times(x), self.group)

    def transposed_times(self, r: Vector) -> Vector:
        """Aᵀ of the centred r."""
        return self.matrix.transposed_times(centred(r, self.group))

    def normal_times(self, x: Vector) -> tuple[Vector, float]:
        """The products both ways, and the square of the first."""
        image = self.times(x)
        return self.matrix.transposed_times(image), dot(image, image)

    def squares(self) -> Vector:
        """Those of the plain rows, which are no smaller: the solver only needs to be near."""
        return self.matrix.squares()

    def counts(self) -> Vector:
        """How often each unknown occurs."""
        return self.matrix.counts()

    def absolute(self) -> Matrix:
        """The sizes of the plain rows: what bounds their curvature bounds that of the centred ones."""
        return self.matrix.absolute()
