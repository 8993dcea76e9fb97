"""Ctrl-C that waits for what must not be left half done."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Unbroken:
    """What stands inside is finished before Ctrl-C raises KeyboardInterrupt, at its end.

    Signals belong to the main thread: anywhere else, and where somebody else handles them, nothing is changed.
    """

    def __init__(self) -> None:
        self._asked = self._waits = False

    def __enter__(self) -> Unbroken:
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._waits = True
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._waits:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if self._asked and error is None:
                raise KeyboardInterrupt

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._asked = True
