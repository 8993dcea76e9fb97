"""Pieces in hand as kernels read them."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Words, helper, int64, table
from evalsmith.games.shogi.squares import HAND_BITS, HAND_SHIFT, HANDS

_shifts = table("shogi.hand_shifts", np.array([HAND_SHIFT.get(kind, 0) for kind in range(8)], dtype=np.uint64))
_masks = table("shogi.hand_masks", np.array([(1 << HAND_BITS.get(k, 0)) - 1 for k in range(8)], dtype=np.uint64))


@helper("int64(words, int64, int64)", inline=True)
def in_hand(position: Words, side: int, kind: int) -> int:
    """How many of a kind a side holds."""
    shift = _shifts()[kind] + np.uint64(32 * side)
    return int64((position[HANDS] >> shift) & _masks()[kind])
