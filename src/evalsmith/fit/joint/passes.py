"""One pass over a chunk of rows: predictions, losses and gradients in one read of it.

The indices of a row stand in three runs: those with the value 1, those with −1, and those with any other value, which
is stored. So most non-zeros take two bytes, no multiplication and no conversion. A chunk is read from its beginning to
its end, and nothing says where a row begins but the lengths of the runs before it.

With two columns, ``x`` and the gradient stand in pairs, one weight's columns side by side: one load has both. Any
other number of columns stays column by column, and a row reads the two that its blend names.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from evalsmith.compile import Reals, driver, helper, int64, pointer, scratch

# What is done with the predictions of a chunk.
LOGISTIC, CROSS_ENTROPY, SQUARED, CURVATURE, PREDICT = range(5)

INDICES = ("uint16", "int32")
VALUES = ("int16", "float32")

_parts = scratch("reals", 2)


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
    total, begin, more = 0.0, 0, 0
    scatter = kind != PREDICT and len(out) > 0
    for i in range(len(blend)):
        plus = begin + int64(runs[3 * i])
        minus = plus + int64(runs[3 * i + 1])
        end = minus + int64(runs[3 * i + 2])
        if kind != PREDICT and weight[i] == 0.0:
            more += end - minus
            begin = end
            continue
        a0 = a1 = b0 = b1 = 0.0
        j = begin
        while j + 2 <= plus:
            at_a, at_b = 2 * int64(names[j]), 2 * int64(names[j + 1])
            a0 += of[at_a]
            a1 += of[at_a + 1]
            b0 += of[at_b]
            b1 += of[at_b + 1]
            j += 2
        if j < plus:
            at_a = 2 * int64(names[j])
            a0 += of[at_a]
            a1 += of[at_a + 1]
        c0 = c1 = d0 = d1 = 0.0
        j = plus
        while j + 2 <= minus:
            at_a, at_b = 2 * int64(names[j]), 2 * int64(names[j + 1])
            c0 += of[at_a]
            c1 += of[at_a + 1]
            d0 += of[at_b]
            d1 += of[at_b + 1]
            j += 2
        if j < minus:
            at_a = 2 * int64(names[j])
            c0 += of[at_a]
            c1 += of[at_a + 1]
        first, second = (a0 + b0) - (c0 + d0), (a1 + b1) - (c1 + d1)
        for j in range(end - minus):
            at_a, amount = 2 * int64(names[minus + j]), np.float64(amounts[more + j])
            first += amount * of[at_a]
            second += amount * of[at_a + 1]
        row = 2 * int64(number[i])
        s0, s1 = shares[row], shares[row + 1]
        prediction = s0 * first + s1 * second
        if kind == PREDICT:
            result[i] = prediction
        elif kind == CURVATURE:
            parts[0] = np.float64(curvature[i]) * prediction
            total += parts[0] * prediction
        else:
            total += _loss(kind, rate, prediction, target[i], np.float64(weight[i]), parts)
            curvature[i] = parts[1]
        if scatter:
            g0, g1 = parts[0] * s0, parts[0] * s1
            for j in range(begin, plus):
                at_a = 2 * int64(names[j])
                result[at_a] += g0
                result[at_a + 1] += g1
            for j in range(plus, minus):
                at_a = 2 * int64(names[j])
                result[at_a] -= g0
                result[at_a + 1] -= g1
            for j in range(end - minus):
                at_a, amount = 2 * int64(names[minus + j]), np.float64(amounts[more + j])
                result[at_a] += amount * g0
                result[at_a + 1] += amount * g1
        more += end - minus
        begin = end
    return total


def _column_pass(
    index: Any, value: Any, length: Any, blend: Any, share: Any, x: Any, target: Any, weight: Any, curvature: Any,
    kind: int, rate: float, out: Any,
) -> float:  # fmt: skip
    """The same for any number of columns; a row of ``share`` is where its two columns begin, and their shares."""
    names, amounts, runs, number = pointer(index), pointer(value), pointer(length), pointer(blend)
    shares, of, result, parts = pointer(share), pointer(x), pointer(out), _parts()
    total, begin, more = 0.0, 0, 0
    scatter = kind != PREDICT and len(out) > 0
    for i in range(len(blend)):
        plus = begin + int64(runs[3 * i])
        minus = plus + int64(runs[3 * i + 1])
        end = minus + int64(runs[3 * i + 2])
        if kind != PREDICT and weight[i] == 0.0:
            more += end - minus
            begin = end
            continue
        row = 4 * int64(number[i])
        if kind != PREDICT:
            parts[0] = 0.0
        prediction = 0.0
        for side in range(2):
            first, part = int64(shares[row + side]), shares[row + 2 + side]
            if part == 0.0:
                continue
            a = b = 0.0
            for j in range(begin, plus):
                a += of[first + int64(names[j])]
            for j in range(plus, minus):
                b += of[first + int64(names[j])]
            a -= b
            for j in range(end - minus):
                a += np.float64(amounts[more + j]) * of[first + int64(names[minus + j])]
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
                for j in range(begin, plus):
                    result[first + int64(names[j])] += g
                for j in range(plus, minus):
                    result[first + int64(names[j])] -= g
                for j in range(end - minus):
                    result[first + int64(names[minus + j])] += np.float64(amounts[more + j]) * g
        more += end - minus
        begin = end
    return total


def _squares(index: Any, value: Any, length: Any, blend: Any, share: Any, curvature: Any, out: Any) -> None:
    """Add to ``out``, column by column, the curvature of each row times its squared coefficients.

    Without ``curvature`` it counts: every coefficient that is not 0 is 1.
    """
    names, amounts, runs, number = pointer(index), pointer(value), pointer(length), pointer(blend)
    shares, result = pointer(share), pointer(out)
    begin, more = 0, 0
    count = len(curvature) == 0
    for i in range(len(blend)):
        minus = begin + int64(runs[3 * i]) + int64(runs[3 * i + 1])
        end = minus + int64(runs[3 * i + 2])
        row = 4 * int64(number[i])
        for side in range(2):
            first, part = int64(shares[row + side]), shares[row + 2 + side]
            if part == 0.0:
                continue
            amount = 1.0 if count else np.float64(curvature[i]) * part * part
            if amount == 0.0:
                continue
            for j in range(begin, minus):
                result[first + int64(names[j])] += amount
            for j in range(end - minus):
                factor = 1.0 if count else np.float64(amounts[more + j])
                result[first + int64(names[minus + j])] += amount * factor * factor
        more += end - minus
        begin = end


def _outer(
    index: Any, value: Any, length: Any, blend: Any, share: Any, curvature: Any, number_of: Any, chance: Any,
    draw: Any, ids: Any, amounts_of: Any, out: Any,
) -> None:  # fmt: skip
    """Add curvature·row·rowᵀ to one half of a dense matrix, of all rows, or of a sample with chances of its own.

    ``number_of`` maps unknowns to rows of the matrix, −1 to none. Which half an entry is in is left to chance: the
    caller adds the two. A row is taken if its number in ``draw`` is below the largest of its unknowns' ``chance``, each
    times the row's share of the unknown's diagonal, and counts for those that are not.
    """
    names, amounts, runs, number = pointer(index), pointer(value), pointer(length), pointer(blend)
    shares, mine, factor, result = pointer(share), pointer(ids), pointer(amounts_of), pointer(out)
    begin, more, width = 0, 0, int64(out.shape[0])
    for i in range(len(blend)):
        plus = begin + int64(runs[3 * i])
        minus = plus + int64(runs[3 * i + 1])
        end = minus + int64(runs[3 * i + 2])
        here, row, count, largest = np.float64(curvature[i]), 4 * int64(number[i]), 0, 0.0
        for side in range(2):
            first, part = int64(shares[row + side]), shares[row + 2 + side]
            if here == 0.0 or part == 0.0:
                continue
            for j in range(begin, end):
                unknown = int64(number_of[first + int64(names[j])])
                if unknown >= 0:
                    amount = part
                    if j >= plus:
                        amount = -part
                    if j >= minus:
                        amount = part * np.float64(amounts[more + j - minus])
                    mine[count] = unknown
                    factor[count] = amount
                    count += 1
                    if len(chance) > 0:
                        largest = max(largest, amount * amount * chance[unknown])
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
        more += end - minus
        begin = end


def _scores(
    index: Any, value: Any, length: Any, blend: Any, share: Any, slope: Any, cluster: Any, number_of: Any, out: Any
) -> None:
    """Add slope·row to the row of ``out`` that the cluster of each row names; −1 is none."""
    names, amounts, runs, number = pointer(index), pointer(value), pointer(length), pointer(blend)
    shares, result, width = pointer(share), pointer(out), int64(out.shape[1])
    begin, more = 0, 0
    for i in range(len(blend)):
        plus = begin + int64(runs[3 * i])
        minus = plus + int64(runs[3 * i + 1])
        end = minus + int64(runs[3 * i + 2])
        row = 4 * int64(number[i])
        for side in range(2):
            first, part = int64(shares[row + side]), shares[row + 2 + side] * slope[i]
            if part == 0.0 or cluster[i] < 0:
                continue
            for j in range(begin, end):
                unknown = int64(number_of[first + int64(names[j])])
                if unknown >= 0:
                    amount = part
                    if j >= plus:
                        amount = -part
                    if j >= minus:
                        amount = part * np.float64(amounts[more + j - minus])
                    result[int64(cluster[i]) * width + unknown] += amount
        more += end - minus
        begin = end


def _kernels(function: Any, returned: str, rest: str) -> dict[tuple[str, str], Any]:
    """A kernel for each width of indices and values."""
    return {
        (index, value): driver(
            f"{returned}({index}[::1], {value}[::1], uint16[:,::1], int32[::1], float64[:,::1], {rest})", floats=True
        )(function)
        for index in INDICES
        for value in VALUES
    }


_PASS = "float64[::1], float64[::1], float32[::1], float32[::1], int64, float64, float64[::1]"  # noqa: S105
PAIR_PASS = _kernels(_pair_pass, "float64", _PASS)
COLUMN_PASS = _kernels(_column_pass, "float64", _PASS)
SQUARES = _kernels(_squares, "void", "float32[::1], float64[::1]")
OUTER = _kernels(
    _outer,
    "void",
    "float32[::1], int32[::1], float64[::1], float32[::1], int64[::1], float64[::1], float64[:,::1]",
)
SCORES = _kernels(_scores, "void", "float64[::1], int64[::1], int32[::1], float64[:,::1]")
