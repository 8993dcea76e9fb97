"""Whether the machine had time for the games: how long players waited for a core, and how many others wanted one.

A match on an overloaded machine measures the machine. So it is flagged rather than quietly rated.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from types import TracebackType

from evalsmith.arena.results.entry import GameEntry, MachineLoad
from evalsmith.processes.failure import TIME
from evalsmith.scale import current_place

# Above these an event with clocks is flagged.
MAX_DELAY = 0.002  # seconds that a move waited for a core
MAX_SHARE = 0.1  # of the time of a game
MAX_LOAD = 1.25  # runnable processes a core
MIN_SPEED = 0.8  # of the fastest host
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
    """What speaks against the times of an event, in words; nothing where all is well.

    Where several hosts have played, each is judged by its own games, and they by each other's speed.
    """
    by_host: dict[str, list[GameEntry]] = {}
    for entry in entries:
        by_host.setdefault((entry.machine or MachineLoad()).host, []).append(entry)
    if len(by_host) < 2:
        found = _overload(next(iter(by_host.values()), []))
        if by_host and concurrency is not None and concurrency > (slots := current_place().slots()):
            found.append(f"{concurrency} games at once on {slots} cores")
        return found
    return [f"{host}: {text}" for host, games in sorted(by_host.items()) for text in _overload(games)] + _slow(by_host)


def _overload(entries: Sequence[GameEntry]) -> list[str]:
    """What speaks against the times of one host."""
    if not entries:
        return []
    machines = [entry.machine or MachineLoad() for entry in entries]
    games, plies = len(entries), sum(entry.plies for entry in entries)
    wall, waited = sum(one.wall for one in machines), sum(one.waited for one in machines)
    load = sum(one.load for one in machines) / games
    losses = sum(one.reason == TIME for entry in entries for one in entry.failed)
    found = []
    if losses:
        found.append(f"{losses} of {games} games were lost on time")
    if waited / max(plies, 1.0) > MAX_DELAY and waited / max(wall, 1e-9) > MAX_SHARE:
        found.append(f"players waited {100 * waited / wall:.0f} % of the time for a core")
    if load > MAX_LOAD:
        found.append(f"{load:.1f} processes wanted each core")
    return found


def _slow(by_host: Mapping[str, Sequence[GameEntry]]) -> list[str]:
    """The hosts that are clearly slower than the fastest one: their clocks are worth less."""
    speeds = {
        host: median(entry.machine.speed for entry in games if entry.machine is not None)
        for host, games in sorted(by_host.items())
    }
    fastest = max(speeds, key=lambda host: speeds[host])
    return [
        f"{host} searches at {100 * speed / speeds[fastest]:.0f} % of the speed of {fastest}"
        for host, speed in speeds.items()
        if 0 < speed < MIN_SPEED * speeds[fastest]
    ]
