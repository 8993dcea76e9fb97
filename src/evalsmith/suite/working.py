"""Positions worked through by their numbers: what is done is in a journal, and what failed is there with its reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evalsmith.run import InputError, Interrupted, Progress
from evalsmith.suite.journal import Journal
from evalsmith.suite.workers import Stopped, Worker, in_parallel

FAILED = "failed"
HOPELESS = 5  # positions that fail before any has succeeded: then it is the player, and not the positions


@dataclass(frozen=True)
class Job:
    """The numbers that wait, where results go, and who works, how many at once."""

    waiting: Sequence[int]
    journal: Journal
    concurrency: int
    pin: bool
    player: str


def work_through(make: Callable[[], Worker[int, dict[str, Any]]], job: Job, bar: Progress) -> None:
    """Work on all that wait; an entry with the key ``failed`` says why there is no other.

    A player that fails from the beginning is given up: nothing of that is written.
    """
    journal, refused = job.journal, list[tuple[int, dict[str, Any]]]()
    hopeful = any(FAILED not in entry for entry in journal.entries.values())
    try:
        for number, entry in in_parallel(make, job.waiting, job.concurrency, pin=job.pin):
            if FAILED in entry and not hopeful:
                refused.append((number, entry))
                if len(refused) >= min(HOPELESS, len(job.waiting)):
                    journal.discard()
                    count, reason = len(refused), entry[FAILED]
                    which = "the only position" if count == 1 else f"each of its first {count} positions"
                    raise InputError(f"{job.player} failed on {which}: {reason}")
                continue
            hopeful = True
            for one in (*refused, (number, entry)):
                journal.add(*one)
                bar.advance()
            refused.clear()
    except (KeyboardInterrupt, Stopped):
        raise Interrupted(
            f"{len(journal.entries):,} positions are done in {journal.path.parent}; run the same command to resume",
            journal.path.parent,
        ) from None
