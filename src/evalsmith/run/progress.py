"""Progress of long work on standard error: how far, how fast, how long still."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import RenderableType


class Progress(Protocol):
    """What long work tells: that ``count`` more of its units are done."""

    def advance(self, count: int = 1) -> None:
        """Say that ``count`` more units are done."""


def resume(progress: Progress, count: int) -> None:
    """Say that ``count`` units were done before: they show as done, and the rate counts those that follow."""
    # Whoever shows progress may leave this out; then earlier units look like new ones.
    taken = getattr(progress, "resume", None) or progress.advance
    taken(count)


def note(progress: Progress, text: str) -> None:
    """Show how the work stands beside how far it is; nothing where progress cannot show it."""
    shown = getattr(progress, "note", None)
    if shown is not None:
        shown(text)


def workers(progress: Progress, text: str) -> None:
    """Show who does the work; nothing where progress cannot show it."""
    shown = getattr(progress, "workers", None)
    if shown is not None:
        shown(text)


class Silent:
    """A progress that nobody watches."""

    def advance(self, count: int = 1) -> None:
        """Nothing to show."""


class Bar:
    """A rich bar on a terminal; a line every ten seconds where there is none."""

    def __init__(self, title: str, total: int, unit: str, *, done: int = 0) -> None:
        self.title, self.total, self.unit, self.done = title, total, unit, done
        self._began = time.monotonic()
        self._first = done
        self._said = self._began
        self._note = self._workers = ""
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            self._bar = _terminal_bar()
            self._bar.start()
            self._task = self._bar.add_task(self.title, total=self.total, completed=self.done, rate="", note="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def resume(self, count: int) -> None:
        """Say that ``count`` units were done before."""
        self.done += count
        self._first += count
        self._began = time.monotonic()
        if self._bar is not None:
            # The remaining time is that of the units to come, so those before are no step of it.
            self._bar.reset(self._task, total=self.total or None, completed=self.done, rate="", note=self._words)

    def note(self, text: str) -> None:
        """Show how the work stands."""
        self._note = text
        self._show()

    def workers(self, text: str) -> None:
        """Show who does the work."""
        self._workers = text
        self._show()

    def _show(self) -> None:
        if self._bar is not None:
            self._bar.update(self._task, note=self._words)

    @property
    def _words(self) -> str:
        """What stands behind the numbers."""
        return "; ".join(text for text in (self._workers, self._note) if text)

    def rename(self, title: str) -> None:
        """Show another title from now on."""
        self.title = title
        if self._bar is not None:
            self._bar.update(self._task, description=title)

    def advance(self, count: int = 1) -> None:
        """Say that ``count`` more units are done."""
        self.done += count
        now = time.monotonic()
        rate = (self.done - self._first) / max(now - self._began, 1e-9)
        if self._bar is not None:
            self._bar.update(self._task, completed=self.done, rate=f"{_number(rate)} {self.unit}/s")
        elif now - self._said >= 10:
            self._said = now
            left = f"{max(0, self.total - self.done) / rate:,.0f} s" if rate > 0 else "an unknown time"
            line = f"{self.title}: {self.done:,} of {self.total:,} {self.unit}, {_number(rate)}/s, {left} left"
            print(f"{line}; {self._words}" if self._words else line, file=sys.stderr, flush=True)


def _terminal_bar() -> Any:
    """A bar with its numbers, and below it how the work stands: on one line a narrow terminal would cut it off."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress
    from rich.text import Text

    class Lines(RichProgress):
        def get_renderables(self) -> Iterator[RenderableType]:
            yield from super().get_renderables()
            for task in self.tasks:
                if task.fields["note"]:
                    yield Text(task.fields["note"])

    return Lines(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
