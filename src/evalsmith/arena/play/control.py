"""Stopping a running event: one Ctrl-C lets the running games finish, a second one drops them."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any


class Control:
    """While it is open, the first SIGINT sets ``finishing``; the second one, or a SIGTERM, raises KeyboardInterrupt.

    Signals belong to the main thread: anywhere else, and where somebody else handles them, nothing is changed.
    """

    def __init__(self) -> None:
        self.finishing = False
        self._old: dict[int, Any] = {}

    def __enter__(self) -> Control:
        if threading.current_thread() is threading.main_thread():
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._old[signal.SIGINT] = signal.signal(signal.SIGINT, self._interrupt)
            if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
                self._old[signal.SIGTERM] = signal.signal(signal.SIGTERM, self._terminate)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)
        self._old.clear()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.finishing:
            raise KeyboardInterrupt
        self.finishing = True
        print("finishing the running games; press Ctrl-C again to drop them", file=sys.stderr, flush=True)

    def _terminate(self, number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt
