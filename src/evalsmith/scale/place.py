"""Where long work runs: one setting for all of it, and nobody else asks.

local               threads and processes here, as they always were
ray                 a Ray cluster: the one that RAY_ADDRESS names, or one that is started here
ray://HOST:PORT     a Ray cluster by the address of its client server
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, setting
from evalsmith.scale.local import Local
from evalsmith.scale.parts import Parts
from evalsmith.scale.work import How, Job

LOCAL, RAY, ADDRESS = "local", "ray", "ray://"


@dataclass(frozen=True)
class PlaceSettings(Settings):
    """Where long work runs."""

    on: str = setting(
        LOCAL, metavar="WHERE", group="Where it runs",
        help="Where the work runs: local, ray (a Ray cluster: that of RAY_ADDRESS, or one here), or ray://HOST:PORT.",
    )  # fmt: skip

    def validate(self) -> None:
        """Refuse what is no place."""
        host, colon, port = self.on.removeprefix(ADDRESS).rpartition(":")
        address = self.on.startswith(ADDRESS) and host and colon and port.isdecimal()
        if self.on not in (LOCAL, RAY) and not address:
            raise InputError(f"on must be {LOCAL}, {RAY} or {ADDRESS}HOST:PORT, not {self.on!r}")


class Place(Protocol):
    """A backend: where items run."""

    name: str

    def run(self, job: Job, items: Iterable[Any], how: How) -> Iterator[tuple[Any, Any]]:
        """Items with their results, in the order of the items."""

    def slots(self) -> int:
        """How many items can be under way at once."""

    def hold(self, make: str, described: Sequence[tuple[Any, ...]], how: How) -> Parts:
        """Parts of data, each made by the function of that name where it is held; ``how`` hears who holds them."""

    def close(self) -> None:
        """End all that was started for it."""


_places: list[Place] = [Local()]


def current_place() -> Place:
    """Where work runs now."""
    return _places[-1]


def is_local() -> bool:
    """Whether work runs in this process and its children."""
    return current_place().name == LOCAL


@contextlib.contextmanager
def run_on(on: str = LOCAL) -> Iterator[Place]:
    """Have all long work inside the block run elsewhere.

    with es.run_on("ray"):
        es.generate("othello", "positions", games=100_000)
    """
    leave = enter_place(on)
    try:
        yield current_place()
    finally:
        leave()


def enter_place(on: str) -> Callable[[], None]:
    """Have all long work run there from now on, until the function that is returned is called."""
    place = open_place(PlaceSettings(on))
    _places.append(place)

    def leave() -> None:
        _places.remove(place)
        place.close()

    return leave


def open_place(settings: PlaceSettings) -> Place:
    """The place that the settings name; who opens it closes it."""
    if settings.on == LOCAL:
        return Local()
    from evalsmith.scale.cluster import Cluster  # what a cluster needs is loaded where there is one

    return Cluster(settings.on)


def run(job: Job, items: Iterable[Any], how: How | None = None) -> Iterator[tuple[Any, Any]]:
    """Items with their results, in the order of the items, wherever that is now.

    The loop that takes a result commits it: the next ones come after it. Leaving the loop early, or Ctrl-C, stops all
    workers and waits for them.
    """
    return current_place().run(job, items, how or How())
