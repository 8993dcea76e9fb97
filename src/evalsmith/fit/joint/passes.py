"""One pass over a chunk of rows: predictions, losses and gradients in one read of it.

The indices of a row stand in two runs. The first has those of small whole values, as often as the value says: twice
the number of the feature for 1, one more for −1. So most non-zeros take two bytes, no multiplication and no conversion.
The second has those of all other values, which are stored. A chunk is read from its beginning to its end, and nothing
says where a row begins but the lengths of the runs before it.

A row may stand for what it differs in from ± the row before (see `extraction`). Then its sums are those of the row
before, with that sign, and what the differences add. Gradients go the other way: a block of rows is read backwards,
and the slopes of a row, with that sign, are added to those of the row before.

With two columns, ``x`` and the gradient stand in pairs, one weight's columns side by side and their negatives behind
them: one load has both columns, and no sign is looked at. A first run of odd length is filled up with a pair of
zeros. Any other number of columns stays column by column, and a row reads the two that its blend names.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from evalsmith.compile import Reals, driver, helper, int64, pointer, scratch
from evalsmith.fit.joint.chunks import BLOCK, OWN, SAME

# What is done with the predictions of a chunk.
LOGISTIC, CROSS_ENTROPY, SQUARED, CURVATURE, PREDICT = range(5)

_parts = scratch("reals", 2)
_slopes, _begins, _mores = scratch("reals", BLOCK), scratch("integers", BLOCK), scratch("integers", BLOCK)


@helper("float64(int64)", floats=True, inline=True)
def _sign(stored: int) -> float:
    """What the sums of the row before count in those of a row."""
    if stored == OWN:
        return 0.0
    return 1.0 if stored == SAME else -1.0


@helper("float64(int64, float64, float64, float64, float64, reals)", floats=True, inline=True)
def _loss(kind: int, rate: float, prediction: float, target: float, weight: float, out: Reals) -> float:
    """The loss of a row; its slope and its curvature go to ``out``."""
    if kind == SQUARED:
        error = prediction - target
        out[0], out[1] = 2.0 * weight * error, 2.0 * weight
        return weight * error * error
    z = rate * prediction
    small = math.exp(-abs(z))  # never too large for a float
    p = 1.0 / (1.0 + small)
    q = small * p
    if z < 0.0:
        p, q = q, p
    if kind == LOGISTIC:
        error, slope = target - p, rate * p * q
        out[0], out[1] = -2.0 * weight * error * slope, 2.0 * weight * slope * slope
        return weight * error * error
    out[0], out[1] = weight * rate * (p - target), weight * rate * rate * p * q
    return weight * (math.log1p(small) + max(z, 0.0) - target * z)


def _pair_pass(
    index: Any, value: Any, length: Any, blend: Any, share: Any, x: Any, target: Any, weight: Any, curvature: Any,
    kind: int, rate: float, out: Any,
) -> float:  # fmt: skip
    """A pass over a chunk of a layout with two columns; the sum of the losses.

    ``out`` takes the gradient, or nothing if it has no place, or the predictions. ``curvature`` is written, and read
    by CURVATURE, of which the "loss" is xᵀHx and the gradient is H·x.
    """
    names, amounts, runs, number = pointer(index), pointer(value), pointer(length), pointer(blend)
    shares, of, result, parts = pointer(share), pointer(x), pointer(out), _parts()
    slopes, begins, mores = _slopes(), _begins(), _mores()
    total, begin, more = 0.0, 0, 0
    scatter = kind != PREDICT and len(out) > 0
    for block in range(0, len(blend), BLOCK):
        last = min(block + BLOCK, len(blend))
        first = second = 0.0
        for i in range(block, last):
            ones = begin + int64(runs[3 * i])
            others = int64(runs[3 * i + 1])
            begins[i - block], mores[i - block] = begin, more
            a0 = a1 = b0 = b1 = 0.0
            for j in range(begin, ones, 2):
                at_a, at_b = 2 * int64(names[j]), 2 * int64(names[j + 1])
                a0 += of[at_a]
                a1 += of[at_a + 1]
                b0 += of[at_b]
                b1 += of[at_b + 1]
            a0 += b0
            a1 += b1
            for j in range(others):
                at_a, amount = 2 * int64(names[ones + j]), np.float64(amounts[more + j])
                a0 += amount * of[at_a]
                a1 += amount * of[at_a + 1]
            sign = _sign(int64(runs[3 * i + 2]))
            first, second = sign * first + a0, sign * second + a1
            row = 2 * int64(number[i])
            prediction = shares[row] * first + shares[row + 1] * second
            more += others
            begin = ones + others
            if kind == PREDICT:
                result[i] = prediction
                continue
            parts[0] = 0.0
            if weight[i] != 0.0:
                if kind == CURVATURE:
                    parts[0] = np.float64(curvature[i]) * prediction
                    total += parts[0] * prediction
                else:
                    total += _loss(kind, rate, prediction, target[i], np.float64(weight[i]), parts)
                    curvature[i] = parts[1]
            slopes[i - block] = parts[0]
        if not scatter:
            continue
        g0 = g1 = 0.0
        for i in range(last - 1, block - 1, -1):
            here, rest, row = begins[i - block], mores[i - block], 2 * int64(number[i])
            ones = here + int64(runs[3 * i])
            g0 += slopes[i - block] * shares[row]
            g1 += slopes[i - block] * shares[row + 1]
            for j in range(here, ones, 2):
                at_a, at_b = 2 * int64(names[j]), 2 * int64(names[j + 1])
                result[at_a] += g0
                result[at_a + 1] += g1
                result[at_b] += g0
                result[at_b + 1] += g1
            for j in range(int64(runs[3 * i + 1])):
                at_a, amount = 2 * int64(names[ones + j]), np.float64(amounts[rest + j])
                result[at_a] += amount * g0
                result[at_a + 1] += amount * g1
            sign = _sign(int64(runs[3 * i + 2]))
            g0, g1 = sign * g0, sign * g1
    return total


def _column_pass(
    index: Any, value: Any, length: Any, blend: Any, share: Any, x: Any, target: Any, weight: Any, curvature: Any,
    kind: int, rate: float, out: Any,
) -> float:  # fmt: skip
    """The same for any number of columns; a row of ``share`` is where its two columns begin, and their shares.

    Rows stand on their own: a position and the one before it may read other columns.
    """
    names, amounts, runs, number = pointer(index), pointer(value), pointer(length), pointer(blend)
    shares, of, result, parts = pointer(share), pointer(x), pointer(out), _parts()
    total, begin, more = 0.0, 0, 0
    scatter = kind != PREDICT and len(out) > 0
    for i in range(len(blend)):
        ones = begin + int64(runs[3 * i])
        others = int64(runs[3 * i + 1])
        if kind != PREDICT and weight[i] == 0.0:
            more += others
            begin = ones + others
            continue
        row = 4 * int64(number[i])
        if kind != PREDICT:
            parts[0] = 0.0
        prediction = 0.0
        for side in range(2):
            first, part = int64(shares[row + side]), shares[row + 2 + side]
            if part == 0.0:
                continue
            a = 0.0
            for j in range(begin, ones):
                name = int64(names[j])
                a += np.float64(1 - 2 * (name & 1)) * of[first + (name >> 1)]
            for j in range(others):
                a += np.float64(amounts[more + j]) * of[first + (int64(names[ones + j]) >> 1)]
            prediction += part * a
        if kind == PREDICT:
            result[i] = prediction
        elif kind == CURVATURE:
            parts[0] = np.float64(curvature[i]) * prediction
            total += parts[0] * prediction
        else:
            total += _loss(kind, rate, prediction, target[i], np.float64(weight[i]), parts)
            curvature[i] = parts[1]
        if scatter:
            for side in range(2):
                first, part = int64(shares[row + side]), shares[row + 2 + side]
                if part == 0.0:
                    continue
                g = parts[0] * part
                for j in range(begin, ones):
                    name = int64(names[j])
                    result[first + (name >> 1)] += np.float64(1 - 2 * (name & 1)) * g
                for j in range(others):
                    result[first + (int64(names[ones + j]) >> 1)] += np.float64(amounts[more + j]) * g
        more += others
        begin = ones + others
    return total


INDICES = ("uint16", "int32")
VALUES = ("int16", "float32")
_PASS = "float64[::1], float64[::1], float32[::1], float32[::1], int64, float64, float64[::1]"  # noqa: S105


def _kernels(function: Any) -> dict[tuple[str, str], Any]:
    """A kernel for each width of indices and values."""
    return {
        (index, value): driver(
            f"float64({index}[::1], {value}[::1], uint16[:,::1], int32[::1], float64[:,::1], {_PASS})", floats=True
        )(function)
        for index in INDICES
        for value in VALUES
    }


PAIR_PASS = _kernels(_pair_pass)
COLUMN_PASS = _kernels(_column_pass)
