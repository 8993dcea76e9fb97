"""Items whose workers run outside programs, in processes: one item a worker, pinned to a core with its programs.

Workers die with us, and programs with their worker. The item of a worker that died is done again by another one.
"""

from __future__ import annotations

import os
import selectors
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from evalsmith.run import EvalsmithError
from evalsmith.scale.order import Window
from evalsmith.scale.roster import Post, Roster
from evalsmith.scale.threads import cores
from evalsmith.scale.work import How, Job
from evalsmith.scale.worker_server import WorkerProcess, WorkerServer, ended

TRIES = 3  # workers that an item may cost before we say that something is wrong
TICK = 0.2  # seconds between looks at whether we are asked to stop


def run_on_processes(job: Job, items: Iterable[Any], how: How) -> Iterator[tuple[Any, Any]]:
    """Items with their results, in the order of the items."""
    concurrency = max(1, how.concurrency or cores())
    window = Window(items, how.window_for(concurrency), how.going, ordered=how.ordered)
    roster = Roster(how)
    pool = _Pool(WorkerServer(job), concurrency, how, window, roster)
    try:
        while True:
            pool.waiting.extend(number for number, _ in window.new_items())
            if not how.going():
                window.drop(pool.waiting)
                pool.waiting.clear()
            pool.fill()
            if not window.open:
                return
            pool.listen()
            roster.look()
            yield from window.committed()
    finally:
        pool.close()
        roster.tell()


@dataclass(eq=False)
class _Place:
    """A worker, its core, and the item that it does."""

    worker: WorkerProcess
    core: int | None
    post: Post
    doing: int | None = None


@dataclass
class _Pool:
    """Worker processes, and the items that wait for one."""

    server: WorkerServer
    concurrency: int
    how: How
    window: Window
    roster: Roster
    waiting: deque[int] = field(default_factory=deque)
    places: list[_Place] = field(default_factory=list)
    lost: dict[int, int] = field(default_factory=dict)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def fill(self) -> None:
        """Give items to the workers that have none, and to new ones, as far as there are items."""
        idle = [place for place in self.places if place.doing is None]
        while self.waiting and (idle or len(self.places) < self.concurrency):
            if not idle:
                core = self._core(len(self.places))
                worker = self.server.start(core)
                place = _Place(worker, core, self.roster.join(pid=worker.pid))
                self.places.append(place)
                self.selector.register(place.worker.output, selectors.EVENT_READ, place)
                idle = [place]
            self._give(idle.pop(0), self.waiting.popleft())

    def listen(self) -> None:
        """Take what workers say within a tick; replace those that have died."""
        for event, _ in self.selector.select(TICK):
            place: _Place = event.data
            alive = place.worker.hear()
            self._take(place)
            if not alive:
                self.selector.unregister(event.fileobj)
                self._replace(place)

    def close(self) -> None:
        """End all workers and their programs."""
        self.selector.close()
        self.server.stop([place.worker for place in self.places if place.doing is not None])
        for place in self.places:
            place.worker.close()
        self.server.close()

    def _core(self, number: int) -> int | None:
        """The core of one of the workers."""
        allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        return allowed[number % len(allowed)] if self.how.pin and allowed else None

    def _give(self, place: _Place, number: int) -> None:
        item = self.window.item(number)
        place.doing, place.post.doing = number, item
        place.worker.tell(item)

    def _take(self, place: _Place) -> None:
        while place.worker.said:
            kind, value = place.worker.said.pop(0)
            if kind == "units":
                self.how.report(value)
            elif kind == "error":
                raise value
            else:
                assert place.doing is not None
                self.window.put(place.doing, value)
                place.doing = None
                place.post.finished()
                self.fill()

    def _replace(self, place: _Place) -> None:
        """Have the item of a worker that has died done again."""
        place.worker.close()
        code = self.server.reap(place.worker)
        self.roster.lose(place.post, ended(code))
        number = place.doing
        if number is None:
            self.places.remove(place)
            self.roster.posts.remove(place.post)
            return
        self.lost[number] = self.lost.get(number, 0) + 1
        if self.lost[number] >= TRIES:
            raise EvalsmithError(
                f"the process that did {self.window.item(number)} ended {TRIES} times, with {ended(code)}"
            )
        place.worker = self.server.start(place.core)
        place.post.who["pid"] = place.worker.pid
        self._give(place, number)
        self.selector.register(place.worker.output, selectors.EVENT_READ, place)
