"""A kernel, and a driver that calls it through a context."""

from evalsmith.compile import Context, caller, driver, int64, kernel, words_at
from race.steps import step, steps

_call = caller("int64(words)")


@kernel("int64(words)")
def first(row):
    return step(int64(row[0]))


@driver("int64(int64[::1], int64)")
def total(context, count):
    return steps(_call(context[0], (words_at(context[1]),)), count)


def answer() -> int:
    """1000 and eleven steps: 1033."""
    import numpy as np

    context = Context(2)
    context.bind(0, first)
    context.attach(1, np.array([1000], dtype=np.uint64))
    return int(total(context.row, 10))
