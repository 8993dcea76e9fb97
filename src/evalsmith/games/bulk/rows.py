"""A game's kernels on many positions in one call."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, at, caller, driver, pointer
from evalsmith.games.contract import WORDS, key_of
from evalsmith.games.game import Game

_ask = caller("int64(words)")


@driver("void(int64[::1], int64, uint64[:, ::1], int64[::1])")
def _ask_each(context: Integers, slot: int, rows: Words, out: Integers) -> None:
    """The kernel in ``slot``, which asks one number of a position, on every row."""
    words, place = context[WORDS], context[slot]
    first = pointer(rows)
    for i in range(rows.shape[0]):
        out[i] = _ask(place, (at(first, i * words),))


@driver("void(int64[::1], uint64[:, ::1], uint64[::1])")
def _keys_of(context: Integers, rows: Words, out: Words) -> None:
    """The key of every row."""
    words = context[WORDS]
    row, first = pointer(context), pointer(rows)
    for i in range(rows.shape[0]):
        out[i] = key_of(row, at(first, i * words))


def ask_each(game: Game, slot: int, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """One number of every position: status, mover, result, check or phase, by the slot of the contract."""
    out = np.zeros(len(rows), dtype=np.int64)
    _ask_each(game.context(evaluation=True).row, slot, np.ascontiguousarray(rows), out)
    return out


def keys_of(game: Game, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The key of every position."""
    out = np.zeros(len(rows), dtype=np.uint64)
    _keys_of(game.context().row, np.ascontiguousarray(rows), out)
    return out
