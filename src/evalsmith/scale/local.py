"""This machine: threads for kernels, and pinned processes for outside programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evalsmith.scale.here import run_on_threads
from evalsmith.scale.parts import LocalParts, Parts
from evalsmith.scale.threads import cores
from evalsmith.scale.work import How, Job


class Local:
    """Runs items here."""

    name = "local"

    def run(self, job: Job, items: Iterable[Any], how: How) -> Iterator[tuple[Any, Any]]:
        """Items with their results, in the order of the items."""
        if job.light or not job.programs:
            job.prepare_process()
            return run_on_threads(job.worker, items, how, settle=job.programs)
        from evalsmith.scale.process_pool import run_on_processes

        return run_on_processes(job, items, how)

    def slots(self) -> int:
        """One item a core."""
        return cores()

    def hold(self, make: str, described: Sequence[tuple[Any, ...]], how: How) -> Parts:
        """Parts of data in this process."""
        return LocalParts(make, described)

    def close(self) -> None:
        """Nothing outlives the items."""
