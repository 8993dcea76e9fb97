"""The workers on this machine, for those who watch: how many there are, what each does, and what it has done.

Every ten seconds, and when the work ends, that is one line of the events; a worker that is lost is one at once.
"""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from evalsmith.scale.work import How, counted

EVENT_EVERY = 10.0  # seconds
_LONGEST_NAME = 200


@dataclass(eq=False)
class Post:
    """One worker: the number of its thread or process, and the item that it does."""

    who: dict[str, int]
    doing: Any = None
    done: int = 0

    def finished(self) -> None:
        """The item is done."""
        self.doing = None
        self.done += 1


def name_of(item: Any) -> str:
    """An item in a few words; nothing where there is none."""
    return "" if item is None else str(item)[:_LONGEST_NAME]


def load() -> float:
    """How many processes want each core."""
    return round(os.getloadavg()[0] / (os.cpu_count() or 1), 2)


@dataclass
class Roster:
    """All workers of one job here."""

    how: How
    posts: list[Post] = field(default_factory=list)
    _told: float = field(default_factory=time.monotonic)

    def join(self, **who: int) -> Post:
        """A new worker."""
        post = Post(who)
        self.posts.append(post)
        self.how.crew(counted(len(self.posts), "worker"))
        return post

    def lose(self, post: Post, reason: str) -> None:
        """A worker has ended; its item is not done."""
        self.how.event(
            "worker", what="lost", host=socket.gethostname(), **post.who, done=post.done, doing=name_of(post.doing),
            reason=reason,
        )  # fmt: skip

    def look(self) -> None:
        """Tell what everybody does, if it is time to."""
        if time.monotonic() - self._told >= EVENT_EVERY:
            self.tell()

    def tell(self) -> None:
        """Tell what everybody does."""
        self._told = time.monotonic()
        if self.posts:
            host, now = socket.gethostname(), load()
            self.how.event("workers", workers=[
                {"host": host, **post.who, "done": post.done, "doing": name_of(post.doing), "load": now}
                for post in self.posts
            ])  # fmt: skip
