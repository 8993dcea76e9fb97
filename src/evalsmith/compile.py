"""Everything about compiled code: the only module that imports numba.

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

Compiled code is kept in one folder per room (``run/kept.py``), so that a stale kernel cannot run. A lock makes sure
that of several processes that start cold, one compiles and the others wait and load. Only Python sources decide which
folder it is: what a module reads from a data file must reach its kernels through ``table`` or a context.

Two traps of numba. A uint64 that meets a bare integer or a signed value becomes an int64 or a float64, and loses its
sign or its low bits: ``inferred_types`` and ``mixed_operations`` show it. A function that calls itself with a constant
(``f(n - 1, 1)``) can be compiled but not loaded from the cache, which ends the process: it is refused when it is
compiled, and ``int64(1)`` mends it.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import os
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from evalsmith.run.kept import room_folder
from evalsmith.run.locks import FileLock

COMPILED = os.environ.get("EVALSMITH_COMPILE", "1") != "0"

# What a type checker sees of rows and words inside kernels. They are pointers and machine words when
# compiled, checked rows and numpy scalars when not, so no single Python type is true of them.
Words: TypeAlias = Any
Integers: TypeAlias = Any
Indices: TypeAlias = Any
Values: TypeAlias = Any
Small: TypeAlias = Any
Reals: TypeAlias = Any
Word: TypeAlias = Any

# Conversions inside kernels: what comes out is a machine integer, whatever a type checker thinks of numpy's scalars.
int64: Any = np.int64
uint64: Any = np.uint64

F = TypeVar("F", bound=Callable[..., Any])

_DTYPES = {
    "words": np.uint64,
    "integers": np.int64,
    "indices": np.int32,
    "values": np.int16,
    "small": np.uint16,
    "reals": np.float64,
}

if COMPILED:
    # numba looks for scipy, for linear algebra inside kernels. We have none there, and scipy would add a third to the
    # start of every command: so while numba loads, there is no scipy.
    _scipy_is_new = sys.modules.setdefault("scipy", None) is None  # type: ignore[arg-type]
    import numba.np.arraymath

    if _scipy_is_new:
        del sys.modules["scipy"]
    import llvmlite.binding as llvm
    import numba
    import numba.types
    from llvmlite import ir
    from numba.core import compiler, compiler_machinery
    from numba.core.errors import NumbaWarning
    from numba.extending import intrinsic

    types: Any = numba.types
    _TYPES: dict[str, Any] = {name: types.CPointer(getattr(types, d.__name__)) for name, d in _DTYPES.items()}
    _TYPES |= {
        name: getattr(types, name)
        for name in (
            "int64", "uint64", "int32", "uint32", "int16", "uint16", "uint8", "int8", "float64", "float32", "void",
        )
    }  # fmt: skip
else:
    # Wrapping is what the compiled words do, so numpy must not warn of it.
    np.seterr(over="ignore")


# ── The decorators ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Kernel:
    """A compiled function, as the warm-up and the type test see it."""

    kind: str
    function: Callable[..., Any]
    signature: str
    floats: bool
    inline: bool

    @property
    def name(self) -> str:
        """Where the function stands, for messages."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


KERNELS: list[Kernel] = []


def kernel(signature: str, *, floats: bool = False) -> Callable[[F], F]:
    """A function of the game contract; ``address`` gives what a context holds of it."""
    # Inlined into the C entry around it, which numba otherwise reaches by a second call.
    return _decorator("kernel", signature, floats, inline=True)


def helper(signature: str, *, floats: bool = False, inline: bool = False) -> Callable[[F], F]:
    """A function that other compiled functions call; ``inline`` copies it into each of them."""
    return _decorator("helper", signature, floats, inline)


def driver(signature: str, *, floats: bool = False) -> Callable[[F], F]:
    """A function that Python calls with arrays; other threads run meanwhile."""
    return _decorator("driver", signature, floats)


def _decorator(kind: str, signature: str, floats: bool, inline: bool = False) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        entry = Kernel(kind, function, signature, floats, inline)
        KERNELS.append(entry)
        return _compile(entry) if COMPILED else function

    return decorate


