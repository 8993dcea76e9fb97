"""A game's kernels on many positions in one call."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context, Integers, Words, at, caller, driver, pointer
from evalsmith.games.contract import WORDS, key_of, moves_of
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


@driver("void(int64[::1], uint64[:, ::1], int32[::1], int64[::1], int8[::1])")
def _legal_each(context: Integers, rows: Words, moves: Integers, found: Integers, out: Integers) -> None:
    """Whether the move of every row is among its legal ones; ``found`` has room for those of one position."""
    words = context[WORDS]
    row, first = pointer(context), pointer(rows)
    for i in range(rows.shape[0]):
        count = moves_of(row, at(first, i * words), pointer(found)) if moves[i] >= 0 else 0
        for j in range(count):
            if found[j] == moves[i]:
                out[i] = 1


@functools.lru_cache(32)
def _context(game: Game, evaluation: bool) -> Context:
    """A context that nothing here writes to, so that all calls share it: one position is often asked alone."""
    return game.context(evaluation)


def ask_each(game: Game, slot: int, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """One number of every position: status, mover, result, check or phase, by the slot of the contract."""
    out = np.zeros(len(rows), dtype=np.int64)
    _ask_each(_context(game, True).row, slot, np.ascontiguousarray(rows), out)
    return out


def keys_of(game: Game, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The key of every position."""
    out = np.zeros(len(rows), dtype=np.uint64)
    _keys_of(_context(game, False).row, np.ascontiguousarray(rows), out)
    return out


def legal_each(game: Game, rows: npt.NDArray[np.uint64], moves: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Whether each position has a move that is legal in it; -1 is none."""
    out = np.zeros(len(rows), dtype=np.int8)
    room = np.zeros(game.max_moves, dtype=np.int64)
    _legal_each(_context(game, False).row, np.ascontiguousarray(rows), np.ascontiguousarray(moves), room, out)
    return out.astype(np.bool_)
