"""Who a worker is, and whether it has the same program as the driver: other sources play other games."""

from __future__ import annotations

import functools
import hashlib
import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

from evalsmith.version import __version__


@dataclass(frozen=True)
class Identity:
    """A process: its machine, its number, and what runs in it."""

    host: str
    pid: int
    version: str
    sources: str
    python: str

    def difference(self, other: Identity) -> str:
        """In what another process differs, in words; empty where it may do the same work."""
        if other.python != self.python:
            return f"has Python {other.python}, not {self.python}"
        if other.version != self.version:
            return f"has Evalsmith {other.version}, not {self.version}"
        if other.sources != self.sources:
            return f"has other sources of Evalsmith {self.version} ({other.sources}, not {self.sources})"
        return ""


def identity() -> Identity:
    """This process."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Identity(socket.gethostname(), os.getpid(), __version__, _sources(), python)


_elsewhere = False


def work_elsewhere() -> None:
    """From now on this process is a worker on a cluster."""
    global _elsewhere
    _elsewhere = True


def is_elsewhere() -> bool:
    """Whether this process is a worker on a cluster."""
    return _elsewhere


@functools.cache
def _sources() -> str:
    """A hash of the sources of this package."""
    root, found = Path(__file__).parents[1], hashlib.blake2b(digest_size=6)
    for path in sorted(root.rglob("*.py")):
        found.update(str(path.relative_to(root)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()
