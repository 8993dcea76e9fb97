"""Data in parts, each held by a worker that made it: questions go out, answers come back in the order of the parts.

For sums over more data than one machine holds. A part is made from its description where it is held, and made again
elsewhere when its worker is lost, so whoever asks must send along, or be able to send, whatever an answer needs.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from evalsmith.scale.work import find

Call = tuple[str, tuple[Any, ...]]
"""The name of a method of a part, and its arguments."""


class Parts(Protocol):
    """Parts that are held somewhere."""

    def ask(self, calls: Sequence[Call | None]) -> list[Any]:
        """The answer of every part to its own call, in their order; None where there is no call."""

    def crew(self) -> str:
        """Who holds them, in a few words."""

    def close(self) -> None:
        """Let go of all parts."""


class LocalParts:
    """Parts in this process, one thread each."""

    def __init__(self, make: str, described: Sequence[tuple[Any, ...]]) -> None:
        self._parts = [find(make)(*one) for one in described]
        self._threads = ThreadPoolExecutor(max(1, len(self._parts)))

    def ask(self, calls: Sequence[Call | None]) -> list[Any]:
        """The answer of every part to its own call, in their order."""

        def answer(part: Any, call: Call | None) -> Any:
            return None if call is None else getattr(part, call[0])(*call[1])

        return list(self._threads.map(answer, self._parts, calls))

    def crew(self) -> str:
        """Threads of this process are nothing to tell of."""
        return ""

    def close(self) -> None:
        """Let go of all parts."""
        self._threads.shutdown()
        self._parts.clear()


class Holder:
    """A part on a worker of a cluster; what it is asked and what it answers is pickled by us."""

    def __init__(self, make: str, described: bytes) -> None:
        self._part = find(make)(*pickle.loads(described))  # noqa: S301  (the driver's)

    def answer(self, call: bytes) -> bytes:
        """The answer to one call."""
        name, arguments = pickle.loads(call)  # noqa: S301  (the driver's)
        return pickle.dumps(getattr(self._part, name)(*arguments))
