"""Connect Four positions in bulk: texts by numpy, so that exports are fast; the rest row by row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from connect_four import GAME
from connect_four.board import COLUMNS, ROWS
from evalsmith.games.bulk import Texts, all_fixed, bits_of, row_by_row, texts_of_cells

# The bit of each cell of the text, the top row first; the seventh cell of a column is always empty, and becomes a /.
_BITS = [7 * column + row if column < COLUMNS else 6 for row in reversed(range(ROWS)) for column in range(COLUMNS + 1)]
_CELLS = np.frombuffer(b"-XO", dtype=np.uint8)


def _texts(rows: npt.NDArray[np.uint64]) -> Texts:
    """The rows of the board, the top one first: X began, O replies."""
    mover, enemy = bits_of(rows[:, 0])[:, _BITS], bits_of(rows[:, 1])[:, _BITS]
    second = (np.bitwise_count(rows[:, 0] | rows[:, 1]) % 2 == 1)[:, None]
    cells = _CELLS[np.where(second, 2 * mover + enemy, mover + 2 * enemy)]
    cells[:, COLUMNS :: COLUMNS + 1] = ord("/")
    return texts_of_cells(np.ascontiguousarray(cells[:, :-1]))


BULK = replace(row_by_row(GAME), texts=_texts, fixed_names=all_fixed)
