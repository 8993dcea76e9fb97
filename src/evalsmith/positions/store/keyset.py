"""A set of 64-bit keys in bounded memory: which positions came before.

It takes at most 256 MB, as much of it as is needed. Of each key 58 bits count: a place, and a 32-bit mark that stands
there; so of a thousand million new keys about one is taken for an old one. Beyond MOST_KEYS it forgets some, so that a
few repeats may pass; ``full`` says so.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, driver, int64
from evalsmith.games.keys import mix

MOST_SLOTS = 1 << 26
MOST_KEYS = MOST_SLOTS // 4 * 3
_WINDOW = 64  # slots looked at before a key takes the place of another
_0, _1 = np.uint64(0), np.uint64(1)
_HIGH = np.uint64(32)


@driver("int64(uint32[::1], uint64[::1], int8[::1])")
def _add(table: Words, keys: Words, fresh: Integers) -> int:
    """Put keys in; ``fresh`` gets 1 for each that was not there. Returns how many slots were filled."""
    mask = np.uint64(table.shape[0] - 1)
    filled = 0
    for i in range(keys.shape[0]):
        word = mix(_0, keys[i])  # numbers of games are keys too, and stand close together
        home = word & mask
        mark = word >> _HIGH
        if mark == _0:
            mark = _1
        fresh[i] = 1
        place, stored = home, 0
        for _ in range(_WINDOW):
            there = np.uint64(table[int64(place)])
            stored = 1 if there == mark else 2 if there == _0 else 0
            if stored != 0:
                break
            place = (place + _1) & mask
        if stored == 1:
            fresh[i] = 0
        elif stored == 2:
            table[int64(place)] = np.uint32(mark)
            filled += 1
        else:
            table[int64(home)] = np.uint32(mark)
    return filled


class KeySet:
    """Keys that came before."""

    def __init__(self, most_slots: int = MOST_SLOTS) -> None:
        # The system gives memory for the pages that are written, so that a small set takes little.
        self._table = np.zeros(most_slots, dtype=np.uint32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def full(self) -> bool:
        """Whether some keys may have been forgotten."""
        return self._count > len(self._table) // 4 * 3

    def add(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Which keys are new, the first of several alike among them; they are remembered."""
        fresh = np.zeros(len(keys), dtype=np.int8)
        self._count += int(_add(self._table, np.ascontiguousarray(keys), fresh))
        return fresh.astype(np.bool_)
