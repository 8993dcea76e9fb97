"""Rows of a chunk written out, each on its own, and what is measured of them: counts, second derivatives, scores.

These are needed a few times in a fit, where passes are made by the dozen, so they may cost a copy of the chunk.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Reals, driver, int64, pointer
from evalsmith.fit.joint.chunks import OPPOSITE, OWN, Array, Chunk

Plain = tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.int64]]
"""Indices, amounts, and where each row begins among them; one number more for the end."""


def _unfold(
    index: Any, value: Any, length: Any, row: Reals, features: Indices, inside: Indices, out_index: Indices,
    out_amount: Reals, out_start: Integers,
) -> None:  # fmt: skip
    """Write out the rows of a chunk. ``row`` is the present one, perhaps its negative, ``features`` those it has."""
    names, values, sums, listed, within = (
        pointer(index),
        pointer(value),
        pointer(row),
        pointer(features),
        pointer(inside),
    )
    to_index, to_amount, start = pointer(out_index), pointer(out_amount), pointer(out_start)
    count, used, begin, more, sign, none = 0, 0, 0, 0, 1.0, 2 * int64(len(row))
    start[0] = 0
    for i in range(len(length)):
        if length[i, 2] == OWN:
            for j in range(count):
                sums[int64(listed[j])] = 0.0
                within[int64(listed[j])] = 0
            count, sign = 0, 1.0
        elif length[i, 2] == OPPOSITE:
            sign = -sign
        ones = begin + int64(length[i, 0])
        end = ones + int64(length[i, 1])
        for j in range(begin, end):
            stored = int64(names[j])
            if stored == none:
                continue
            name, amount = stored >> 1, np.float64(1 - 2 * (stored & 1))
            if j >= ones:
                amount = np.float64(values[more + j - ones])
            # No branches from here on: whether a feature is new, or gone, cannot be foreseen.
            listed[count] = name
            count += 1 - int64(within[name])
            within[name] = 1
            sums[name] += sign * amount
        left = 0
        for j in range(count):
            name = int64(listed[j])
            there = sums[name]
            stays = int64(there != 0.0)
            within[name] = stays
            listed[left] = name
            to_index[used + left] = name
            to_amount[used + left] = sign * there
            left += stays
        used += left
        count = left
        start[i + 1] = used
        more += end - ones
        begin = end


_UNFOLD = {
    (index, value): driver(
        f"void({index}[::1], {value}[::1], uint16[:,::1], float64[::1], int32[::1], int32[::1], int32[::1], "
        "float64[::1], int64[::1])",
        floats=True,
    )(_unfold)
    for index in ("uint16", "int32")
    for value in ("int16", "float32")
}


class Unfolder:
    """Writes out chunks of a layout with ``size`` features, in memory that is used again: one for each thread."""

    def __init__(self, size: int) -> None:
        self._size, self._listed, self._within = size, np.zeros(size + 1, np.int32), np.zeros(size, np.int32)
        self._index, self._amount, self._start = np.empty(0, np.int32), np.empty(0), np.empty(0, np.int64)

    def rows(self, chunk: Chunk) -> Plain:
        """The rows of a chunk, each on its own, until the next call."""
        room = chunk.features + self._size  # features that have gone are overwritten
        if len(self._index) < room:
            self._index, self._amount = np.empty(room, np.int32), np.empty(room)
        if len(self._start) <= len(chunk):
            self._start = np.empty(len(chunk) + 1, np.int64)
        self._within[:] = 0
        kind = chunk.index.dtype.name, chunk.value.dtype.name
        work = np.zeros(self._size), self._listed, self._within, self._index, self._amount, self._start
        _UNFOLD[kind](chunk.index, chunk.value, chunk.length, *work)
        return self._index, self._amount, self._start


_ROWS = "int32[::1], float64[::1], int64[::1], int32[::1], float64[:,::1]"


@driver(f"void({_ROWS}, float32[::1], float64[::1])", floats=True)
def squares(
    index: Array, amount: Array, start: Array, blend: Array, share: Array, curvature: Array, out: Array
) -> None:
    """Add to ``out``, column by column, the curvature of each row times its squared coefficients.

    Without ``curvature`` it counts: every coefficient that is not 0 is 1.
    """
    names, amounts, shares, result = pointer(index), pointer(amount), pointer(share), pointer(out)
    only = len(curvature) == 0
    for i in range(len(blend)):
        row = 4 * int64(blend[i])
        for side in range(2):
            first, part = int64(shares[row + side]), shares[row + 2 + side]
            if part == 0.0:
                continue
            much = 1.0 if only else np.float64(curvature[i]) * part * part
            if much == 0.0:
                continue
            for j in range(start[i], start[i + 1]):
                factor = 1.0 if only else amounts[j]
                result[first + int64(names[j])] += much * factor * factor


@driver(
    f"void({_ROWS}, float32[::1], int32[::1], float64[::1], float32[::1], int64[::1], float64[::1], float64[:,::1])",
    floats=True,
)
def outer(
    index: Array, amount: Array, start: Array, blend: Array, share: Array, curvature: Array, number_of: Array,
    chance: Array, draw: Array, ids: Array, amounts_of: Array, out: Array,
) -> None:  # fmt: skip
    """Add curvature·row·rowᵀ to one half of a dense matrix, of all rows, or of a sample with chances of its own.

    ``number_of`` maps unknowns to rows of the matrix, −1 to none. Which half an entry is in is left to chance: the
    caller adds the two. A row is taken if its number in ``draw`` is below the largest of its unknowns' ``chance``, each
    times the row's share of the unknown's diagonal, and counts for those that are not.
    """
    names, amounts, shares = pointer(index), pointer(amount), pointer(share)
    mine, factor, result, width = pointer(ids), pointer(amounts_of), pointer(out), int64(out.shape[0])
    for i in range(len(blend)):
        here, row, count, largest = np.float64(curvature[i]), 4 * int64(blend[i]), 0, 0.0
        for side in range(2):
            first, part = int64(shares[row + side]), shares[row + 2 + side]
            if here == 0.0 or part == 0.0:
                continue
            for j in range(start[i], start[i + 1]):
                unknown = int64(number_of[first + int64(names[j])])
                if unknown >= 0:
                    much = part * amounts[j]
                    mine[count] = unknown
                    factor[count] = much
                    count += 1
                    if len(chance) > 0:
                        largest = max(largest, much * much * chance[unknown])
        if len(chance) > 0:
            likely = min(1.0, here * largest)
            if np.float64(draw[i]) < likely:
                here /= likely
            else:
                count = 0
        for j in range(count):
            line, much = mine[j] * width, here * factor[j]
            for k in range(j):
                result[line + mine[k]] += much * factor[k]
            result[line + mine[j]] += 0.5 * much * factor[j]


@driver(f"void({_ROWS}, float64[::1], int64[::1], int32[::1], float64[:,::1])", floats=True)
def scores(
    index: Array, amount: Array, start: Array, blend: Array, share: Array, slope: Array, cluster: Array,
    number_of: Array, out: Array,
) -> None:  # fmt: skip
    """Add slope·row to the row of ``out`` that the cluster of each row names; −1 is none."""
    names, amounts, shares = pointer(index), pointer(amount), pointer(share)
    result, width = pointer(out), int64(out.shape[1])
    for i in range(len(blend)):
        row = 4 * int64(blend[i])
        for side in range(2):
            first, part = int64(shares[row + side]), shares[row + 2 + side] * slope[i]
            if part == 0.0 or cluster[i] < 0:
                continue
            for j in range(start[i], start[i + 1]):
                unknown = int64(number_of[first + int64(names[j])])
                if unknown >= 0:
                    result[int64(cluster[i]) * width + unknown] += part * amounts[j]
