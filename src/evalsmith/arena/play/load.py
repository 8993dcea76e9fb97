"""Whether the machine had time for the games: how long players waited for a core, and how many others wanted one.

A match on an overloaded machine measures the machine. So it is flagged rather than quietly rated.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from types import TracebackType

from evalsmith.arena.results.entry import GameEntry, MachineLoad
from evalsmith.processes.failure import TIME
from evalsmith.scale import cores

# Above these an event with clocks is flagged.
MAX_DELAY = 0.002  # seconds that a move waited for a core
MAX_SHARE = 0.1  # of the time of a game
MAX_LOAD = 1.25  # runnable processes a core
_SCHEDULE = "/proc/thread-self/schedstat"


class Watch:
    """Measures one game: its wall time, its thread's own work and wait for a core, and the load of the machine."""

    def __enter__(self) -> Watch:
        self._began, self._waited, self._worked = time.perf_counter(), _waited(), time.thread_time()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cpu = time.thread_time() - self._worked
        self.wall, self.waited = time.perf_counter() - self._began, _waited() - self._waited

    def load(self) -> MachineLoad:
        """What is logged of it; the load is that of the last minute."""
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        return MachineLoad(round(self.wall, 6), round(self.cpu, 6), round(self.waited, 6), round(load, 2))


def _waited() -> float:
    """Seconds that this thread was runnable and had no core; 0 where the system does not tell."""
    try:
        with open(_SCHEDULE, "rb", buffering=0) as file:
            return int(file.read(100).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def overload(entries: Iterable[GameEntry], concurrency: int | None = None) -> list[str]:
    """What speaks against the times of an event, in words; nothing where all is well."""
    games = wall = waited = load = plies = 0.0
    losses = 0
    for entry in entries:
        machine = entry.machine or MachineLoad()
        games += 1
        wall += machine.wall
        waited += machine.waited
        load += machine.load
        plies += entry.plies
        losses += sum(one.reason == TIME for one in entry.failed)
    if not games:
        return []
    found = []
    if losses:
        found.append(f"{losses} of {games:.0f} games were lost on time")
    if waited / max(plies, 1.0) > MAX_DELAY and waited / max(wall, 1e-9) > MAX_SHARE:
        found.append(f"players waited {100 * waited / wall:.0f} % of the time for a core")
    if load / games > MAX_LOAD:
        found.append(f"{load / games:.1f} processes wanted each core")
    if concurrency is not None and concurrency > cores():
        found.append(f"{concurrency} games at once on {cores()} cores")
    return found
