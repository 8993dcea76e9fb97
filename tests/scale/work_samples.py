"""Workers for tests: they sleep, die, have a full disk, or lie, as their items or a file say."""

from __future__ import annotations

import errno
import os
import signal
import time
from pathlib import Path
from typing import Any

from evalsmith.run import InputError


class Sample:
    """Squares numbers. ``habit`` is what the first worker does that touches a file of that name in ``folder``."""

    def __init__(self, folder: str, habit: str = "", seconds: float = 0.0) -> None:
        self.folder, self.seconds = Path(folder), seconds
        self.habit = habit if habit and self._first(habit) else ""
        (self.folder / f"pid-{os.getpid()}").touch()
        self.stopped = False

    def _first(self, name: str) -> bool:
        try:
            (self.folder / name).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def do(self, item: Any, report: Any) -> Any:
        if self.habit == "full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if self.habit == "lie":
            return "nonsense"
        if item == "bad":
            raise InputError("bad is no number")
        if item < 0 and self._first(f"died-{item}"):
            os.kill(os.getpid(), signal.SIGKILL)
        deadline = time.monotonic() + self.seconds
        while time.monotonic() < deadline:
            if self.stopped:
                raise KeyboardInterrupt
            time.sleep(0.01)
        report(1)
        return item * item

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        pass


def is_square(item: int, result: object) -> bool:
    return result == item * item


def refuse(*shared: object) -> None:
    raise InputError("the program tinkerbell is not there")
