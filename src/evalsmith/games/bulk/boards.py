"""Bitboards of 64 squares in bulk: mirrored, turned, and their bits moved anywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalsmith.games.bulk.bulk import Rows

_LAST = 255


def mirror_files(boards: Rows) -> Rows:
    """Every row of eight squares backwards."""
    for mask, shift in ((0x5555555555555555, 1), (0x3333333333333333, 2), (0x0F0F0F0F0F0F0F0F, 4)):
        kept, by = np.uint64(mask), np.uint64(shift)
        boards = ((boards >> by) & kept) | ((boards & kept) << by)
    return boards


def mirror_ranks(boards: Rows) -> Rows:
    """The rows of eight squares in the other order."""
    return boards.byteswap()


def transpose(boards: Rows) -> Rows:
    """Rows become columns: the main diagonal stays."""
    for mask, shift in ((0x00AA00AA00AA00AA, 7), (0x0000CCCC0000CCCC, 14), (0x00000000F0F0F0F0, 28)):
        moved = (boards ^ (boards >> np.uint64(shift))) & np.uint64(mask)
        boards = boards ^ moved ^ (moved << np.uint64(shift))
    return boards


def permuted(boards: Rows, places: Sequence[int]) -> Rows:
    """Bit ``i`` of every word becomes bit ``places[i]``; a place of -1 drops it."""
    moved = np.zeros_like(boards)
    for byte in range(8):
        table = np.zeros(256, dtype=np.uint64)
        for bit in range(8):
            place = places[8 * byte + bit]
            if place >= 0:
                table[np.arange(256) >> bit & 1 == 1] |= np.uint64(1 << place)
        moved |= table[(boards >> np.uint64(8 * byte)) & np.uint64(_LAST)]
    return moved
