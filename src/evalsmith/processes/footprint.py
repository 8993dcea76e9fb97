"""How much memory a program and what it has started take, and whether that is too much.

Resident size decides. It is measured while the program works and with each of its answers. Where the system allows it,
a cgroup also sets a hard limit, and knows every process of the program.
"""

from __future__ import annotations

import contextlib

from evalsmith.processes.cgroup import Group, Unavailable, make_group
from evalsmith.processes.failure import MEMORY, Failure
from evalsmith.processes.tree import children_of, peak_bytes, processes_of, resident_bytes

TICK = 0.02  # seconds between measurements of the memory of a program that has a limit
FULL_SCAN = 0.5  # seconds between searches for processes that were orphaned


class Footprint:
    """The memory of one program; ``mark`` is in the environment of all its processes."""

    def __init__(self, limit: int | None, mark: str, cgroup: bool = True) -> None:
        self.limit, self.peak = limit, 0
        self.group: Group | None = None
        self._mark, self._looked, self._looked_fully = mark, 0.0, 0.0
        self._strays: set[int] = set()
        if cgroup:  # without a limit too: no process leaves a group by forking and hiding
            with contextlib.suppress(Unavailable):
                self.group = make_group(limit)

    def enter(self) -> None:
        """In the program's process, before it begins: enter the cgroup."""
        if self.group is not None:
            with contextlib.suppress(OSError):
                self.group.enter()

    def confirm(self, pid: int) -> None:
        """Do without the group if a program that runs has not come into it."""
        if self.group is not None and pid not in self.group.processes():
            self.leave()

    def is_due(self, now: float) -> bool:
        """Whether it is time to measure again."""
        return self.limit is not None and now - self._looked >= TICK

    def measure(self, pid: int, now: float) -> None:
        """Measure the memory of the program; more than the limit is a failure."""
        if self.limit is None:
            return
        self._looked = now
        self.check_hard_limit()
        if self.group is None and now - self._looked_fully >= FULL_SCAN:
            self._looked_fully = now
            self._strays = processes_of(pid, self._mark)
        used = self.seen(pid)
        if used > self.limit:
            raise Failure(MEMORY, f"{used:,} bytes, {self.limit:,} allowed")

    def seen(self, pid: int) -> int:
        """The peak of memory until now, in bytes."""
        group = self.group
        everyone = {pid} | (children_of(pid) | self._strays if group is None else group.processes())
        held = peak_bytes(pid)
        if len(everyone) > 1:
            together = resident_bytes(everyone)
            # A group counts once what processes share.
            held = max(held, together if group is None else min(together, group.peak() or together))
        self.peak = max(self.peak, held)
        return self.peak

    def check_hard_limit(self, killed: bool = False) -> None:
        """Fail if the kernel has killed a process of the program for its memory."""
        group = self.group
        if group is None or self.limit is None or not (group.kills() or (killed and group.was_full())):
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
