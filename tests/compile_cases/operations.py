"""Every operation of compile.py behind a driver, so that a test can call it on plain values."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import (
    Context,
    add_lanes,
    at,
    caller,
    clock,
    driver,
    helper,
    indices_at,
    int64,
    integers_at,
    kernel,
    lowest,
    pointer,
    popcount,
    prefetch,
    reals_at,
    scan,
    scan_reverse,
    scratch,
    table,
    uint64,
    values_at,
    volatile,
    words_at,
)

WORDS, INTEGERS, INDICES, VALUES, REALS, FIRST, SECOND, COPY, SIZE = range(9)
FLAG, BEGUN = 0, 1


@driver("uint64(uint64, int64[::1])")
def bits(x, out):
    out[0] = popcount(x)
    out[1] = scan(x)
    out[2] = scan_reverse(x)
    return lowest(x)


@driver("void(int32[::1], int16[::1], int64, int64)")
def lanes(sums, row, start, factor):
    add_lanes(at(pointer(sums), start), at(pointer(row), start), factor)


@driver("int64()")
def moment():
    return clock()


@driver("int64(int64)")
def steps_back(count):
    """How often the clock went back between two looks."""
    back = int64(0)
    before = clock()
    for _ in range(count):
        now = clock()
        if now < before:
            back += 1
        before = now
    return back


@driver("int64(int64[::1], int64)")
def wait_for_flag(flags, limit):
    """1 once another thread sets the flag; 0 after ``limit`` looks."""
    row = pointer(flags)
    row[BEGUN] = 1
    looks = int64(0)
    while volatile(row, FLAG) == 0:  # LLVM hoists a plain load out of this loop
        looks += 1
        if looks >= limit:
            return 0
    return 1


@driver("uint64(uint64[::1])")
def fetched(array):
    """The first word, after all words and one far behind them were fetched: any place may be asked for."""
    row = pointer(array)
    for i in range(len(array)):
        prefetch(row, i)
    prefetch(row, 1 << 40)
    return row[0]


@driver("uint64(uint64[::1], int64, int64)")
def further(array, first, second):
    """Reads and writes through rows that begin further on."""
    row = at(pointer(array), first)
    deeper = at(row, second)
    deeper[0] = deeper[0] + row[0]
    return deeper[-1]


squares = table("compile_cases.squares", np.arange(100_000, dtype=np.int64) ** 2)
bytes_of = table("compile_cases.bytes", np.arange(256, dtype=np.uint8)[::-1])


@driver("int64(int64)")
def square(i):
    return squares()[i] + int64(bytes_of()[255])


work = scratch("small", 64)


@helper("int64(int64)")
def _backwards(count):
    row = work()
    for i in range(count):
        row[i] = i
    total = int64(0)
    for i in range(count):
        total = 10 * total + int64(row[count - 1 - i])
    return total


@driver("int64(int64)")
def backwards(count):
    return _backwards(count)


@kernel("int64(words, int64)")
def plus(row, x):
    return int64(row[0]) + x


@kernel("int64(words, int64)")
def times(row, x):
    return int64(row[0]) * x


@kernel("void(words, int64, words)")
def copy(row, count, out):
    for i in range(count):
        out[i] = row[i]


_binary = caller("int64(words, int64)")
_copy = caller("void(words, int64, words)")


@driver("int64(int64[::1], int64, uint64[::1], int64)")
def through(context, slot, row, x):
    return _binary(context[slot], (pointer(row), x))


@driver("void(int64[::1], uint64[::1], uint64[::1])")
def copied(context, row, out):
    _copy(context[COPY], (pointer(row), out.size, pointer(out)))


@driver("float64(int64[::1], int64)", floats=True)
def attached(context, i):
    """The i-th number of each array of a context, in one sum; each grows by one."""
    words, integers = words_at(context[WORDS]), integers_at(context[INTEGERS])
    indices, values, reals = indices_at(context[INDICES]), values_at(context[VALUES]), reals_at(context[REALS])
    total = float(words[i]) + integers[i] + indices[i] + values[i] + reals[i]
    words[i] += uint64(1)
    integers[i] += 1
    indices[i] += 1
    values[i] += 1
    reals[i] += 1.0
    return total


def context() -> Context:
    """A context with an array of each kind and the three kernels."""
    made = Context(SIZE)
    made.attach(WORDS, np.arange(4, dtype=np.uint64))
    made.attach(INTEGERS, np.arange(4, dtype=np.int64) * 10)
    made.attach(INDICES, np.arange(4, dtype=np.int32) * 100)
    made.attach(VALUES, np.arange(4, dtype=np.int16) * -1000)
    made.attach(REALS, np.arange(4, dtype=np.float64) / 4)
    for slot, function in ((FIRST, plus), (SECOND, times), (COPY, copy)):
        made.bind(slot, function)
    return made