def numba_signature(signature: str) -> Any:
    """The signature text as numba's object."""
    return eval(signature, {"__builtins__": {}}, _TYPES)


def _compile(entry: Kernel) -> Any:
    options: dict[str, Any] = {"error_model": "numpy", "cache": True, "forceinline": entry.inline}
    signature = numba_signature(entry.signature)
    source = Path(entry.function.__code__.co_filename)
    if not source.is_file():  # typed at a prompt: nothing to name a folder by
        return _build(entry, signature, options | {"cache": False})
    folder = room_folder(source, (numba.__version__, _processor()), Path(__file__))
    built = _load(entry, signature, options, folder)
    if built is None:
        with FileLock(folder / ".lock"):
            built = _load(entry, signature, options, folder)  # another process may have been faster
            if built is None:
                _drop(entry, folder)
                _say(entry)
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


def address(function: Callable[..., Any]) -> int:
    """The address of a kernel, for a context."""
    if COMPILED:
        return int(getattr(function, "address"))  # noqa: B009  (only the compiled form has one)
    _FUNCTIONS.setdefault(id(function), function)
    return id(function)


_FUNCTIONS: dict[int, Callable[..., Any]] = {}

listener: Callable[[str], None] | None = None
"""Called with the name of each function before it is compiled anew."""


def _say(entry: Kernel) -> None:
    if listener is not None:
        listener(entry.name)


# ── Contexts ────────────────────────────────────────────────────────────────────────────────────


