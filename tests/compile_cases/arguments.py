"""Drivers for every kind of argument and of result."""

from __future__ import annotations

from evalsmith.compile import driver
from evalsmith.compile.mode import DTYPES

NUMBERS = ("int64", "uint64", "int32", "uint32", "int16", "uint16", "int8", "uint8", "float64", "float32")
ROWS = {name: kind.__name__ for name, kind in DTYPES.items()}


def _same(x):
    return x


def _list(array, out):
    """The length, and the sum of all elements."""
    out[0] = len(array)
    for i in range(len(array)):
        out[1] += array[i]


def _grid(array, out):
    """The two lengths, and the sum of all elements."""
    out[0], out[1] = array.shape
    for i in range(array.shape[0]):
        for j in range(array.shape[1]):
            out[2] += array[i, j]


def _row(row, count, out):
    """The sum of the first elements."""
    for i in range(count):
        out[0] += row[i]


same = {kind: driver(f"{kind}({kind})")(_same) for kind in NUMBERS}
lists = {kind: driver(f"void({kind}[::1], float64[::1])")(_list) for kind in NUMBERS}
grids = {kind: driver(f"void({kind}[:, ::1], float64[::1])")(_grid) for kind in NUMBERS}
rows = {kind: driver(f"void({kind}, int64, float64[::1])")(_row) for kind in ROWS}
