"""Positions worked through by their numbers: what is done is in a journal, and what failed is there with its reason."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalsmith.run import InputError, Interrupted, Progress
from evalsmith.suite.journal import Journal
from evalsmith.suite.workers import Stopped, Worker, in_parallel

FAILED = "failed"
HOPELESS = 5  # positions that fail before any has succeeded: then it is the player, and not the positions
_LARGEST_CHUNK = 32

Entry = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """The numbers that wait, where results go, and who works, how many at once."""

    waiting: Sequence[int]
    journal: Journal
    concurrency: int
    pin: bool
    player: str


def work_through(make: Callable[[], Worker[int, Entry]], job: Job, bar: Progress) -> None:
    """Work on all that wait; an entry with the key ``failed`` says why there is no other.

    A player that fails from the beginning is given up: nothing of that is written.
    """
    ledger = _Ledger(job, bar)
    try:
        for _ in in_parallel(lambda: _Chunked(make(), ledger), _chunks(job), job.concurrency, pin=job.pin):
            pass
    except (KeyboardInterrupt, Stopped):
        path = job.journal.path.parent
        done = len(job.journal.entries)
        raise Interrupted(f"{done:,} positions are done in {path}; run the same command to resume", path) from None


def _chunks(job: Job) -> Iterator[Sequence[int]]:
    """Several numbers at once, because threads that meet for each short search would wait for each other.

    Chunks become smaller, so that all workers end at about the same time.
    """
    begin = 0
    while begin < len(job.waiting):
        size = max(1, min(_LARGEST_CHUNK, (len(job.waiting) - begin) // (8 * job.concurrency)))
        yield job.waiting[begin : begin + size]
        begin += size


@dataclass
class _Ledger:
    """Writes what workers have done, each position at once; one of them at a time."""

    job: Job
    bar: Progress
    refused: list[tuple[int, Entry]] = field(default_factory=list)
    gate: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.hopeful = any(FAILED not in entry for entry in self.job.journal.entries.values())

    def add(self, number: int, entry: Entry) -> None:
        with self.gate:
            if FAILED in entry and not self.hopeful:
                self.refused.append((number, entry))
                self._judge(entry)
                return
            self.hopeful = True
            for one in (*self.refused, (number, entry)):
                self.job.journal.add(*one)
                self.bar.advance()
            self.refused.clear()

    def _judge(self, last: Entry) -> None:
        count = len(self.refused)
        if count < min(HOPELESS, len(self.job.waiting)):
            return
        self.job.journal.discard()
        which = "the only position" if count == 1 else f"each of its first {count} positions"
        raise InputError(f"{self.job.player} failed on {which}: {last[FAILED]}")


@dataclass(frozen=True)
class _Chunked:
    """A worker that is given several numbers at once."""

    worker: Worker[int, Entry]
    ledger: _Ledger

    def work(self, item: Sequence[int]) -> int:
        for number in item:
            self.ledger.add(number, self.worker.work(number))
        return len(item)

    def stop(self) -> None:
        self.worker.stop()

    def close(self) -> None:
        self.worker.close()
