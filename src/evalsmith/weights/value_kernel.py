"""The quantised net as a kernel: what the search asks in the place of the linear evaluation, or after it.

A context holds the numbers of a `ValueNet` in slots of their own (`evalsmith.games.contract`), with the address of this
kernel in the first of them. Every set bit of the planes adds one row of the first layer; 32-bit sums, no branches in
the loops over a layer, so that the compiler makes vector instructions of them.
"""

from __future__ import annotations

from evalsmith.compile import (
    LANES,
    Indices,
    Integers,
    Values,
    Words,
    add_lanes,
    at,
    caller,
    helper,
    indices_at,
    int64,
    integers_at,
    kernel,
    scan,
    uint64,
    values_at,
    words_at,
)
from evalsmith.games import contract

ONE = 255  # what a hidden unit is at most
SECOND_SHIFT = 8  # weights of the second layer are 1/256 each

# The numbers of a net that are no weights, in the row of contract.NET_SHAPE.
ALONE, FILL, WORDS, FIRST, SECOND, BUCKETS, MOST_BITS, SHIFT = range(8)
SHAPE_SIZE = 8

_fill = caller("void(words, words)")


@helper("void(indices, values, int64, int64)", inline=True)
def _add(sums: Indices, row: Values, factor: int, size: int) -> None:
    """Add a row of a layer, so many times."""
    for block in range(0, size, LANES):
        add_lanes(at(sums, block), at(row, block), factor)


@kernel("int64(integers, words)")
def evaluate_net(context: Integers, position: Words) -> int:
    """The value for the mover, in the game's unit."""
    shape = integers_at(context[contract.NET_SHAPE])
    planes, sums = words_at(context[contract.NET_PLANES]), indices_at(context[contract.NET_SUMS])
    weights, bias = values_at(context[contract.NET_FIRST]), indices_at(context[contract.NET_BIASES])
    first, second, buckets = shape[FIRST], shape[SECOND], shape[BUCKETS]
    _fill(shape[FILL], (position, planes))
    for i in range(first + second):
        sums[i] = bias[i]
    count = 0
    for word in range(shape[WORDS]):
        bits = planes[word]
        while bits != uint64(0):
            _add(sums, at(weights, (64 * word + scan(bits)) * first), 1, first)
            bits &= bits - uint64(1)
            count += 1
    weights, later = values_at(context[contract.NET_SECOND]), at(sums, first)
    for i in range(first):
        held = min(max(int64(sums[i]), 0), ONE)
        if held != 0:
            _add(later, at(weights, i * second), held, second)
    bucket = min(count * buckets // shape[MOST_BITS], buckets - 1)
    last = at(values_at(context[contract.NET_LAST]), bucket * second)
    total: int = int64(bias[first + second + bucket])
    for i in range(second):
        total += min(max(int64(later[i]) >> SECOND_SHIFT, 0), ONE) * int64(last[i])
    total >>= shape[SHIFT]
    if shape[ALONE] == 0:
        total += contract.linear_of(context, position)
    return total
