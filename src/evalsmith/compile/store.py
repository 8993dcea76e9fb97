"""Compiled code in files and in memory: loaded if it is stored, else built by one process while others wait.

Loading takes llvmlite alone. A file holds the object code of one kernel behind a digest of it, so that one that was
damaged or cut off is built again.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numpy as np

from evalsmith.compile.cache import room_folder
from evalsmith.compile.layout import ARRAY_TYPE, PYTHON_SYMBOLS, c_entry, python_entry, table_symbol
from evalsmith.compile.operations import TABLES
from evalsmith.run.errors import OutputError
from evalsmith.run.locks import FileLock

if TYPE_CHECKING:
    from evalsmith.compile.kernels import Kernel

_DIGEST = 16


def compiled_code(entry: Kernel) -> tuple[Callable[..., Any], int]:
    """The kernel as Python calls it, and its address."""
    source = Path(entry.function.__code__.co_filename)
    if not source.is_file():  # typed at a prompt: nothing to name a folder by
        return _load(entry, _build(entry))
    folder = room_folder(source, (metadata.version("numba"), _processor()))
    file = folder / f"{entry.identity}.o"
    code = _read(file)
    if code is None:
        with FileLock(folder / ".lock"):
            code = _read(file)  # another process may have been faster
            if code is None:
                code = _build(entry)
                _write(file, code)
    return _load(entry, code)


def _build(entry: Kernel) -> bytes:
    from evalsmith.compile.build import object_code  # numba comes with it
    from evalsmith.compile.kernels import announce

    announce(entry)
    return object_code(entry)


# ── Files ───────────────────────────────────────────────────────────────────────────────────────


def _read(file: Path) -> bytes | None:
    """The code that a file holds; None if there is none, or not all of it."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    digest, code = content[:_DIGEST], content[_DIGEST:]
    return code if digest == _digest(code) else None


def _write(file: Path, code: bytes) -> None:
    temporary = file.with_suffix(".part")
    try:
        temporary.write_bytes(_digest(code) + code)
        temporary.replace(file)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise OutputError(f"cannot write {file}: {error.strerror}") from None


def _digest(code: bytes) -> bytes:
    return hashlib.blake2b(code, digest_size=_DIGEST).digest()


@functools.cache
def _processor() -> str:
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_host_cpu_name()} {features}"


# ── Memory ──────────────────────────────────────────────────────────────────────────────────────


class _Method(ctypes.Structure):
    """Python's ``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


_VECTOR_CALL = 0x80  # METH_FASTCALL
_alive: list[Any] = []  # what Python's function objects and LLVM point to
_known_tables: set[str] = set()


@functools.cache
def _engine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    for name in PYTHON_SYMBOLS:
        llvm.add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
    llvm.add_symbol(ARRAY_TYPE, id(np.ndarray))
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def _load(entry: Kernel, code: bytes) -> tuple[Callable[..., Any], int]:
    engine = _engine()
    for name in TABLES.keys() - _known_tables:
        llvm.add_symbol(table_symbol(name), TABLES[name].array.ctypes.data)
        _known_tables.add(name)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    called = engine.get_function_address(python_entry(entry))
    address = engine.get_function_address(c_entry(entry)) if entry.kind == "kernel" else called
    method = _Method(entry.function.__name__.encode(), called, _VECTOR_CALL, None)
    _alive.append((method, code))
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.argtypes, make.restype = (ctypes.POINTER(_Method), ctypes.c_void_p, ctypes.c_void_p), ctypes.py_object
    return make(ctypes.byref(method), None, None), address
