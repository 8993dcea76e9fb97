"""Slots of a context: numbers and rows, declared once, and the same whether compiled or not."""

from __future__ import annotations

import numpy as np
import pytest

from evalsmith.compile import Context, Integers, Layout, driver, pointer

_layout = Layout(first=1, end=6)
LENGTH = _layout.number()
words = _layout.rows("words", 3)
integers = _layout.rows("integers", length_in=LENGTH)
reals = _layout.rows("reals")


@driver("int64(int64[::1], int64, int64)")
def read(given: Integers, row: int, place: int) -> int:
    context = pointer(given)
    integers(context)[0] += 1
    return integers(context, row)[place]


def context() -> Context:
    made = Context(8)
    made.row[LENGTH] = 4
    integers.allocate(made, 5)
    integers.of(made)[:] = np.arange(20).reshape(5, 4)
    return made


def test_slots_are_given_out_one_after_another() -> None:
    assert (LENGTH, words.slot, integers.slot, reals.slot) == (1, 2, 3, 4)


def test_a_kernel_sees_the_rows_that_python_sees() -> None:
    made = context()
    assert [read(made.row, row, place) for row in range(1, 5) for place in range(4)] == list(range(4, 20))
    assert integers.of(made)[0, 0] == 16  # counted by the kernel


def test_rows_have_their_length_and_type() -> None:
    made = context()
    words.allocate(made, 2, fill=7)
    assert words.of(made).tolist() == [[7, 7, 7], [7, 7, 7]]
    assert made.arrays[words.slot].dtype == np.uint64


def test_an_array_of_another_type_is_refused() -> None:
    with pytest.raises(ValueError, match="these rows are float64, not int64"):
        reals.attach(context(), np.zeros(3, dtype=np.int64))


def test_a_full_layout_is_refused() -> None:
    full = Layout(first=7, end=8)
    full.number()
    with pytest.raises(ValueError, match="slots below 8 only"):
        full.number()
