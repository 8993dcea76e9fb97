"""Who watches long work: a bar for each stretch of it, one after another."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from evalsmith.run import Bar, Progress, Silent

Watch = Callable[[str, int, str], AbstractContextManager[Progress]]
"""Begins a stretch of work: its title, how many units it has, and what they are called."""


def unwatched(title: str, total: int, unit: str) -> AbstractContextManager[Progress]:
    """Nobody watches."""
    return nullcontext(Silent())


def bars(title: str, total: int, unit: str) -> AbstractContextManager[Progress]:
    """A bar on standard error."""
    return Bar(title, total, unit)
