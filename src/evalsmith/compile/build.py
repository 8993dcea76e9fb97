"""Compiled functions: from the cache if they are there, else made by one process while others wait."""

from __future__ import annotations

import contextlib
import functools
import warnings
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core.errors import NumbaWarning

from evalsmith.compile.cache import room_folder
from evalsmith.compile.intrinsics import table_symbol
from evalsmith.compile.kernels import Kernel, announce
from evalsmith.compile.operations import TABLES
from evalsmith.compile.signatures import numba_signature
from evalsmith.run.locks import FileLock


def compile_kernel(entry: Kernel) -> Any:
    """The compiled form of a function, from the cache if it is there."""
    options: dict[str, Any] = {"error_model": "numpy", "cache": True, "forceinline": entry.inline}
    signature = numba_signature(entry.signature)
    source = Path(entry.function.__code__.co_filename)
    if not source.is_file():  # typed at a prompt: nothing to name a folder by
        return _build(entry, signature, options | {"cache": False})
    folder = room_folder(source, (numba.__version__, _processor()))
    built = _load(entry, signature, options, folder)
    if built is None:
        with FileLock(folder / ".lock"):
            built = _load(entry, signature, options, folder)  # another process may have been faster
            if built is None:
                _drop(entry, folder)
                announce(entry)
                built = _build(entry, signature, options, folder)
                _mark(entry, folder).touch()
    return built


@functools.cache
def _processor() -> str:
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_host_cpu_name()} {features}"


def _mark(entry: Kernel, folder: Path) -> Path:
    """The file that says that a function is in its folder, whole."""
    return folder / f"{entry.name}.{entry.function.__code__.co_firstlineno}.done"


def _load(entry: Kernel, signature: Any, options: dict[str, Any], folder: Path) -> Any:
    """The function from its folder; None where it must be compiled, be it that its file is damaged."""
    if _mark(entry, folder).exists():
        with contextlib.suppress(Exception):
            return _build(entry, signature, options, folder)
    return None


def _drop(entry: Kernel, folder: Path) -> None:
    """Remove what a killed process or a damaged disk left of a function, by the names numba gives its files."""
    _mark(entry, folder).unlink(missing_ok=True)
    for file in folder.rglob(f"*.{entry.function.__qualname__}-{entry.function.__code__.co_firstlineno}.*"):
        file.unlink(missing_ok=True)


def _build(entry: Kernel, signature: Any, options: dict[str, Any], folder: Path | None = None) -> Any:
    for name in TABLES.keys() - _found:
        llvm.add_symbol(table_symbol(name), TABLES[name].array.ctypes.data)
        _found.add(name)
    setattr(numba.config, "CACHE_DIR", str(folder or ""))  # noqa: B010  (the module makes its names at run time)
    with warnings.catch_warnings():
        warnings.simplefilter("error", NumbaWarning)
        if entry.kind == "kernel":
            return numba.cfunc(signature, **options)(entry.function)
        built = numba.njit(signature, nogil=True, **options)(entry.function)
    # A second version, for the constant alone, is what the call in the cached code could not find again.
    if len(built.signatures) > 1:
        raise ValueError(
            f"{entry.name} calls itself with a constant, {built.signatures[0]} for {entry.signature}: "
            "numba could not load it from its cache; write int64(1) for 1"
        )
    return built


# The tables that compiled code finds by their names.
_found: set[str] = set()
