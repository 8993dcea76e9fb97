"""How long a game for one goes on, as scores tell it: what a net learns of positions and of the moves not played."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.positions.samples import UNKNOWN, Samples

Floats = npt.NDArray[np.float32]
NOT_KNOWN = -1.0

_POINTS = 60  # of the curve
_LINE = 20  # how many of them make the line that goes on below the first


class Curve:
    """From scores to durations: how long won games went on, on average, from positions with such a score.

    How long one game takes is mostly luck; the score of whoever played it knows the position and not the luck. Without
    scores nothing is known, and all durations are -1.
    """

    def __init__(self, samples: Samples) -> None:
        rows = np.flatnonzero((samples.score != UNKNOWN) & (samples.result > 0) & (samples.duration >= 0))
        self.known = len(rows) >= 2 * _POINTS
        if self.known:
            order = rows[np.argsort(samples.score[rows], kind="stable")]
            pieces = np.array_split(order, _POINTS)
            self._scores = np.array([samples.score[piece].mean() for piece in pieces])
            # A better score never means a longer game: a mean that says so is luck too.
            self._durations = np.minimum.accumulate([samples.duration[piece].mean() for piece in pieces])

    def __call__(self, scores: npt.NDArray[np.int32]) -> Floats:
        """How long games go on."""
        if not self.known:
            return np.full(scores.shape, NOT_KNOWN, dtype=np.float32)
        # Below the first point the line of the first pieces goes on: worse boards than any that was played.
        first, last = self._scores[0], self._scores[_LINE]
        slope = (self._durations[_LINE] - self._durations[0]) / max(last - first, 1.0)
        below = np.minimum(scores - first, 0.0) * slope
        found: Floats = (np.interp(scores, self._scores, self._durations) + below).astype(np.float32)
        return found
