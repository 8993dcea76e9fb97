"""``check_trace``: what the engine printed must be what its counts give, on every row, before anything is fitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalsmith.fit.trace.reading import Trace
from evalsmith.run import InputError
from evalsmith.weights.outside import number_text

SHOWN = 3


@dataclass(frozen=True)
class Checked:
    """How many rows were compared: all, or none where the trace has no column ``eval``."""

    rows: int
    compared: int

    def __str__(self) -> str:
        if not self.compared:
            return "the trace has no column eval, so its counts were not checked against the engine"
        return f"{self.compared:,} rows: the counts give the value that the engine printed"


def check_trace(trace: Trace) -> Checked:
    """Compare every row; the first that differ are named with the printed and the recomputed value."""
    known = ~np.isnan(trace.printed)
    off = np.abs(trace.recomputed - trace.printed)
    wrong = np.flatnonzero(known & ~(off <= trace.rules.slack))
    if len(wrong):
        first = "; ".join(_row(trace, int(row)) for row in wrong[:SHOWN])
        more = f"; {len(wrong):,} of {int(known.sum()):,} rows differ" if len(wrong) > 1 else ""
        raise InputError(f"{first}{more}; nothing was fitted: {_advice(trace, wrong)}")
    return Checked(len(trace), int(known.sum()))


def _row(trace: Trace, row: int) -> str:
    printed, recomputed = float(trace.printed[row]), float(trace.recomputed[row])
    return (
        f"{trace.where(row)}: the engine printed {number_text(printed)}, its counts give {number_text(recomputed)} "
        f"(difference {recomputed - printed:+g})"
    )


def _advice(trace: Trace, wrong: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    """What is likely: the mover's view, another division, or counts that lack something."""
    printed, recomputed = trace.printed[wrong], trace.recomputed[wrong]
    if (np.abs(printed + recomputed) <= trace.rules.slack).all():
        return "the signs differ, so eval is the mover's view; print it from White's"
    if (np.abs(printed - recomputed) <= 1).all():
        return (
            f"all differ by 1, so the engine divides otherwise than {trace.rules.division!r} (`# division`), or twice"
        )
    return "a feature is counted otherwise than it is evaluated, or a part of the evaluation is not in the trace"
