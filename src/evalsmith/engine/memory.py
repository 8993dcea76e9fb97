"""How many bytes a search may take, and what they are spent on."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Memory:
    """Bytes of one search: the transposition table or tree, the work arrays of all threads, and what is not bounded.

    ``weights`` are the evaluation's own, shared by all threads; ``interpreter`` is what the whole process held
    when it was asked, Python and compiled code included.
    """

    table: int
    work: int
    weights: int
    interpreter: int

    @property
    def bounded(self) -> int:
        """What ``--memory`` bounds: table (or tree) and work arrays."""
        return self.table + self.work

    def __str__(self) -> str:
        return (
            f"{self.bounded:,} bytes: table {self.table:,}, work arrays {self.work:,}; "
            f"in addition weights {self.weights:,}, the process {self.interpreter:,}"
        )


def resident_bytes() -> int:
    """What this process holds in memory now."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()
