"""How the progress of long work is shown: a bar for each stage of it, one after another."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from evalsmith.run.progress import Bar, Progress, Silent

Watch = Callable[[str, int | None, str], AbstractContextManager[Progress]]
"""Begins a stage of the work: its title, the number of units where it is known, and what a unit is called."""

_SECONDS_BETWEEN_LINES = 10


def unwatched(title: str, total: int | None, unit: str) -> AbstractContextManager[Progress]:
    """Show nothing."""
    return nullcontext(Silent())


def bars(title: str, total: int | None, unit: str) -> AbstractContextManager[Progress]:
    """Show a progress bar on standard error."""
    return Tally(title, unit) if total is None else Bar(title, total, unit)


class Tally(Bar):
    """The progress of work whose size is not known in advance: how much is done, and how fast."""

    def __init__(self, title: str, unit: str) -> None:
        super().__init__(title, 0, unit)

    def __enter__(self) -> Tally:
        super().__enter__()
        if self._bar is not None:
            self._bar.update(self._task, total=None)
        return self

    def advance(self, count: int = 1) -> None:
        """Say that ``count`` more units are done."""
        if self._bar is not None:
            super().advance(count)
            return
        self.done += count
        now = time.monotonic()
        if now - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = now
            rate = (self.done - self._first) / max(now - self._began, 1e-9)
            print(f"{self.title}: {self.done:,} {self.unit}, {rate:,.0f}/s", file=sys.stderr, flush=True)
