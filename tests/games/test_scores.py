"""Whether a score is a proven win or loss: one answer for the search, the protocols and the terminal."""

from __future__ import annotations

import numpy as np
import pytest

from evalsmith.compile import Integers, driver, pointer
from evalsmith.engine import values
from evalsmith.games import contract
from evalsmith.games.scores import INFINITE, MAX_DISTANCE, decided_above, is_decided


@driver("int64(int64[::1])")
def compiled(context: Integers) -> int:
    return values.decided_above(pointer(context))


@pytest.mark.parametrize("win", [0, 1, 2, 100, 511, 512, 513, 10_000, 30_000])
def test_the_compiled_function_gives_the_same(win: int) -> None:
    row = np.zeros(contract.CONTEXT_SIZE, dtype=np.int64)
    row[contract.WIN_VALUE] = win
    assert compiled(row) == decided_above(win)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_win_is_decided_as_long_as_it_is_near(sign: int) -> None:
    assert is_decided(sign * (30_000 - 1), 30_000)
    assert is_decided(sign * (30_000 - MAX_DISTANCE + 1), 30_000)
    assert not is_decided(sign * (30_000 - MAX_DISTANCE), 30_000)


def test_a_small_win_leaves_room_for_evaluations() -> None:
    assert is_decided(51, 100)
    assert not is_decided(50, 100)


def test_no_margin_is_decided() -> None:
    assert not is_decided(6400, 0)
    assert not is_decided(INFINITE, 0)
