"""A chunk of a trace: rows as arrays, whatever file they came from, and the engine's value recomputed from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.trace.settings import TraceRules
from evalsmith.weights.outside import OutsideWeights

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TraceChunk:
    """Rows of a trace. Row r has the entries from ``start[r]`` to ``start[r + 1]``.

    ``result`` (0 to 1), ``score`` and ``printed`` (the engine's value) are White's, NaN where the file has none;
    ``phase`` is NaN for engines without phases; ``game`` is -1 where games have no names; ``line`` counts from 1.
    """

    result: Vector
    score: Vector
    phase: Vector
    printed: Vector
    game: npt.NDArray[np.int64]
    line: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    index: npt.NDArray[np.int32]
    middle: npt.NDArray[np.float32]
    ending: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.line)


def evaluate(chunk: TraceChunk, weights: OutsideWeights, rules: TraceRules) -> Vector:
    """What the engine's evaluation gives for each row with these weights, as the engine divides.

    Sums of whole numbers are exact in float64 up to 2^53, and so is every quotient near a whole number.
    """
    middle = weights.values[0][chunk.index] * chunk.middle
    if len(weights.columns) == 1:
        return _sums(middle, chunk.start)
    ending = weights.values[1][chunk.index] * chunk.ending
    single = np.array([feature.single for feature in weights.features])[chunk.index]
    after = _sums(np.where(single, middle, 0.0), chunk.start) if single.any() else np.zeros(len(chunk))
    middle[single] = 0.0
    ending[single] = 0.0
    total = _sums(middle, chunk.start) * chunk.phase + _sums(ending, chunk.start) * (rules.phase - chunk.phase)
    return divided(total / rules.phase, rules.division) + after


def divided(quotient: Vector, division: str) -> Vector:
    """A quotient as the engine rounds it."""
    match division:
        case "truncate":
            return np.trunc(quotient)
        case "floor":
            return np.floor(quotient)
        case "round":
            return np.copysign(np.floor(np.abs(quotient) + 0.5), quotient)
        case _:
            return quotient


def _sums(values: Vector, start: npt.NDArray[np.int64]) -> Vector:
    """The sum of each row's entries."""
    running = np.zeros(len(values) + 1)
    np.cumsum(values, out=running[1:])
    return running[start[1:] - start[0]] - running[start[:-1] - start[0]]
