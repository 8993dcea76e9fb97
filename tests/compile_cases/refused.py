"""Mistakes that authors of games make in kernels, each with what the error must say. The line is that of the mark."""

# ruff: noqa: RET503

import numpy as np

from evalsmith.compile import helper, kernel, popcount

_1 = np.uint64(1)
LIST = [1, 2, 3]
DICT = {1: 2}


def plain(x):
    return x + 1


@helper("int64(uint64, int64)")
def two(x, y):
    return y


@kernel("int64(words)")
def bare_integer(position):
    return popcount(position[0] + 1)  # HERE uint64 meets a signed number or a bare integer; np.uint64(1)


@kernel("int64(words, int64)")
def signed_value(position, move):
    return popcount(position[0] >> move)  # HERE uint64 meets a signed number; uint64(…)


@kernel("int64(words)")
def division(position):
    return 3 / 2  # HERE a float; divide with //


@kernel("uint64(words)")
def two_types(position):
    word = 0
    if position[0] > _1:
        word = position[1]
    return np.uint64(word)  # HERE a float; give a variable one type


@kernel("int64(words)")
def undefined(position):
    count = 1
    return count + popcount(positon[0])  # noqa: F821  HERE the name positon is not defined; did you mean position?


@kernel("int64(words)")
def unknown(position):
    return zugzwang  # noqa: F821  HERE the name zugzwang is not defined; define it in the module


@kernel("int64(words)")
def a_list(position):
    found = []  # HERE cannot hold a list; compile.scratch
    for i in range(3):
        found.append(i)  # noqa: PERF402
    return len(found)


@kernel("int64(words)")
def list_of_the_module(position):
    return LIST[1]  # HERE LIST is a Python list; np.array


@kernel("int64(words)")
def a_dict(position):
    values = {1: 2}  # HERE cannot hold a dict; numpy array
    return values[1]


@kernel("int64(words)")
def dict_of_the_module(position):
    return DICT[1]  # HERE DICT is a Python dict; np.array


@kernel("int64(words)")
def a_text(position):
    return "abc"  # HERE cannot hold a text; belong to the notation


@kernel("int64(words)")
def texts_of_numbers(position):
    return len(str(position[0]))  # HERE str(…) cannot be compiled; belong to the notation


@kernel("int64(words)")
def printing(position):
    print(position[0])  # HERE print(…) cannot be compiled
    return 1


@kernel("int64(words)")
def too_few_arguments(position):
    return two(position[0])  # HERE two takes 2 arguments (x, y), and gets 1


@kernel("int64(words)")
def row_for_a_word(position):
    return two(position, 3)  # HERE an argument is uint64* where uint64 is expected


@kernel("int64(words)")
def missing_return(position):
    if position[0] == _1:  # HERE may end without a value; add a return
        return 1


@kernel("void(words)")
def needless_return(position):
    return 1  # HERE returns nothing (void)


@kernel("int64(words)")  # HERE takes 2 arguments (position, out); int64(words) has 1
def wrong_signature(position, out):
    return 1


@kernel("int65(words)")  # HERE 'int65(words)' is not a signature; words, integers
def no_signature(position):
    return 1


@kernel("int64(words)")
def plain_function(position):
    return plain(1)  # HERE plain is plain Python; @helper


@kernel("int64(words)")
def new_array(position):
    row = np.zeros(5, dtype=np.int64)  # HERE kernels allocate nothing
    return row[0]


@kernel("int64(words)")
def length_of_a_row(position):
    return len(position)  # HERE a row is a pointer; no length


@kernel("int64(words)")
def slice_of_a_row(position):
    return position[0:2]  # HERE a row is a pointer; no slices


@kernel("int64(words)")
def raising(position):
    if position[0] == _1:
        raise ValueError("no")  # HERE cannot raise
    return 1


@helper("int64(words)")
def broken_helper(position):
    return popcount(positon[0])  # noqa: F821  HERE in broken_helper; did you mean position?


@kernel("int64(words)")
def caller_of_it(position):
    return broken_helper(position)
