"""Othello positions in bulk: every word is stored, and the square has seven other images."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games.bulk.boards import mirror_files, mirror_ranks, transpose
from evalsmith.games.bulk.bulk import Bulk, Rows, verdict


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


BULK = Bulk((0, 1, 2), _restore, _judge, _images, _plies)
