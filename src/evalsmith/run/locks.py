"""A file lock between processes that the kernel releases when its holder dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType

from evalsmith.run.errors import BusyError, OutputError


class FileLock:
    """``with FileLock(path):`` waits for the lock; ``wait=False`` raises BusyError instead.

    The lock file stays behind: deleting it would let two processes lock two different files
    of the same name.
    """

    def __init__(self, path: Path, *, wait: bool = True) -> None:
        self.path = path
        self.wait = wait
        self._descriptor = -1

    def acquire(self) -> None:
        """Take the lock, or say who else may hold it."""
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise OutputError(f"cannot write {self.path}: {error.strerror}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if self.wait else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(descriptor)
            raise BusyError(f"{self.path.parent} is being written by another process") from None
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor

    def release(self) -> None:
        """Let go of the lock."""
        os.close(self._descriptor)
        self._descriptor = -1

    def __enter__(self) -> FileLock:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
