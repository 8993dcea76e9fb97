"""What compiled code, whoever builds it and whoever loads it agree on: names of symbols, numpy's array in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalsmith.compile.kernels import Kernel

ARRAY_TYPE = "evalsmith.ndarray"


def c_entry(entry: Kernel) -> str:
    """The symbol of a kernel's entry for other compiled code."""
    return f"evalsmith.c.{entry.identity}"


def python_entry(entry: Kernel) -> str:
    """The symbol of a kernel's entry for Python."""
    return f"evalsmith.python.{entry.identity}"


def native_symbol(entry: Kernel) -> str:
    """The symbol of a kernel for kernels that it is linked with."""
    return f"evalsmith.native.{entry.identity}"


def table_symbol(name: str) -> str:
    """The symbol of a table."""
    return f"evalsmith.table.{name}"


# What the entries call of Python's own.
PYTHON_SYMBOLS = (
    "PyErr_Occurred", "PyErr_SetString", "PyEval_RestoreThread", "PyEval_SaveThread", "PyExc_RuntimeError",
    "PyExc_TypeError", "PyFloat_AsDouble", "PyFloat_FromDouble", "PyLong_AsUnsignedLongLongMask",
    "PyLong_FromLongLong", "PyLong_FromUnsignedLongLong", "PyType_IsSubtype", "_Py_NoneStruct", "Py_IncRef",
)  # fmt: skip

# Where things are in a ``PyArrayObject`` and in its ``PyArray_Descr``: offsets in bytes.
TYPE, DATA, DIMENSIONS, SHAPE, STRIDES, DTYPE, FLAGS = 8, 16, 24, 32, 40, 56, 64
DTYPE_BYTEORDER, DTYPE_NUMBER = 26, 28
C_CONTIGUOUS, ALIGNED, WRITABLE = 0x1, 0x100, 0x400
