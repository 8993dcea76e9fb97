"""Operations that kernels are written with, as plain Python; ``intrinsics`` gives numba the code of each."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile.mode import DTYPES, Indices, Integers, Reals, Values, Word, Words
from evalsmith.compile.rows import MEMORY, Row


def popcount(x: Word) -> int:
    """How many bits are set."""
    return int(x).bit_count()


def lowest(x: Word) -> Word:
    """The lowest set bit alone; 0 for 0."""
    return np.uint64(int(x) & -int(x))


def scan(x: Word) -> int:
    """The number of the lowest set bit; 64 for 0."""
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


def scan_reverse(x: Word) -> int:
    """The number of the highest set bit; -1 for 0."""
    return int(x).bit_length() - 1


def clock() -> int:
    """Nanoseconds of a clock that never goes back."""
    return time.monotonic_ns()


def volatile(row: Integers, index: int) -> int:
    """A word that another thread may write, read from memory each time."""
    return int(row[index])


def exchange(row: Integers, index: int, old: int, new: int) -> int:
    """Put ``new`` in the place of ``old`` before another thread can; 0 if something else stood there by then.

    What was written before is seen by whoever sees ``new``.
    """
    with _EXCHANGES:
        if int(row[index]) != int(old):
            return 0
        row[index] = new
        return 1


_EXCHANGES = threading.Lock()

LANES = 8
"""How many sums ``add_lanes`` adds to at once."""


def add_lanes(sums: Indices, row: Values, factor: int) -> None:
    """Add so many times eight int16 to eight int32, in vector instructions.

    numba calculates with 64 bits, which is half as quick here; what does not fit into 32 is lost.
    """
    for i in range(LANES):
        sums[i] = int(sums[i]) + int(factor) * int(row[i])


def prefetch(row: Words, index: int) -> None:
    """Have the processor fetch a word that will be read soon; nothing else changes."""


def pointer(array: Any) -> Any:
    """The row that an array's memory is."""
    return Row(array)


def at(row: Any, offset: int) -> Any:
    """The row that begins ``offset`` places further on."""
    return Row(row.array, row.start + int(offset))


def words_at(place: int) -> Words:
    """The row of uint64 at an address taken from a context."""
    return MEMORY.row(place)


def integers_at(place: int) -> Integers:
    """The row of int64 at an address taken from a context."""
    return MEMORY.row(place)


def indices_at(place: int) -> Indices:
    """The row of int32 at an address taken from a context."""
    return MEMORY.row(place)


def values_at(place: int) -> Values:
    """The row of int16 at an address taken from a context."""
    return MEMORY.row(place)


def reals_at(place: int) -> Reals:
    """The row of float64 at an address taken from a context."""
    return MEMORY.row(place)


# ── Operations that a module makes for itself ───────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Caller:
    """What ``caller`` gives."""

    signature: str

    def __call__(self, place: int, arguments: tuple[Any, ...]) -> Any:
        """Call the function at an address."""
        return FUNCTIONS[int(place)](*arguments)


@dataclass(frozen=True, eq=False)
class Table:
    """What ``table`` gives."""

    name: str
    array: npt.NDArray[Any]

    def __call__(self) -> Any:
        """The row of the table."""
        return Row(self.array)


@dataclass(frozen=True, eq=False)
class Scratch:
    """What ``scratch`` gives."""

    kind: str
    size: int

    def __call__(self) -> Any:
        """A row of its own for each call."""
        return Row(np.zeros(self.size, dtype=DTYPES[self.kind]))


def caller(signature: str) -> Any:
    """A function that calls what stands at an address: ``call(address, (argument, …))``."""
    return Caller(signature)


def table(name: str, array: npt.NDArray[Any]) -> Any:
    """Give kernels a constant array, however large.

    After ``squares = table("chess.squares", …)`` a kernel reads ``squares()[i]``.

    Compiled code refers to it by name and finds it when it is loaded, so the numbers are not part of the
    cached code. Names are unique in a process: begin them with the game's.
    """
    if name in TABLES:
        raise ValueError(f"two tables are named {name}")
    array = np.ascontiguousarray(array)
    array.setflags(write=False)
    TABLES[name] = made = Table(name, array)
    return made


def scratch(kind: str, size: int) -> Any:
    """Give a function a small work row on its stack.

    After ``buffer = scratch("small", 64)`` the function calls ``buffer()`` for its row.

    The contents are undefined. Not for recursive functions or loops: each call takes new space.
    """
    return Scratch(kind, size)


TABLES: dict[str, Table] = {}

# The functions whose addresses stand in contexts while nothing is compiled: an address is an id then.
FUNCTIONS: dict[int, Callable[..., Any]] = {}
