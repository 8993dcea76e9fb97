"""How much memory a program and what it has started take, and whether that is too much.

Resident size decides. It is looked at while the program works and with each of its answers; behind it, where that can
be, stands a cgroup as a wall, which also knows every process of the program.
"""

from __future__ import annotations

import contextlib

from evalsmith.processes.cgroup import Group, Unavailable, make_group
from evalsmith.processes.failure import MEMORY, Failure
from evalsmith.processes.tree import children_of, peak_bytes, processes_of, resident_bytes

TICK = 0.02  # seconds between looks at the memory of a program that has a limit
FULL_LOOK = 0.5  # seconds between searches for processes that were orphaned


class Footprint:
    """The memory of one program; ``mark`` is in the environment of all its processes."""

    def __init__(self, limit: int | None, mark: str, cgroup: bool = True) -> None:
        self.limit, self.peak = limit, 0
        self.group: Group | None = None
        self._mark, self._looked, self._looked_fully = mark, 0.0, 0.0
        self._strays: set[int] = set()
        if limit is not None and cgroup:
            with contextlib.suppress(Unavailable):
                self.group = make_group(limit)

    def enter(self) -> None:
        """In the program's process, before it begins: go behind the wall."""
        if self.group is not None:
            with contextlib.suppress(OSError):
                self.group.enter()

    def confirm(self, pid: int) -> None:
        """Do without the group if a program that runs has not come into it."""
        if self.group is not None and pid not in self.group.processes():
            self.leave()

    def is_due(self, now: float) -> bool:
        """Whether to weigh again."""
        return self.limit is not None and now - self._looked >= TICK

    def weigh(self, pid: int, now: float) -> None:
        """Look at the memory of the program; above the limit is a failure."""
        if self.limit is None:
            return
        self._looked = now
        self.see_wall()
        if self.group is None and now - self._looked_fully >= FULL_LOOK:
            self._looked_fully = now
            self._strays = processes_of(pid, self._mark)
        used = self.seen(pid)
        if used > self.limit:
            raise Failure(MEMORY, f"{used:,} bytes, {self.limit:,} allowed")

    def seen(self, pid: int) -> int:
        """The most memory that was seen until now, in bytes."""
        group = self.group
        everyone = {pid} | (children_of(pid) | self._strays if group is None else group.processes())
        held = peak_bytes(pid)
        if len(everyone) > 1:
            together = resident_bytes(everyone)
            # A group counts once what processes share.
            held = max(held, together if group is None else min(together, group.peak() or together))
        self.peak = max(self.peak, held)
        return self.peak

    def see_wall(self, killed: bool = False) -> None:
        """Fail if the kernel has killed a process of the program for its memory."""
        group = self.group
        if group is None or not (group.kills() or (killed and group.was_full())):
            return
        self.peak = max(self.peak, group.peak())
        raise Failure(MEMORY, f"killed by the kernel at {self.peak:,} bytes, {self.limit:,} allowed")

    def processes(self) -> set[int]:
        """All processes of the program, where there is a group that knows them."""
        return set() if self.group is None else self.group.processes()

    def leave(self) -> None:
        """Remove the group; its processes have ended."""
        if self.group is not None:
            self.group.remove()
            self.group = None
