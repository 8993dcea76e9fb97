"""Texts of many positions at once, as bytes one after another: what the writers of all games share.

A writer's kernel fills ``out`` and notes in ``ends[i + 1]`` where the text of row ``i`` ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, helper, int64
from evalsmith.games.bulk.bulk import Rows, Texts

_ZERO = ord("0")
_FITS = np.iinfo(np.int32).max  # where a text begins is an int32


@helper("int64(uint8[::1], int64, int64)")
def write_number(out: Integers, at: int, value: int) -> int:
    """Write a number that is not negative; the place after it."""
    power = int64(1)
    while value // power >= 10:
        power *= 10
    while power > 0:
        out[at] = _ZERO + value // power % 10
        at += 1
        power //= 10
    return at


def texts_by(kernel: Callable[[Any, Any, Any], None], longest: int) -> Callable[[Rows], Texts | None]:
    """The writer that a kernel is, whose texts have at most ``longest`` bytes."""

    def write(rows: Rows) -> Texts | None:
        if len(rows) * longest > _FITS:
            return None
        out = np.empty(len(rows) * longest, dtype=np.uint8)
        ends = np.zeros(len(rows) + 1, dtype=np.int32)
        kernel(np.ascontiguousarray(rows), out, ends)
        return out[: ends[-1]], ends

    return write


def texts_of_cells(cells: npt.NDArray[np.uint8]) -> Texts:
    """Texts that are all equally long, one a row of bytes."""
    ends = np.arange(len(cells) + 1, dtype=np.int32) * np.int32(cells.shape[1])
    return cells.ravel(), ends


def bits_of(boards: Rows) -> npt.NDArray[np.uint8]:
    """The 64 bits of each word as bytes 0 and 1, the lowest first."""
    words = np.ascontiguousarray(boards).astype("<u8", copy=False)
    return np.unpackbits(words.view(np.uint8).reshape(len(boards), 8), axis=1, bitorder="little")
