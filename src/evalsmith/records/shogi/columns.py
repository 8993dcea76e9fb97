"""What a file tells of each move, as the columns of a batch: scores for the mover, depths, seconds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Reals, Values, Words, driver, int64
from evalsmith.games.shogi.squares import STATE
from evalsmith.records.record import UNKNOWN
from evalsmith.records.shogi.lines import DEPTH, SCORE, TIME

_1 = np.uint64(1)
_NOT_KNOWN = np.float32(np.nan)
_THOUSAND = np.float32(1000)


@driver("void(int64[:, ::1], int64[::1], uint64[:, ::1], int32[::1], int16[::1], float32[::1])", floats=True)
def _columns(rows: Integers, first: Integers, starts: Words, scores: Indices, depths: Values, seconds: Reals) -> None:
    """One pass over all games; what comes out is described at ``Columns``."""
    for game in range(first.shape[0] - 1):
        sign = 1 if starts[game, STATE] & _1 == np.uint64(0) else -1
        for move in range(first[game], first[game + 1]):
            score, time = rows[move, SCORE], rows[move, TIME]
            scores[move] = sign * score if score != UNKNOWN else int64(UNKNOWN)
            depths[move] = rows[move, DEPTH]
            seconds[move] = _NOT_KNOWN if time < 0 else np.float32(time) / _THOUSAND
            sign = -sign


@dataclass(frozen=True)
class Columns:
    """Columns as ``Batch`` has them, of every move that was found."""

    scores: npt.NDArray[np.int32]
    depths: npt.NDArray[np.int16]
    seconds: npt.NDArray[np.float32]


def columns(rows: npt.NDArray[np.int64], first: npt.NDArray[np.int64], starts: npt.NDArray[np.uint64]) -> Columns:
    """What is rows of the moves; game ``i`` has those from ``first[i]`` to ``first[i + 1]``, from ``starts[i]``."""
    count = len(rows)
    found = Columns(np.empty(count, np.int32), np.empty(count, np.int16), np.empty(count, np.float32))
    _columns(rows, first, starts, found.scores, found.depths, found.seconds)
    return found
