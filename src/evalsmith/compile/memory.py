"""Compiled code in memory: object code becomes a function that Python calls. It takes llvmlite alone.

Nothing that is loaded is ever given back. While the interpreter ends, other threads may still run a kernel, and Python
still looks into the function objects: so code, tables and definitions outlive the modules that made them.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm

from evalsmith.compile.layout import (
    PYTHON_FUNCTIONS,
    PYTHON_OBJECTS,
    c_entry,
    check_arrays,
    interpreter_symbol,
    python_entry,
    table_symbol,
)
from evalsmith.compile.operations import TABLES

if TYPE_CHECKING:
    from evalsmith.compile.kernels import Kernel
    from evalsmith.compile.layout import Code


class _Method(ctypes.Structure):
    """Python's ``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


_VECTOR_CALL = 0x80  # METH_FASTCALL
# Prototypes of our own: those of ``ctypes.pythonapi`` belong to everybody.
_new_function = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Method), ctypes.c_void_p, ctypes.c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)
_increment = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", ctypes.pythonapi))
_known_tables: set[str] = set()


@functools.cache
def _engine() -> Any:
    check_arrays()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    for name in PYTHON_FUNCTIONS:
        function = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p)
        llvm.add_symbol(interpreter_symbol(name), function.value)
    for name, thing in PYTHON_OBJECTS.items():
        llvm.add_symbol(interpreter_symbol(name), id(_forever(thing)))
    return _forever(llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine))


def _missing(code: Code) -> list[str]:
    """What code needs and the process does not have."""
    _engine()
    for name in TABLES.keys() - _known_tables:
        llvm.add_symbol(table_symbol(name), _forever(TABLES[name].array).ctypes.data)
        _known_tables.add(name)
    return [name for name in code.needs if llvm.address_of_symbol(name) is None]


def loadable(code: Code) -> bool:
    """Whether the process has all that code needs."""
    return not _missing(code)


def load(entry: Kernel, code: Code) -> tuple[Callable[..., Any], int]:
    """The kernel as Python calls it, and its address."""
    if missing := _missing(code):  # LLVM would end the process
        raise RuntimeError(f"{entry.name} needs {', '.join(missing)}, which this process does not have")
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(_forever(code.binary)))
    engine.finalize_object()
    called = engine.get_function_address(python_entry(entry))
    address = engine.get_function_address(c_entry(entry)) if entry.kind == "kernel" else called
    method = _forever(_Method(entry.function.__name__.encode(), called, _VECTOR_CALL, None))
    return _new_function(ctypes.byref(method), None, None), address


def _forever(thing: Any) -> Any:
    """The same object, with a reference that nobody gives back."""
    _increment(thing)
    return thing
