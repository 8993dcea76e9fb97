"""Hashing of position words: the same key on every machine and in every version."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Word, helper

_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@helper("uint64(uint64, uint64)", inline=True)
def mix(state: Word, word: Word) -> Word:
    """Stir one word into a hash: the finaliser of splitmix64 over their sum."""
    x = (state + _STEP) ^ word
    x = (x ^ (x >> _30)) * _FIRST
    x = (x ^ (x >> _27)) * _SECOND
    return x ^ (x >> _31)


def zobrist(seed: int, *shape: int) -> npt.NDArray[np.uint64]:
    """A table of random words from a seed: splitmix64, so it does not depend on numpy's generators."""
    count = int(np.prod(shape))
    mask = (1 << 64) - 1
    out, state = [], seed
    for _ in range(count):
        state = (state + int(_STEP)) & mask
        x = ((state ^ (state >> 30)) * int(_FIRST)) & mask
        x = ((x ^ (x >> 27)) * int(_SECOND)) & mask
        out.append(x ^ (x >> 31))
    return np.array(out, dtype=np.uint64).reshape(shape)
