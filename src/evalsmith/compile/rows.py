"""Rows without numba: what kernels see of memory when nothing is compiled."""

from __future__ import annotations

import bisect
import threading
import weakref
from typing import Any

import numpy.typing as npt


class Row:
    """A pointer into an array that checks every index: what kernels see when nothing is compiled."""

    __slots__ = ("array", "start")

    def __init__(self, array: npt.NDArray[Any], start: int = 0) -> None:
        self.array, self.start = array.reshape(-1), start

    def _place(self, index: int) -> int:
        place = self.start + int(index)
        if not 0 <= place < self.array.size:
            raise IndexError(f"index {place} is outside a row of {self.array.size}")
        return place

    def __getitem__(self, index: int) -> Any:
        return self.array[self._place(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        self.array[self._place(index)] = value


class _Memory:
    """Finds the array an address points into, as the processor would; the contexts keep the arrays alive."""

    def __init__(self) -> None:
        self.gate = threading.Lock()
        self.starts: list[int] = []
        self.arrays: dict[int, list[weakref.ref[npt.NDArray[Any]]]] = {}

    def remember(self, array: npt.NDArray[Any]) -> None:
        start = array.ctypes.data
        with self.gate:
            if start not in self.arrays:
                bisect.insort(self.starts, start)
            # Several arrays may begin there: one and a part of it, in two contexts.
            others = [known for known in self.arrays.get(start, ()) if known() is not None and known() is not array]
            self.arrays[start] = [*others, weakref.ref(array)]

    def row(self, place: int) -> Row:
        with self.gate:
            for index in range(bisect.bisect_right(self.starts, int(place)) - 1, -1, -1):
                start = self.starts[index]
                for known in reversed(self.arrays[start]):
                    array = known()
                    if array is not None:
                        return Row(array, (int(place) - start) // array.itemsize)
                del self.starts[index], self.arrays[start]
        raise IndexError(f"address {place} points into no array")


MEMORY = _Memory()
