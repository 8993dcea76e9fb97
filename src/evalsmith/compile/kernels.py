"""The three decorators, and the objects that they give: functions that are compiled at their first use."""

from __future__ import annotations

import functools
import hashlib
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from evalsmith.compile.mode import COMPILED
from evalsmith.compile.operations import FUNCTIONS
from evalsmith.run.errors import KernelError

F = TypeVar("F", bound=Callable[..., Any])


class Kernel:
    """A function that is compiled when it is first called from Python or its address is asked for.

    Importing a module registers its kernels and does no more. What another kernel calls becomes part of that one's
    code: a function has code of its own only if Python or a context uses it.
    """

    def __init__(self, kind: str, function: Callable[..., Any], signature: str, floats: bool, inline: bool) -> None:
        self.kind, self.function, self.signature = kind, function, signature
        self.floats, self.inline = floats, inline
        self.registered = time.time_ns()
        self._twins = _registered[self._key]
        _registered[self._key] += 1
        functools.update_wrapper(self, function)
        self._address = 0
        self._call: Callable[..., Any] = self._first_call

    def __call__(self, *arguments: Any) -> Any:
        """Run the compiled code."""
        return self._call(*arguments)

    def _first_call(self, *arguments: Any) -> Any:
        self.load()
        return self._call(*arguments)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} {self.signature}>"

    @property
    def name(self) -> str:
        """Where the function stands, for messages."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    @property
    def identity(self) -> str:
        """A name for files and symbols, which no other kernel of the process has."""
        line, kind = self.function.__code__.co_firstlineno, repr(self._key).encode()
        twin = f".{self._twins}" if self._twins else ""
        return f"{self.name}.{line}.{hashlib.blake2b(kind, digest_size=4).hexdigest()}{twin}"

    @property
    def _key(self) -> tuple[Any, ...]:
        line = self.function.__code__.co_firstlineno
        return self.kind, self.name, line, self.signature, self.floats, self.inline

    @property
    def stable(self) -> bool:
        """Whether every process that has the same sources has the same function under this identity."""
        return not self._twins and not self.function.__closure__

    @property
    def address(self) -> int:
        """Where the compiled code is in memory."""
        if not self._address:
            self.load()
        return self._address

    def load(self) -> None:
        """Have the compiled code in memory: from the cache, or compiled now."""
        from evalsmith.compile.store import compiled_code  # llvmlite comes with it

        with _LOADING:
            if not self._address:
                self._call, self._address = compiled_code(self)


_LOADING = threading.RLock()
# A child of fork must not find the lock held, nor the tables of LLVM half written, by a thread that it does not have.
os.register_at_fork(before=_LOADING.acquire, after_in_parent=_LOADING.release, after_in_child=_LOADING.release)

KERNELS: list[Kernel] = []
_registered: Counter[tuple[Any, ...]] = Counter()


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


def _decorator(kind: str, signature: str, floats: bool, inline: bool = False) -> Callable[[F], Any]:
    def decorate(function: F) -> Any:
        entry = Kernel(kind, function, signature, floats, inline)
        KERNELS.append(entry)
        return entry if COMPILED else function

    return decorate


def address(function: Callable[..., Any]) -> int:
    """The address of a kernel, for a context."""
    if isinstance(function, Kernel):
        return function.address
    if COMPILED:
        raise KernelError(f"{place_of(function)}: it is plain Python; decorate it with @contract")
    FUNCTIONS.setdefault(id(function), function)
    return id(function)


def place_of(function: Callable[..., Any], line: int | None = None) -> str:
    """Where a function stands: ``game/rules.py, line 12, in moves``."""
    code = getattr(function, "function", function).__code__
    file = Path(code.co_filename)
    if file.is_relative_to(Path.cwd()):
        file = file.relative_to(Path.cwd())
    return f"{file}, line {line or code.co_firstlineno}, in {function.__name__}"


def load(*functions: Callable[..., Any]) -> None:
    """Have compiled functions in memory before a clock starts."""
    for function in functions:
        if isinstance(function, Kernel):
            function.load()


_listener: Callable[[str], None] | None = None


def listen(listener: Callable[[str], None] | None) -> None:
    """Have a function called with the name of each kernel before it is compiled."""
    global _listener
    _listener = listener


def announce(entry: Kernel) -> None:
    """Tell the listener that a kernel is about to be compiled."""
    if _listener is not None:
        _listener(entry.name)
