"""Positions worked through by their numbers: what is done is in a journal, and what failed is there with its reason.

Several positions go to a worker at once, as many as take a fifth of a second: what it costs to hand them over, and to
write them down, does not matter then, and a kill loses little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from evalsmith.run import InputError, Interrupted, Progress
from evalsmith.scale import How, Job, run
from evalsmith.suite.engines import Stopped
from evalsmith.suite.journal import Journal

FAILED = "failed"
HOPELESS = 5  # positions that fail before any has succeeded: then it is the player, and not the positions
_BATCH_SECONDS = 0.2
_LARGEST_BATCH = 32

Entry = dict[str, Any]


class Batch(NamedTuple):
    """Some positions: their numbers in the suite, and their texts."""

    numbers: tuple[int, ...]
    texts: tuple[str, ...]

    def __str__(self) -> str:
        first, last = self.numbers[0] + 1, self.numbers[-1] + 1
        return f"position {first}" if first == last else f"positions {first} to {last}"


class Done(NamedTuple):
    """What the journal stores of each position of a batch, and the seconds that all took."""

    entries: list[Entry]
    seconds: float


def done(batch: Batch, work: Callable[[Batch], list[Entry]]) -> Done:
    """A batch done by ``work``, as a worker gives it back."""
    began = time.perf_counter()
    try:
        return Done(work(batch), time.perf_counter() - began)
    except Stopped:
        raise KeyboardInterrupt from None


def is_done(item: Batch, result: object) -> bool:
    """Whether a result has an entry for each position."""
    return isinstance(result, Done) and len(result.entries) == len(item.numbers)


@dataclass(frozen=True)
class Task:
    """Who works, on which numbers (the texts are those of all positions), and where the results go."""

    job: Job
    player: str
    waiting: Sequence[int]
    text_of: Callable[[int], str]
    journal: Journal


def work_through(task: Task, how: How, bar: Progress) -> None:
    """Work on all that wait; an entry with the key ``failed`` says why there is no other.

    A player that fails from the beginning is given up: nothing of that is written.
    """
    ledger = _Ledger(task, bar)
    try:
        for batch, result in run(task.job, ledger.batches(), how):
            ledger.add(batch, result)
    except KeyboardInterrupt:
        path, count = task.journal.path.parent, len(task.journal.entries)
        raise Interrupted(f"{count:,} positions are done in {path}; run the same command to resume", path) from None


@dataclass
class _Ledger:
    """Hands positions out, and writes what was found."""

    task: Task
    bar: Progress
    refused: list[tuple[int, Entry]] = field(default_factory=list)
    pace: float | None = None  # seconds a position, of late

    def __post_init__(self) -> None:
        self.hopeful = any(FAILED not in entry for entry in self.task.journal.entries.values())

    def batches(self) -> Iterator[Batch]:
        """All that waits; one by one until it is known how long they take."""
        waiting, begin = self.task.waiting, 0
        while begin < len(waiting):
            size = 1 if self.pace is None else int(_BATCH_SECONDS / max(self.pace, 1e-6))
            numbers = tuple(waiting[begin : begin + max(1, min(size, _LARGEST_BATCH))])
            yield Batch(numbers, tuple(map(self.task.text_of, numbers)))
            begin += len(numbers)

    def add(self, batch: Batch, result: Done) -> None:
        """Write what was found; batches come as they are done."""
        pace = result.seconds / len(batch.numbers)
        self.pace = pace if self.pace is None else 0.5 * (self.pace + pace)
        found = list(zip(batch.numbers, result.entries, strict=True))
        self.hopeful = self.hopeful or any(FAILED not in entry for _, entry in found)
        self.refused += found
        if self.hopeful:
            self.task.journal.add_all(self.refused)
            self.bar.advance(len(self.refused))
            self.refused.clear()
        else:
            self._judge(result.entries[-1])

    def _judge(self, last: Entry) -> None:
        count = len(self.refused)
        if count < min(HOPELESS, len(self.task.waiting)):
            return
        self.task.journal.discard()
        which = "the only position" if count == 1 else f"each of its first {count} positions"
        raise InputError(f"{self.task.player} failed on {which}: {last[FAILED]}")
