"""What is done so far, one JSON line a position: a kill loses at most the line that was being written."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from evalsmith.run import OutputError, read_json_lines

_SECONDS_BETWEEN_SYNCS = 1.0
NUMBER = "number"


class Journal:
    """Lines by the number of their position. Lines are written at once, and on the disk within a second."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        self.entries: dict[int, dict[str, Any]] = {}
        for entry in read_json_lines(path):
            number = entry.get(NUMBER)
            if isinstance(number, int) and 0 <= number < size:
                self.entries[number] = entry
        self._descriptor = -1
        self._synced = 0.0

    def __enter__(self) -> Journal:
        try:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            size = os.fstat(self._descriptor).st_size
            if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
                os.write(self._descriptor, b"\n")  # a line that a kill cut stands alone
        except OSError as error:
            raise OutputError(f"cannot append to {self.path}: {error.strerror}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.fsync(self._descriptor)
        os.close(self._descriptor)

    def add(self, number: int, entry: dict[str, Any]) -> None:
        """Write what is known of a position."""
        self.add_all([(number, entry)])

    def add_all(self, found: Iterable[tuple[int, dict[str, Any]]]) -> None:
        """Write what is known of some positions."""
        stored = [{NUMBER: number, **entry} for number, entry in found]
        lines = [json.dumps(one, ensure_ascii=False).encode(errors="backslashreplace") + b"\n" for one in stored]
        text = b"".join(lines)
        try:
            while text:
                text = text[os.write(self._descriptor, text) :]
            if time.monotonic() - self._synced > _SECONDS_BETWEEN_SYNCS:
                os.fsync(self._descriptor)
                self._synced = time.monotonic()
        except OSError as error:
            raise OutputError(f"cannot append to {self.path}: {error.strerror}") from None
        self.entries.update((one[NUMBER], one) for one in stored)

    def discard(self) -> None:
        """Delete the file: nothing in it is of use."""
        self.path.unlink(missing_ok=True)
        self.entries.clear()