class Context:
    """One row of int64 words that compiled code reads its surroundings from.

    A word is a number, the address of a kernel, or the address of an array; the context keeps the
    arrays alive. Python reads counters from ``row`` while kernels run.
    """

    def __init__(self, size: int) -> None:
        self.row: npt.NDArray[np.int64] = np.zeros(size, dtype=np.int64)
        self.arrays: dict[int, npt.NDArray[Any]] = {}

    def bind(self, slot: int, function: Callable[..., Any]) -> None:
        """Put the address of a kernel into a slot."""
        self.row[slot] = address(function)

    def attach(self, slot: int, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Put the address of an array into a slot, and keep the array."""
        if not array.flags.c_contiguous:
            raise ValueError("only contiguous arrays can stand in a context")
        self.arrays[slot] = array
        self.row[slot] = array.ctypes.data
        if not COMPILED:
            _MEMORY.remember(array)
        return array

    @property
    def bytes(self) -> int:
        """How much memory the attached arrays take."""
        return sum(array.nbytes for array in self.arrays.values())


# ── Rows without numba ──────────────────────────────────────────────────────────────────────────


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


_MEMORY = _Memory()


# ── Intrinsics and their plain-Python twins ─────────────────────────────────────────────────────


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


def pointer(array: Any) -> Any:
    """The row that an array's memory is."""
    return Row(array)


def at(row: Any, offset: int) -> Any:
    """The row that begins ``offset`` places further on."""
    return Row(row.array, row.start + int(offset))


def words_at(place: int) -> Words:
    """The row of uint64 at an address taken from a context."""
    return _MEMORY.row(place)


def integers_at(place: int) -> Integers:
    """The row of int64 at an address taken from a context."""
    return _MEMORY.row(place)


def indices_at(place: int) -> Indices:
    """The row of int32 at an address taken from a context."""
    return _MEMORY.row(place)


def values_at(place: int) -> Values:
    """The row of int16 at an address taken from a context."""
    return _MEMORY.row(place)


def reals_at(place: int) -> Reals:
    """The row of float64 at an address taken from a context."""
    return _MEMORY.row(place)


def caller(signature: str) -> Any:
    """A function that calls what stands at an address: ``call(address, (argument, …))``."""
    if COMPILED:
        return _compiled_caller(numba_signature(signature))
    return lambda place, arguments: _FUNCTIONS[int(place)](*arguments)


def table(name: str, array: npt.NDArray[Any]) -> Any:
    """Give kernels a constant array, however large.

    After ``squares = table("chess.squares", …)`` a kernel reads ``squares()[i]``.

    Compiled code refers to it by name and finds it when it is loaded, so the numbers are not part of the
    cached code. Names are unique in a process: begin them with the game's.
    """
    if name in _TABLES:
        raise ValueError(f"two tables are named {name}")
    _TABLES[name] = array = np.ascontiguousarray(array)
    array.setflags(write=False)
    if COMPILED:
        return _compiled_table(name, array)
    return lambda: Row(array)


def scratch(kind: str, size: int) -> Any:
    """Give a function a small work row on its stack.

    After ``buffer = scratch("small", 64)`` the function calls ``buffer()`` for its row.

    The contents are undefined. Not for recursive functions or loops: each call takes new space.
    """
    if COMPILED:
        return _compiled_scratch(_TYPES[kind], size)
    return lambda: Row(np.zeros(size, dtype=_DTYPES[kind]))


_TABLES: dict[str, npt.NDArray[Any]] = {}

if COMPILED:

    def _of_word(result: Any, emit: Callable[[Any, Any], Any]) -> Any:
        """An intrinsic of one uint64; ``emit(builder, value)`` writes its code."""

        @intrinsic
        def operation(typing_context: Any, x: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return emit(builder, arguments[0])

            return result(types.uint64), generate

        return operation

    _word, _bit = ir.IntType(64), ir.IntType(1)
    popcount = _of_word(types.int64, lambda b, x: b.ctpop(x))
    lowest = _of_word(types.uint64, lambda b, x: b.and_(x, b.neg(x)))
    scan = _of_word(types.int64, lambda b, x: b.cttz(x, _bit(0)))
    scan_reverse = _of_word(types.int64, lambda b, x: b.sub(_word(63), b.ctlz(x, _bit(0))))

    @intrinsic
    def clock(typing_context: Any) -> Any:
        """Compiled twin of the function above."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = ir.LiteralStructType([_word, _word])
            with builder.goto_entry_block():
                moment = builder.alloca(kind)
            shape = ir.FunctionType(ir.IntType(32), [ir.IntType(32), kind.as_pointer()])
            function = builder.module.globals.get("clock_gettime") or ir.Function(
                builder.module, shape, "clock_gettime"
            )
            builder.call(function, [ir.IntType(32)(time.CLOCK_MONOTONIC), moment])
            now = builder.load(moment)
            seconds, rest = builder.extract_value(now, 0), builder.extract_value(now, 1)
            return builder.add(builder.mul(seconds, _word(1_000_000_000)), rest)

        return types.int64(), generate

    @intrinsic
    def volatile(typing_context: Any, row: Any, index: Any) -> Any:
        """Compiled twin of the function above."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            # An acquiring load is never hoisted out of a loop, and costs no more than a plain one here.
            return builder.load_atomic(builder.gep(arguments[0], [arguments[1]]), "acquire", 8)

        return types.int64(_TYPES["integers"], types.int64), generate

    @intrinsic
    def exchange(typing_context: Any, row: Any, index: Any, old: Any, new: Any) -> Any:
        """Compiled twin of the function above."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = builder.gep(arguments[0], [arguments[1]])
            pair = builder.cmpxchg(place, arguments[2], arguments[3], "seq_cst", "acquire")
            return builder.zext(builder.extract_value(pair, 1), _word)

        return types.int64(_TYPES["integers"], types.int64, types.int64, types.int64), generate

    def _cast_type(typing_context: Any, place: Any, like: Any) -> Any:
        target = types.CPointer(like.dtype)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(target))

        return target(types.int64, like), generate

    _cast: Any = intrinsic(_cast_type)

    @numba.extending.register_jitable
    def pointer(array: Any) -> Any:
        """Compiled twin of the function above."""
        return _cast(array.ctypes.data, array)

    @intrinsic
    def at(typing_context: Any, row: Any, offset: Any) -> Any:
        """Compiled twin of the function above."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.gep(arguments[0], [arguments[1]])

        return row(row, types.int64), generate

    def _row_at(kind: Any) -> Any:
        @intrinsic
        def row_at(typing_context: Any, place: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return builder.inttoptr(arguments[0], context.get_value_type(kind))

            return kind(types.int64), generate

        return row_at

    words_at, integers_at = _row_at(_TYPES["words"]), _row_at(_TYPES["integers"])
    indices_at, values_at = _row_at(_TYPES["indices"]), _row_at(_TYPES["values"])
    reals_at = _row_at(_TYPES["reals"])

    def _compiled_caller(target: Any) -> Any:
        @intrinsic
        def call(typing_context: Any, place: Any, arguments: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
                kinds = [context.get_value_type(kind) for kind in target.args]
                void = target.return_type == types.void
                returned = ir.VoidType() if void else context.get_value_type(target.return_type)
                function = builder.inttoptr(given[0], ir.FunctionType(returned, kinds).as_pointer())
                result = builder.call(function, [builder.extract_value(given[1], i) for i in range(len(kinds))])
                return context.get_dummy_value() if void else result

            return target.return_type(types.int64, types.Tuple(target.args)), generate

        return call

    def _compiled_table(name: str, array: npt.NDArray[Any]) -> Any:
        symbol = f"evalsmith.table.{name}"
        llvm.add_symbol(symbol, array.ctypes.data)
        kind = types.CPointer(getattr(types, array.dtype.name))

        @intrinsic
        def get(typing_context: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                known = builder.module.globals.get(symbol)
                return known or ir.GlobalVariable(builder.module, context.get_value_type(kind.dtype), symbol)

            return kind(), generate

        return get

    def _compiled_scratch(kind: Any, size: int) -> Any:
        @intrinsic
        def get(typing_context: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                with builder.goto_entry_block():
                    return builder.alloca(context.get_value_type(kind.dtype), size)

            return kind(), generate

        return get


# ── Looking on ──────────────────────────────────────────────────────────────────────────────────


if COMPILED:
    _compiler: Any = compiler
    _machinery: Any = compiler_machinery

    class _TypesFound(Exception):
        """Ends a compilation of which only the types are wanted: making the code would take most of the time."""

    @_machinery.register_pass(mutates_CFG=False, analysis_only=True)
    class _KeepTypes(_machinery.AnalysisPass):  # type: ignore[misc]
        _name = "evalsmith_keep_types"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            kinds, mixed = state.typemap, []
            for statement in (each for block in state.func_ir.blocks.values() for each in block.body):
                value: Any = getattr(statement, "value", None)
                if getattr(value, "op", None) in ("binop", "inplace_binop"):
                    sides = kinds[value.lhs.name], kinds[value.rhs.name]
                    signed = any(isinstance(side, types.Integer) and side.signed for side in sides)
                    if signed and types.uint64 in sides:
                        mixed.append(f"line {statement.loc.line}: {sides[0]} {value.fn.__name__} {sides[1]}")
            raise _TypesFound({name: str(kind) for name, kind in kinds.items()}, mixed)

    class _TypesOnly(_compiler.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            manager, builder = _machinery.PassManager("evalsmith_types"), _compiler.DefaultPassBuilder
            manager.passes.extend(builder.define_untyped_pipeline(self.state).passes)
            manager.passes.extend(builder.define_typed_pipeline(self.state).passes)
            manager.add_pass(_KeepTypes, "keep the types")
            manager.finalize()
            return [manager]


def inferred_types(entry: Kernel) -> dict[str, str]:
    """The type numba gives each variable of a kernel, for the test that looks for stray floats."""
    return dict(_infer(entry)[0])


def mixed_operations(entry: Kernel) -> list[str]:
    """Where in a kernel a uint64 meets a signed value, as ``line 12: uint64 add int64``."""
    return list(_infer(entry)[1])


@functools.cache
def _infer(entry: Kernel) -> tuple[dict[str, str], list[str]]:
    try:
        numba.njit(numba_signature(entry.signature), error_model="numpy", pipeline_class=_TypesOnly)(entry.function)
    except _TypesFound as found:
        kinds, mixed = found.args
        return kinds, mixed
    raise AssertionError("numba ended a compilation before it had the types")


def say_on_terminal(name: str) -> None:
    """A listener that names each function on standard error as it is compiled."""
    print(f"compiling {name} (once; kept in the cache)", file=sys.stderr, flush=True)
