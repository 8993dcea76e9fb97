"""The helpers that the other file's kernels call."""

from evalsmith.compile import helper

STEP = 3


@helper("int64(int64)")
def step(x):
    return x + STEP


@helper("int64(int64, int64)")
def steps(x, count):
    for _ in range(count):
        x = step(x)
    return x
