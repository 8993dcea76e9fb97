"""Othello positions in bulk: every word is stored, and the square has seven other images."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games.bulk.boards import mirror_files, mirror_ranks, transpose
from evalsmith.games.bulk.bulk import Bulk, Rows, Texts, all_fixed, verdict
from evalsmith.games.bulk.writing import bits_of, texts_of_cells

_CELLS = np.frombuffer(b"-XO", dtype=np.uint8)


def _restore(rows: Rows) -> None:
    """Nothing is derived."""


def _judge(rows: Rows) -> npt.NDArray[np.uint8]:
    """No square has two discs."""
    return verdict(((rows[:, 0] & rows[:, 1]) == 0) & (rows[:, 2] <= 1))


def _images(rows: Rows) -> list[Rows]:
    changes = (
        mirror_files,
        mirror_ranks,
        lambda boards: mirror_files(mirror_ranks(boards)),
        transpose,
        lambda boards: mirror_files(mirror_ranks(transpose(boards))),
        lambda boards: mirror_files(transpose(boards)),
        lambda boards: mirror_ranks(transpose(boards)),
    )
    found = []
    for change in changes:
        image = rows.copy()
        image[:, :2] = change(rows[:, :2])
        found.append(image)
    return found


def _plies(rows: Rows) -> npt.NDArray[np.int64]:
    """Discs beyond the first four; passes leave no trace."""
    return np.bitwise_count(rows[:, 0] | rows[:, 1]).astype(np.int64) - 4


def _texts(rows: Rows) -> Texts:
    """The 64 cells and the side to move."""
    white = (rows[:, 2] != 0)[:, None]
    own, other = bits_of(rows[:, 0]), bits_of(rows[:, 1])
    cells = np.empty((len(rows), 66), dtype=np.uint8)
    cells[:, :64] = _CELLS[np.where(white, 2 * own + other, own + 2 * other)]
    cells[:, 64], cells[:, 65] = ord(" "), _CELLS[1 + white[:, 0]]
    return texts_of_cells(cells)


BULK = Bulk((0, 1, 2), _restore, _judge, _images, _plies, _texts, all_fixed)
