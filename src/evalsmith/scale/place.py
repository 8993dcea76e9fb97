"""Where long work runs; nobody else asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from evalsmith.scale.local import Local
from evalsmith.scale.work import How, Job


class Place(Protocol):
    """A backend: where items run."""

    name: str

    def run(self, job: Job, items: Iterable[Any], how: How) -> Iterator[tuple[Any, Any]]:
        """Items with their results, in the order of the items."""

    def slots(self) -> int:
        """How many items can be under way at once."""

    def close(self) -> None:
        """End all that was started for it."""


_places: list[Place] = [Local()]


def current_place() -> Place:
    """Where work runs now."""
    return _places[-1]


def run(job: Job, items: Iterable[Any], how: How | None = None) -> Iterator[tuple[Any, Any]]:
    """Items with their results, in the order of the items, wherever that is now.

    The loop that takes a result commits it: the next ones come after it. Leaving the loop early, or Ctrl-C, stops all
    workers and waits for them.
    """
    return current_place().run(job, items, how or How())
