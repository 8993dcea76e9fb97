"""The pipes of an engine: lines are read during the search, answers are complete lines, ``quit`` ends all at once."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import sys
import threading
from collections.abc import Iterable, Iterator

from evalsmith.engine import MctsSearcher, Searcher
from evalsmith.games import Game
from evalsmith.protocols.engine import Engine, EngineOptions

_AGAIN = 0.002  # seconds: a search that begins after the stop was said must hear it too


def standard_lines() -> Iterable[str]:
    """Standard input, line by line; bytes that are no text are replaced, for a line of nonsense must not end us."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    return sys.stdin if sys.stdin is not None else ()


def write(text: str) -> None:
    """Write to standard output and let it go at once.

    When the reader has gone, only the main thread says so: the search needs no reader to end.
    """
    if sys.stdout is None:  # closed before we began: as if nobody read
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        if threading.current_thread() is threading.main_thread():
            raise


def asks_to_quit(line: str) -> bool:
    """Whether a line is ``quit`` in any of the protocols; GTP may number it and comment on it."""
    words = line.partition("#")[0].split()
    return [word.lower() for word in (words[1:] if words and words[0].isdecimal() else words)] == ["quit"]


def listen(lines: Iterable[str], engine: Engine) -> Iterator[str]:
    """The lines as they come, read beside the engine; ``quit`` is the last, and stops the running search.

    For protocols without ``stop``, whose servers wait for a search to end.
    """
    waiting: queue.Queue[str | None] = queue.Queue()
    over = threading.Event()

    def read() -> None:
        for line in lines:
            waiting.put(line)
            if asks_to_quit(line):
                waiting.put(None)
                while not over.wait(_AGAIN):
                    if engine.ready:
                        engine.interrupt()
                return
        waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    try:
        while (line := waiting.get()) is not None:
            yield line
    finally:
        over.set()


def started(game: Game, options: EngineOptions) -> Engine:
    """An engine that says on standard error what it made of a bound on memory."""

    def tell(searcher: Searcher | MctsSearcher) -> None:
        if options.memory_bytes is not None:
            print(f"memory: {searcher.memory}", file=sys.stderr, flush=True)

    return Engine(game, options, tell)


def leave() -> None:
    """End the process now: an interface waits for it, and taking a Python process apart takes a tenth of a second."""
    if sys.stdin is sys.__stdin__:  # else we are a guest in somebody's process
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.flush()
        os._exit(0)
