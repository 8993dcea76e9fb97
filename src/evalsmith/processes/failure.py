"""How a player can fail, and so lose a game other than by its rules."""

from __future__ import annotations

TIME, ILLEGAL, CRASH, STALL, MEMORY, PROTOCOL = "time", "illegal", "crash", "stall", "memory", "protocol"
FAILURES = (TIME, ILLEGAL, CRASH, STALL, MEMORY, PROTOCOL)


class Failure(Exception):
    """A player failed: one of FAILURES, and what exactly (how late, which text, which exit code).

    ``late`` is by how many seconds a move came after its time; None for other failures.
    """

    def __init__(self, reason: str, detail: str = "", late: float | None = None) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason, self.detail, self.late = reason, detail, late
