"""Whether the machine had time for the games: how long players waited for a core, and how many others wanted one.

A match on an overloaded machine measures the machine. So it is flagged rather than quietly rated.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass
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


@dataclass(frozen=True)
class HostLoad:
    """The games with clocks that one host played, and how busy it was.

    ``speed`` is in thousands of nodes per second of CPU, 0 where it was not measured; ``waited`` is the share of the
    time that players waited for a core, 0 to 1; ``load`` the number of runnable processes per core; ``lost_on_time`` a
    number of games.
    """

    host: str
    games: int
    speed: float
    waited: float
    load: float
    lost_on_time: int

    def sentence(self) -> str:
        """The same in words."""
        speed = f", {self.speed:,.0f} thousand nodes per second of CPU" if self.speed else ""
        lost = f", {self.lost_on_time} of them lost on time" if self.lost_on_time else ""
        return (
            f"{self.host} played {self.games} games{lost}{speed}, {100 * self.waited:.0f} % of the time waiting for a "
            f"core, {self.load:.1f} processes for each core"
        )


class _Host:
    """The games of one host, summed up."""

    def __init__(self) -> None:
        self.games = self.plies = self.losses = 0
        self.wall = self.waited = self.load = 0.0
        self.speeds: Counter[float] = Counter()  # each worker measures one

    def add(self, entry: GameEntry) -> None:
        machine = entry.machine or MachineLoad()
        self.games += 1
        self.plies += entry.plies
        self.losses += sum(one.reason == TIME for one in entry.failed)
        self.wall += machine.wall
        self.waited += machine.waited
        self.load += machine.load
        if entry.machine is not None:
            self.speeds[machine.speed] += 1

    @property
    def speed(self) -> float:
        """The speed of the game in the middle; 0 where none is known."""
        passed = 0
        for speed, games in sorted(self.speeds.items()):
            passed += games
            if 2 * passed > self.speeds.total():
                return speed
        return 0.0

    def result(self, name: str) -> HostLoad:
        """What they come to."""
        waited, load = self.waited / max(self.wall, 1e-9), self.load / max(1, self.games)
        return HostLoad(name, self.games, self.speed, round(waited, 4), round(load, 2), self.losses)

    def overload(self) -> list[str]:
        """What speaks against the times of this host."""
        found = []
        if self.losses:
            found.append(f"{self.losses} of {self.games} games were lost on time")
        if self.waited / max(self.plies, 1.0) > MAX_DELAY and self.waited / max(self.wall, 1e-9) > MAX_SHARE:
            found.append(f"players waited {100 * self.waited / self.wall:.0f} % of the time for a core")
        if self.load / self.games > MAX_LOAD:
            found.append(f"{self.load / self.games:.1f} processes wanted each core")
        return found


class Machines:
    """The hosts that played the games of an event, each with its load, summed up game by game."""

    def __init__(self) -> None:
        self._hosts: dict[str, _Host] = {}

    def add(self, entry: GameEntry) -> None:
        """Count a game."""
        host = entry.machine.host if entry.machine is not None else ""
        self._hosts.setdefault(host, _Host()).add(entry)

    def hosts(self) -> tuple[HostLoad, ...]:
        """The hosts by name; none of games that do not say where they were played."""
        return tuple(host.result(name) for name, host in sorted(self._hosts.items()) if name)

    def overload(self, concurrency: int | None = None) -> list[str]:
        """What speaks against the times of an event, in words; nothing where all is well.

        Where several hosts have played, each is judged by its own games, and they by each other's speed.
        """
        if len(self._hosts) < 2:
            found = [text for host in self._hosts.values() for text in host.overload()]
            if self._hosts and concurrency is not None and concurrency > (slots := current_place().slots()):
                found.append(f"{concurrency} games at once on {slots} cores")
            return found
        return [f"{name}: {text}" for name, host in sorted(self._hosts.items()) for text in host.overload()] + (
            self._slow()
        )

    def _slow(self) -> list[str]:
        """The hosts that are clearly slower than the fastest one: their clocks are worth less."""
        speeds = {name: host.speed for name, host in sorted(self._hosts.items())}
        fastest = max(speeds, key=lambda name: speeds[name])
        return [
            f"{name} searches at {100 * speed / speeds[fastest]:.0f} % of the speed of {fastest}"
            for name, speed in speeds.items()
            if 0 < speed < MIN_SPEED * speeds[fastest]
        ]
