"""Blocks of three by three cells: a weight for each way to fill one, so that a fit finds what no term names."""

from __future__ import annotations

import numpy as np

from connect_four.board import COLUMNS, ROWS
from evalsmith.compile import Word, helper, int64, uint64

SIDE = 3  # a block is so many columns by so many rows
PLACES, HEIGHTS = COLUMNS - SIDE + 1, ROWS - SIDE + 1  # where its leftmost column and its lowest row can be
_MIDDLE = PLACES // 2
# Stones lie on one another, so a column of a block is some stones from below: 1 + 2 + 4 + 8 states.
_COLUMN_STATES = 2 ** (SIDE + 1) - 1
_STATES = _COLUMN_STATES**SIDE
BLOCKS = (_MIDDLE + 1) * HEIGHTS * _STATES
_PART = np.uint64(2**SIDE - 1)


@helper("int64(uint64, uint64, int64, int64)", inline=True)
def _column_state(stones: Word, first: Word, column: int, row: int) -> int:
    """A column of a block from ``row`` up: its stones as 1, 11 or 111 in binary, and X's among them once more."""
    low = uint64(7 * column + row)
    return int64((stones >> low & _PART) + (first >> low & _PART))


@helper("int64(uint64, uint64, int64, int64)")
def block(stones: Word, first: Word, column: int, row: int) -> int:
    """The index of a block by its lowest left cell, the same for its mirror image; -1 if it is empty.

    ``first`` are X's stones among all ``stones``.
    """
    rightwards = leftwards = 0
    for k in range(SIDE):
        rightwards = _COLUMN_STATES * rightwards + _column_state(stones, first, column + k, row)
        leftwards = _COLUMN_STATES * leftwards + _column_state(stones, first, column + SIDE - 1 - k, row)
    if rightwards == 0:
        return -1
    mirrored = column > _MIDDLE or (column == _MIDDLE and leftwards < rightwards)
    state = leftwards if mirrored else rightwards
    return _STATES * (HEIGHTS * min(column, PLACES - 1 - column) + row) + state


def block_name(index: int) -> str:
    """The block of an index, its rows from the top: ``-O-/-X-/OO- on b2–d4``."""
    place, state = divmod(index, _STATES)
    column, row = divmod(place, HEIGHTS)
    columns = [_column_text(state // _COLUMN_STATES ** (SIDE - 1 - k) % _COLUMN_STATES) for k in range(SIDE)]
    rows = "/".join("".join(cells) for cells in zip(*columns, strict=True))
    corners = "–".join(f"{'abcdefg'[column + k]}{row + k + 1}" for k in (0, SIDE - 1))
    return f"{rows} on {corners} or its mirror image"


def _column_text(state: int) -> str:
    """A column of a block, the top cell first."""
    count = (state + 1).bit_length() - 1
    first = state + 1 - 2**count
    return "".join("OX"[first >> k & 1] for k in reversed(range(count))).rjust(SIDE, "-")
