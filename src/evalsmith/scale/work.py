"""Long work as items that any worker can do: here in a thread, in a process, or on another machine.

A `Job` is what all items share: where the function that makes a worker is found, and its arguments. An item is a plain
value. A worker is made once and does one item after another; what it gives depends on the job and the item alone (a
seed is part of one of them), so that it does not matter who does an item, nor how often.

    job = Job("evalsmith.positions.selfplay.chunks:ChunkPlayer", (game, player, settings))
    for item, result in run(job, items):
        ...  # in the order of the items: write the result down here
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from evalsmith.run import OutputError, Progress, append_event
from evalsmith.run import workers as show_workers

Report = Callable[[int], None]
"""Hears how many more units of an item are done."""


class Worker(Protocol):
    """Does one item at a time."""

    def do(self, item: Any, report: Report) -> Any:
        """The result of an item; raises KeyboardInterrupt if it was stopped. ``report`` may be told what is done."""

    def stop(self) -> None:
        """Drop the item under way and all that would follow; another thread calls this."""

    def close(self) -> None:
        """End all that was started."""


@dataclass(frozen=True)
class Job:
    """What all items of some work share.

    ``make`` names a function as ``module:name``; called with ``shared`` it gives a worker. ``shared`` must survive
    pickling. ``files`` are those that it names, by the words that name them: a worker elsewhere gets them, and reads
    its own copies. Workers that run ``programs`` are processes of their own, pinned to a core each; ``light`` ones,
    which mostly wait for their programs, are threads here, each on a core too: they begin at once. ``prepare`` names a
    function that loads, once in a process and before any clock starts, what all workers there need. ``check`` names
    one that says whether a result is one of an item: other machines are not trusted blindly.
    """

    make: str
    shared: tuple[Any, ...] = ()
    prepare: str | None = None
    files: tuple[tuple[str, Path], ...] = ()
    programs: bool = False
    light: bool = False
    check: str | None = None

    def prepare_process(self) -> None:
        """Load what workers of this process need."""
        if self.prepare is not None:
            find(self.prepare)(*self.shared)

    def worker(self) -> Worker:
        """A new worker."""
        return find(self.make)(*self.shared)  # type: ignore[no-any-return]


def find(name: str) -> Any:
    """What an import path such as ``package.module:name`` means."""
    module, _, attribute = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


def counted(number: int, what: str) -> str:
    """A number of things: one worker, two workers."""
    return f"{number} {what}{'s' if number != 1 else ''}"


def _ignore(*args: Any, **named: Any) -> None:
    """Nobody is interested."""


def _always() -> bool:
    return True


def _append_if_possible(folder: Path, kind: str, **fields: Any) -> None:
    """Append what a worker does. Where that cannot be written, whoever writes the results says so, and better."""
    with suppress(OutputError):
        append_event(folder, kind, **fields)


@dataclass(frozen=True)
class How:
    """How items are run, wherever that is.

    ``concurrency`` is the number of items under way (default: as many as there are cores), ``window`` the most that
    have been given out and are not yet committed. Unless they are ``ordered``, results come as they are done: for one
    who stores each in a place of its own, and would lose those that wait for an earlier one when he is killed. New
    items begin while ``going`` says so. ``report`` hears of units within items, ``event`` what happens to workers,
    ``crew`` a few words about all of them.
    """

    concurrency: int | None = None
    window: int | None = None
    pin: bool = True
    ordered: bool = True
    going: Callable[[], bool] = _always
    report: Report = _ignore
    event: Callable[..., None] = _ignore
    crew: Callable[[str], None] = _ignore

    @classmethod
    def shown(
        cls, concurrency: int | None, progress: Progress, folder: Path, *, units: bool = False, **more: Any
    ) -> How:
        """Work whose workers show in a progress line and in the events of a folder; with ``units``, its items too."""
        report = progress.advance if units else _ignore
        return cls(
            concurrency,
            report=report,
            event=partial(_append_if_possible, folder),
            crew=partial(show_workers, progress),
            **more,
        )

    def window_for(self, workers: int) -> int:
        """The most items that are given out and not yet committed."""
        return max(workers, self.window or ITEMS_AHEAD * workers)


ITEMS_AHEAD = 8  # items of each worker that may wait for an earlier one: the slowest takes that many times the usual


@dataclass
class Locked:
    """Passes reports of several threads on, one at a time."""

    report: Report
    _gate: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, count: int = 1) -> None:
        """So many units more."""
        with self._gate:
            self.report(count)
