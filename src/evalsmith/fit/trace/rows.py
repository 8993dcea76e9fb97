"""From a trace to a fit and back: rows that predict what the engine's evaluation would give, and weights to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.rows import Rows, rows_from_arrays
from evalsmith.fit.joint.space import Space
from evalsmith.fit.trace.reading import Trace
from evalsmith.weights import OutsideWeights, write_weights_as


def trace_rows(trace: Trace, *, folder: Path | None = None, max_bytes: int | None = None) -> Rows:
    """The rows of a trace; unknown = column·features + feature, as in ``trace.start_values``.

    Predictions lack only the rounding of the engine's division. Where features count differently in the middle game and
    the endgame, the share of each stands in the values, and all unknowns are one column.
    """
    count, size = len(trace), trace.weights.size
    zeros = np.zeros(count, dtype=np.int64)
    place = {"folder": folder, "max_bytes": max_bytes}
    if len(trace.weights.columns) == 1:
        start, index, value = trace.start, trace.index, trace.middle
        return rows_from_arrays(start, index, value, zeros, zeros, np.zeros(count), columns=1, size=size, **place)  # type: ignore[arg-type]
    ending = 1.0 - trace.phase / trace.rules.phase
    if trace.middle is trace.ending:
        start, index, value = trace.start, trace.index, trace.middle
        return rows_from_arrays(start, index, value, zeros, zeros + 1, ending, columns=2, size=size, **place)  # type: ignore[arg-type]
    start, index, value = _spread(trace, ending)
    return rows_from_arrays(start, index, value, zeros, zeros, np.zeros(count), columns=1, size=2 * size, **place)  # type: ignore[arg-type]


def _spread(
    trace: Trace, ending: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Every entry twice: its share of the middle game, and then that of the endgame."""
    share = np.repeat(ending, np.diff(trace.start)).astype(np.float32)
    plain = trace.index.astype(np.int32)
    index = np.stack([plain, plain + np.int32(trace.weights.size)], axis=1).reshape(-1)
    value = np.stack([trace.middle * (1 - share), trace.ending * share], axis=1).reshape(-1)
    return 2 * trace.start, index, value


def trace_space(trace: Trace) -> Space:
    """Which weights of a trace move: all but fixed ones; both columns of a single feature are one number."""
    return Space(free=trace.free, ties=trace.ties)


def fitted_trace_weights(trace: Trace, values: npt.NDArray[Any], name: str = "tuned") -> OutsideWeights:
    """The engine's weights with fitted values, rounded where the engine has whole numbers."""
    rounded = values if trace.rules.division == "none" else np.rint(values)
    return trace.weights.with_values(rounded, name)


def write_trace_weights(trace: Trace, values: npt.NDArray[Any], path: Path) -> Path:
    """Write fitted values in the format that the suffix names: CSV, JSON, C header, Rust or Python."""
    return write_weights_as(fitted_trace_weights(trace, values, path.stem), path)
