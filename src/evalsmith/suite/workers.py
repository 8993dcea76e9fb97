"""Positions worked on in parallel: one worker a thread, each with a program or a search of its own.

This is the one place that says where the work of a suite runs. A worker that keeps an outside program stays on one core
together with it: two programs on one core would wait for each other.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from evalsmith.scale import on_threads

T = TypeVar("T")
R = TypeVar("R", covariant=True)
T_in = TypeVar("T_in", contravariant=True)


class Worker(Protocol[T_in, R]):
    """Does one item after another, in the thread that made it."""

    def work(self, item: T_in) -> R:
        """The result of one item."""

    def stop(self) -> None:
        """End what is under way soon; another thread calls this."""

    def close(self) -> None:
        """Leave, and end everything that was started."""


class Stopped(Exception):
    """The work was interrupted; the item is not done."""


def in_parallel(
    make: Callable[[], Worker[T, R]], items: Iterable[T], concurrency: int, *, pin: bool = False
) -> Iterator[tuple[T, R]]:
    """Pairs of item and result as they are done; Ctrl-C stops all workers and is passed on."""
    workers: list[Worker[T, R]] = []
    gate, own = threading.Lock(), threading.local()
    ended = threading.Event()

    def work(item: T) -> R:
        if not hasattr(own, "worker"):
            with gate:
                number = len(workers)
                if pin:
                    _settle(number)
                own.worker = make()
                workers.append(own.worker)
        if ended.is_set():
            raise Stopped
        return own.worker.work(item)  # type: ignore[no-any-return]

    def stop() -> None:
        ended.set()
        for worker in workers:
            worker.stop()

    try:
        yield from on_threads(work, items, concurrency, stop)
    finally:
        for worker in workers:
            worker.close()


def _settle(number: int) -> None:
    """Keep this thread, and the programs that it starts, on one core.

    The thread gives way to its program there: it is not woken by each line that the program writes.
    """
    if not hasattr(os, "sched_setaffinity"):
        return
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {allowed[number % len(allowed)]})
    if sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_OTHER:
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
