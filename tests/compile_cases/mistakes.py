"""The mistakes that the type test looks for, and the same made right."""

from evalsmith.compile import helper, int64, uint64

ONE = uint64(1)


@helper("uint64(uint64)")
def bare(x):
    return uint64(x + 1)


@helper("uint64(uint64, int64)")
def signed(x, n):
    x ^= n
    return uint64(x)


@helper("uint64(uint64)")
def joined(x):
    word = 0
    if x > ONE:
        word = x
    return uint64(word)


@helper("uint64(uint64, uint64)")
def divided(x, y):
    return uint64(x / y)


@helper("uint64(uint64, int64)")
def clean(x, n):
    word = uint64(0)
    if int64(x) > n:
        word = x ^ uint64(n)
    return word + ONE
