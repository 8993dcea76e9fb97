"""The three decorators, and the list of every function that they compile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from evalsmith.compile.mode import COMPILED
from evalsmith.compile.operations import FUNCTIONS

F = TypeVar("F", bound=Callable[..., Any])


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
        if not COMPILED:
            return function
        from evalsmith.compile.build import compile_kernel

        return compile_kernel(entry)

    return decorate


def address(function: Callable[..., Any]) -> int:
    """The address of a kernel, for a context."""
    if COMPILED:
        return int(getattr(function, "address"))  # noqa: B009  (only the compiled form has one)
    FUNCTIONS.setdefault(id(function), function)
    return id(function)


_listener: Callable[[str], None] | None = None


def listen(listener: Callable[[str], None] | None) -> None:
    """Have a function called with the name of each kernel before it is compiled."""
    global _listener
    _listener = listener


def announce(entry: Kernel) -> None:
    """Tell the listener that a kernel is about to be compiled."""
    if _listener is not None:
        _listener(entry.name)
