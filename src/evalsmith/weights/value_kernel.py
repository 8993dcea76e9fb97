"""The quantised net as a kernel: what the search asks in the place of the linear evaluation, or after it.

A context holds the numbers of a `ValueNet` in slots of their own (`evalsmith.games.contract`), with the address of this
kernel in the first of them. The sums of the first layer stay there from one position to the next, one row for each
side that may look at the board: a search goes from neighbour to neighbour, so hardly any bits of the planes differ from
those of the last position, and only these are added or taken away.
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
    popcount,
    scan,
    uint64,
    values_at,
    words_at,
)
from evalsmith.games import contract

ONE = 1023  # what a hidden unit is at most

# The numbers of a net that are no weights, in the row of contract.NET_SHAPE; ENEMY is 0 where it looks from one side.
ALONE, FILL, ENEMY, WORDS, UNITS, BUCKETS, MOST_BITS, SHIFT = range(8)
SHAPE_SIZE = 8

_fill = caller("void(words, words)")
_0, _1 = uint64(0), uint64(1)


@helper("void(indices, values, int64, int64)", inline=True)
def _add(sums: Indices, row: Values, factor: int, size: int) -> None:
    """Add a row of the first layer, or take it away."""
    for block in range(0, size, LANES):
        add_lanes(at(sums, block), at(row, block), factor)


@helper("void(words, words, int64, indices, values, int64)", inline=True)
def _renew(fresh: Words, seen: Words, words: int, sums: Indices, weights: Values, units: int) -> None:
    """Make sums of the planes seen last into those of fresh planes, which are then the ones seen."""
    for word in range(words):
        changed = fresh[word] ^ seen[word]
        while changed != _0:
            place = scan(changed)
            factor = 1 if fresh[word] >> uint64(place) & _1 != _0 else -1
            _add(sums, at(weights, (64 * word + place) * units), factor, units)
            changed &= changed - _1
        seen[word] = fresh[word]


@helper("int64(indices, values, int64)", inline=True)
def _output(sums: Indices, row: Values, units: int) -> int:
    """What held units add to the last sum."""
    total = 0
    for i in range(units):
        total += min(max(int64(sums[i]), 0), ONE) * int64(row[i])
    return total


@kernel("int64(integers, words)")
def evaluate_net(context: Integers, position: Words) -> int:
    """The value for the mover, in the game's unit."""
    shape = integers_at(context[contract.NET_SHAPE])
    planes, sums = words_at(context[contract.NET_PLANES]), indices_at(context[contract.NET_SUMS])
    weights, bias = values_at(context[contract.NET_FIRST]), indices_at(context[contract.NET_BIASES])
    words, units, buckets = shape[WORDS], shape[UNITS], shape[BUCKETS]
    side, fresh = contract.mover_of(context, position), at(planes, 2 * words)
    _fill(shape[FILL], (position, fresh))
    count = 0
    for word in range(words):
        count += popcount(fresh[word])
    own = at(sums, side * units)
    _renew(fresh, at(planes, side * words), words, own, weights, units)
    bucket = min(count * buckets // shape[MOST_BITS], buckets - 1)
    total: int = int64(bias[units + bucket])
    if shape[ENEMY] == 0:
        total += _output(own, at(values_at(context[contract.NET_LAST]), bucket * units), units)
    else:
        _fill(shape[ENEMY], (position, fresh))
        other, last = at(sums, (1 - side) * units), at(values_at(context[contract.NET_LAST]), bucket * 2 * units)
        _renew(fresh, at(planes, (1 - side) * words), words, other, weights, units)
        total += _output(own, last, units) + _output(other, at(last, units), units)
    total >>= shape[SHIFT]
    if shape[ALONE] == 0:
        total += contract.linear_of(context, position)
    return total
