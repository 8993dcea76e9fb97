"""What a writer that was killed left beside its file: found and removed by the next one.

A file is written under a hidden name and renamed. Whoever writes holds a lock on it, so a hidden file without one is
nobody's any more.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def held(temporary: Path) -> Iterator[None]:
    """Say that a hidden file is being written."""
    with open(temporary, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def sweep(target: Path) -> None:
    """Remove the hidden files for ``target`` that nobody writes any more."""
    target = Path(os.path.realpath(target))
    hidden = re.compile(re.escape(f".{target.name}.") + r"[0-9a-f]{8}")
    with contextlib.suppress(OSError):
        for path in target.parent.iterdir():
            if hidden.fullmatch(path.name) and path.is_file():
                _remove(path)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError), open(path, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
