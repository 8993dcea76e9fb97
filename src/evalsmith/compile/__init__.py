"""Everything about compiled code: the only package that imports numba.

Three decorators, each with an explicit signature as text, for instance
``"int64(words, integers)"``:

    kernel    a function of the game contract; it has an address that a context can hold
    helper    compiled, and called by other compiled code
    driver    compiled, and called from Python with arrays; runs without the GIL

A row is a pointer: ``words`` (uint64), ``integers`` (int64), ``indices`` (int32), ``values``
(int16), ``small`` (uint16), ``reals`` (float64). Kernels index rows and never check bounds.

With ``EVALSMITH_COMPILE=0`` nothing is compiled and numba is not imported: the same functions run as
plain Python on rows that check every index. That is for the debugger, for coverage, and for finding
bounds errors.

A decorator registers a function and does no more, so any module is imported cheaply. At its first use, a call from
Python or a question for its address, a function is loaded or compiled; ``load`` does it before a clock starts. What it
calls becomes part of its code.

Compiled code is stored in one folder per room (``cache``), so that a stale kernel cannot run. A lock makes sure
that of several processes that start cold, one compiles and the others wait and load. Only Python sources decide which
folder it is: what a module reads from a data file must reach its kernels through ``table`` or a context.
Loading takes llvmlite alone (``store``, ``memory``); numba is imported when something has to be compiled (``build``).

A trap of numba: a uint64 that meets a bare integer or a signed value becomes an int64 or a float64, and loses its
sign or its low bits. Such a function is refused (``checking``), and whatever numba itself refuses is a KernelError of
one paragraph (``explaining``). ``inspection`` shows the types that numba infers.
"""

from evalsmith.compile.cache import cache_root
from evalsmith.compile.context import Context
from evalsmith.compile.kernels import KERNELS, Kernel, address, driver, helper, kernel, listen, load, place_of
from evalsmith.compile.mode import (
    COMPILED,
    Indices,
    Integers,
    Reals,
    Small,
    Values,
    Word,
    Words,
    int64,
    uint64,
)
from evalsmith.compile.operations import (
    LANES,
    add_lanes,
    at,
    caller,
    clock,
    exchange,
    indices_at,
    integers_at,
    lowest,
    pointer,
    popcount,
    prefetch,
    reals_at,
    scan,
    scan_reverse,
    scratch,
    table,
    values_at,
    volatile,
    words_at,
)
from evalsmith.compile.pages import drop_code
from evalsmith.compile.rows import Row
from evalsmith.compile.slots import Layout, Rows

__all__ = [
    "COMPILED",
    "KERNELS",
    "LANES",
    "Context",
    "Indices",
    "Integers",
    "Kernel",
    "Layout",
    "Reals",
    "Row",
    "Rows",
    "Small",
    "Values",
    "Word",
    "Words",
    "add_lanes",
    "address",
    "at",
    "cache_root",
    "caller",
    "clock",
    "driver",
    "drop_code",
    "exchange",
    "helper",
    "indices_at",
    "int64",
    "integers_at",
    "kernel",
    "listen",
    "load",
    "lowest",
    "place_of",
    "pointer",
    "popcount",
    "prefetch",
    "reals_at",
    "scan",
    "scan_reverse",
    "scratch",
    "table",
    "uint64",
    "values_at",
    "volatile",
    "words_at",
]
