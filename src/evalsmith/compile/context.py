"""The context: one row of numbers and addresses that compiled code reads its surroundings from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile.kernels import address
from evalsmith.compile.mode import COMPILED
from evalsmith.compile.rows import MEMORY


class Context:
    """One row of int64 words that compiled code reads its surroundings from.

    A word is a number, the address of a kernel, or the address of an array; the context keeps the
    arrays alive. Python reads counters from ``row`` while kernels run.
    """

    def __init__(self, size: int) -> None:
        self.row: npt.NDArray[np.int64] = np.zeros(size, dtype=np.int64)
        self.arrays: dict[int, npt.NDArray[Any]] = {}

    def bind(self, slot: int, function: Callable[..., Any]) -> None:
        """Put the address of a kernel into a slot."""
        self.row[slot] = address(function)

    def attach(self, slot: int, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Put the address of an array into a slot, and keep the array."""
        if not array.flags.c_contiguous:
            raise ValueError("only contiguous arrays can stand in a context")
        self.arrays[slot] = array
        self.row[slot] = array.ctypes.data
        if not COMPILED:
            MEMORY.remember(array)
        return array

    @property
    def bytes(self) -> int:
        """How much memory the attached arrays take."""
        return sum(array.nbytes for array in self.arrays.values())
