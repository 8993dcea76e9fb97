"""Threads for kernels: they release the GIL, so threads are all that this machine needs.

The main thread never runs a long kernel itself: a kernel cannot notice Ctrl-C, so a waiting main
thread must be there to take it and to raise the kernel's stop flag.
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def interruptible(work: Callable[[], R], stop: Callable[[], None]) -> R:
    """Run ``work`` beside the main thread; on Ctrl-C call ``stop``, wait for it, and pass the interrupt on.

    Ctrl-C reaches the main thread alone, so any other one does the work itself: a further thread would have to wait for
    a core, and this one once more after it, while somebody's clock runs.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    [(_, result)] = on_threads(lambda _: work(), [None], 1, stop)
    return result


def on_threads(
    work: Callable[[T], R], items: Iterable[T], concurrency: int, stop: Callable[[], None]
) -> Iterator[tuple[T, R]]:
    """Pairs of item and result as they are done, by ``concurrency`` threads.

    Ctrl-C, or leaving the loop early, calls ``stop`` and waits until every thread has ended, so that
    no kernel runs on in the background. An error in a thread is raised here.
    """
    waiting = iter(items)
    gate = threading.Lock()
    ended = threading.Event()
    done: queue.Queue[tuple[T, R] | BaseException | None] = queue.Queue()

    def serve() -> None:
        try:
            while not ended.is_set():
                with gate:
                    try:
                        item = next(waiting)
                    except StopIteration:
                        break
                done.put((item, work(item)))
        except BaseException as error:
            done.put(error)
        finally:
            done.put(None)

    threads: list[threading.Thread] = []
    finished = False
    try:
        for _ in range(max(1, concurrency)):
            # numpy keeps its error settings in the context, and a new thread would begin with the usual ones.
            thread = threading.Thread(target=contextvars.copy_context().run, args=(serve,), daemon=True)
            threads.append(thread)
            thread.start()
        alive = len(threads)
        while alive:
            entry = done.get()
            if entry is None:
                alive -= 1
            elif isinstance(entry, BaseException):
                raise entry
            else:
                yield entry
        finished = True
    finally:
        if not finished:
            ended.set()
            stop()
        for thread in threads:
            with contextlib.suppress(RuntimeError):  # interrupted before it began: it finds that all has ended
                thread.join()
