"""The slots of a context, declared once: numbers, and arrays with the type and the length of their rows.

    layout = Layout(first=64, end=128)
    NODES = layout.number()                                # kernels read context[NODES]
    moves = layout.rows("integers", length_in=MAX_MOVES)   # kernels call moves(context, ply) for a row

A row's length is a number, or the slot of the context that holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile.context import Context
from evalsmith.compile.mode import DTYPES, Integers
from evalsmith.compile.rows import MEMORY


@dataclass(frozen=True, eq=False)
class Rows:
    """An array of a context, as rows of one type and length."""

    slot: int
    kind: str
    length: int
    length_in: int | None

    def __call__(self, context: Integers, index: int = 0) -> Any:
        """Row number ``index``, inside a kernel."""
        start = int(index) * self._length(context)
        return MEMORY.row(int(context[self.slot]) + start * np.dtype(DTYPES[self.kind]).itemsize)

    def _length(self, context: Integers) -> int:
        return self.length if self.length_in is None else int(context[self.length_in])

    def allocate(self, context: Context, count: int = 1, fill: int = 0) -> None:
        """Attach a new array of ``count`` rows."""
        size = count * self._length(context.row)
        context.attach(self.slot, np.full(size, fill, dtype=DTYPES[self.kind]))

    def attach(self, context: Context, array: npt.NDArray[Any]) -> None:
        """Attach an array, which other contexts may share."""
        if array.dtype != DTYPES[self.kind]:
            raise ValueError(f"these rows are {np.dtype(DTYPES[self.kind])}, not {array.dtype}")
        context.attach(self.slot, array)

    def of(self, context: Context) -> npt.NDArray[Any]:
        """The array, one row after another: a view that Python reads and writes."""
        array = context.arrays[self.slot].reshape(-1)
        length = self._length(context.row)
        return array[: array.size // length * length].reshape(-1, length)


class Layout:
    """Gives out the slots from ``first`` on, before ``end``."""

    def __init__(self, first: int, end: int) -> None:
        self.next, self.end = first, end

    def _take(self) -> int:
        if self.next >= self.end:
            raise ValueError(f"a context has slots below {self.end} only")
        self.next += 1
        return self.next - 1

    def number(self) -> int:
        """A slot that holds a number."""
        return self._take()

    def rows(self, kind: str, length: int = 1, *, length_in: int | None = None) -> Rows:
        """A slot that holds the address of an array; ``length_in`` is the slot that holds the length of a row."""
        return Rows(self._take(), kind, length, length_in)
