"""Items on threads of this process: kernels release the GIL, so threads are all that one machine needs."""

from __future__ import annotations

import contextlib
import contextvars
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from evalsmith.scale.order import Window
from evalsmith.scale.roster import Post, Roster
from evalsmith.scale.threads import cores
from evalsmith.scale.work import How, Locked, Worker

_TICK = 0.2  # seconds between looks at whether new items may still begin


def run_on_threads(
    make: Callable[[], Worker], items: Iterable[Any], how: How, *, settle: bool = False
) -> Iterator[tuple[Any, Any]]:
    """Items with their results, in the order of the items.

    ``settle`` keeps each worker on a core of its own with the programs that it starts, unless ``how`` says otherwise.

    Ctrl-C, or leaving the loop early, stops the workers and waits until every thread has ended, so that no kernel runs
    on in the background. An error of a worker is raised here. The main thread runs no item itself: a kernel cannot
    notice Ctrl-C, so somebody must be there to take it.
    """
    concurrency = max(1, how.concurrency or cores())
    window = Window(items, how.window_for(concurrency), how.going, ordered=how.ordered)
    roster = Roster(how)
    threads = _Threads(make, concurrency, Locked(how.report), roster, settle=settle and how.pin)
    finished = False
    try:
        while True:
            for number, item in window.new_items():
                threads.give(number, item)
            if not window.open:
                break
            if not how.going():
                window.drop(threads.take_back())
                if not window.open:
                    break
            result = threads.next_result()
            if result is not None:
                window.put(*result)
            roster.look()
            yield from window.committed()
        finished = True
    finally:
        threads.end(stop=not finished)
        roster.tell()


class _Threads:
    """Threads with a worker each, started as they are needed."""

    def __init__(self, make: Callable[[], Worker], limit: int, report: Locked, roster: Roster, *, settle: bool) -> None:
        self._make, self._limit, self._report, self._roster, self._settle = make, limit, report, roster, settle
        self._gate = threading.Condition()
        self._waiting: deque[tuple[int, Any]] = deque()
        self._done: queue.SimpleQueue[tuple[int, Any] | BaseException] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers: list[Worker] = []
        self._ended = False

    def give(self, number: int, item: Any) -> None:
        """Have an item done."""
        with self._gate:
            self._waiting.append((number, item))
            self._gate.notify()
        if len(self._threads) < self._limit:
            # numpy keeps its error settings in the context, and a new thread would begin with the usual ones.
            post = self._roster.join(thread=len(self._threads))
            thread = threading.Thread(target=contextvars.copy_context().run, args=(self._serve, post), daemon=True)
            self._threads.append(thread)
            thread.start()

    def take_back(self) -> list[int]:
        """The items that nobody has begun: nobody will."""
        with self._gate:
            numbers = [number for number, _ in self._waiting]
            self._waiting.clear()
        return numbers

    def next_result(self) -> tuple[int, Any] | None:
        """A result with the number of its item; None now and then."""
        try:
            result = self._done.get(timeout=_TICK)
        except queue.Empty:
            return None
        if isinstance(result, BaseException):
            raise result
        return result

    def end(self, *, stop: bool) -> None:
        """Wait until all threads have ended; ``stop`` drops the items under way."""
        with self._gate:
            self._ended = True
            self._gate.notify_all()
            workers = self._workers.copy()
        if stop:
            for worker in workers:
                worker.stop()
        for thread in self._threads:
            with contextlib.suppress(RuntimeError):  # interrupted before it began: it finds that all has ended
                thread.join()

    def _next(self) -> tuple[int, Any] | None:
        """The next item; waits for one. None at the end."""
        with self._gate:
            while not self._waiting and not self._ended:
                self._gate.wait()
            return None if self._ended else self._waiting.popleft()

    def _join(self, worker: Worker) -> bool:
        """Whether a new worker may begin: it has heard of a stop, or will."""
        with self._gate:
            self._workers.append(worker)
            return not self._ended

    def _serve(self, post: Post) -> None:
        worker: Worker | None = None
        try:
            while (entry := self._next()) is not None:
                if worker is None:
                    if self._settle:
                        _settle(post.who["thread"])
                    worker = self._make()
                    if not self._join(worker):
                        break
                post.doing = entry[1]
                result = worker.do(entry[1], self._report)
                post.finished()
                self._done.put((entry[0], result))
        except BaseException as error:
            self._done.put(error)
        finally:
            if worker is not None:
                worker.close()


def _settle(number: int) -> None:
    """Keep this thread, and the programs that it starts, on one core: two on one core would wait for each other.

    The thread gives way to its program there: it is not woken by each line that the program writes.
    """
    if not hasattr(os, "sched_setaffinity"):
        return
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {allowed[number % len(allowed)]})
    if sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_OTHER:
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
