"""What compiled code, whoever builds it and whoever loads it agree on: names of symbols, numpy's array in memory."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evalsmith.run.errors import EvalsmithError

if TYPE_CHECKING:
    from evalsmith.compile.kernels import Kernel


@dataclass(frozen=True)
class Code:
    """The object code of a kernel, and the symbols that it needs from outside."""

    binary: bytes
    needs: tuple[str, ...]


# ── Symbols ─────────────────────────────────────────────────────────────────────────────────────

# All symbols of a process share one table in LLVM, and numba enters Python's names there with other meanings (of
# ``PyExc_TypeError`` the class, not the variable that points to it). So every name begins with ours.
OWN = "evalsmith."
TABLE = f"{OWN}table."


def c_entry(entry: Kernel) -> str:
    """The symbol of a kernel's entry for other compiled code."""
    return f"{OWN}c.{entry.identity}"


def python_entry(entry: Kernel) -> str:
    """The symbol of a kernel's entry for Python."""
    return f"{OWN}python.{entry.identity}"


def native_symbol(entry: Kernel) -> str:
    """The symbol of a kernel for kernels that it is linked with."""
    return f"{OWN}native.{entry.identity}"


def table_symbol(name: str) -> str:
    """The symbol of a table."""
    return TABLE + name


def interpreter_symbol(name: str) -> str:
    """The symbol of a function or an object of Python's own."""
    return f"{OWN}interpreter.{name}"


# What the entries use of Python: functions of its C interface, and objects.
PYTHON_FUNCTIONS = (
    "PyErr_Occurred", "PyErr_SetString", "PyEval_RestoreThread", "PyEval_SaveThread", "PyFloat_AsDouble",
    "PyFloat_FromDouble", "PyLong_AsLongLong", "PyLong_AsUnsignedLongLong", "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong", "PyNumber_Index", "PyType_IsSubtype", "Py_DecRef", "Py_IncRef",
)  # fmt: skip
PYTHON_OBJECTS = {
    "None": None,
    "OverflowError": OverflowError,
    "RuntimeError": RuntimeError,
    "TypeError": TypeError,
    "ndarray": np.ndarray,
}


# ── Arrays ──────────────────────────────────────────────────────────────────────────────────────

# Where things are in a ``PyArrayObject`` and in its ``PyArray_Descr``: offsets in bytes.
TYPE, DATA, DIMENSIONS, SHAPE, STRIDES, DTYPE, FLAGS = 8, 16, 24, 32, 40, 56, 64
DTYPE_BYTEORDER, DTYPE_NUMBER = 26, 28
C_CONTIGUOUS, ALIGNED, WRITABLE = 0x1, 0x100, 0x400


def check_arrays() -> None:
    """Refuse a Python or a numpy whose arrays are laid out otherwise; every offset is tried on arrays of two kinds."""
    swapped = np.zeros((2, 3), dtype=">i2" if np.little_endian else "<i2")
    constant = np.zeros((4, 5), dtype=np.float64, order="F")
    constant.setflags(write=False)
    for array in (swapped, constant):
        dtype = array.dtype
        expected = {
            "type": (_read(ctypes.c_void_p, id(array) + TYPE), id(np.ndarray)),
            "data": (_read(ctypes.c_void_p, id(array) + DATA), array.ctypes.data),
            "dimensions": (_read(ctypes.c_int, id(array) + DIMENSIONS), array.ndim),
            "dtype": (_read(ctypes.c_void_p, id(array) + DTYPE), id(dtype)),
            "flags": (_read(ctypes.c_int, id(array) + FLAGS), array.flags.num),
            "byte order": (_read(ctypes.c_char, id(dtype) + DTYPE_BYTEORDER), dtype.byteorder.encode()),
            "type number": (_read(ctypes.c_int, id(dtype) + DTYPE_NUMBER), dtype.num),
        }
        wrong = [name for name, (found, true) in expected.items() if found != true]
        for name, offset, true in (("shape", SHAPE, array.shape), ("strides", STRIDES, array.strides)):
            # Only what is surely a pointer is followed.
            if not wrong and _pair(_read(ctypes.c_void_p, id(array) + offset)) != true:
                wrong.append(name)
        flags = array.flags
        bits = [bool(flags.num & bit) for bit in (C_CONTIGUOUS, ALIGNED, WRITABLE)]
        if bits != [flags.c_contiguous, flags.aligned, flags.writeable]:
            wrong.append("meaning of flags")
        if wrong:
            raise EvalsmithError(
                f"numpy {np.__version__} does not lay out arrays as compiled code expects ({', '.join(wrong)}): "
                "install another version, or run without compiled code (EVALSMITH_COMPILE=0)"
            )


def _read(kind: Any, place: int) -> Any:
    return kind.from_address(place).value


def _pair(place: int) -> tuple[int, ...]:
    return tuple((ctypes.c_int64 * 2).from_address(place))
