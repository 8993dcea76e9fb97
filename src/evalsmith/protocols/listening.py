"""Listening while the engine thinks: in protocols without ``stop``, ``quit`` still ends a search at once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator

from evalsmith.protocols.engine import Engine

_AGAIN = 0.002  # seconds: a search that begins after the stop was said must hear it too


def listen(lines: Iterable[str], engine: Engine) -> Iterator[str]:
    """The lines as they come, read beside the engine; ``quit`` stops the running search."""
    waiting: queue.Queue[str | None] = queue.Queue()
    over = threading.Event()

    def read() -> None:
        for line in lines:
            waiting.put(line)
            if line.split()[-1:] in (["quit"], ["Quit"]):
                while not over.wait(_AGAIN):
                    if engine.ready:
                        engine.searcher.stop()
                return
        waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    try:
        while (line := waiting.get()) is not None:
            yield line
    finally:
        over.set()
