"""The log of an event: one line per finished game, complete or absent, whenever the runner is killed.

A game that is in the log is never played again, and everything else about an event follows from the log.
"""

from __future__ import annotations

import json
import os
import threading
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import numpy as np

from evalsmith.arena.results.entry import GameEntry, GameKey, read_entry
from evalsmith.run import InputError, OutputError, read_json_lines

GAMES = "games.jsonl"
RESULT = "result.json"

_SYNC_EVERY = 1.0  # seconds between writes to the disk itself; a kill loses nothing, a power cut this much


class GameLog:
    """Appends finished games, from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._gate = threading.Lock()
        self._synced = time.monotonic()
        try:
            self._file = open(path, "ab+")  # noqa: SIM115  (held as long as the event runs)
            _drop_torn_line(self._file)
        except OSError as error:
            raise OutputError(f"cannot append to {path}: {error.strerror}") from None

    def append(self, entry: GameEntry) -> None:
        """Save a finished game."""
        line = json.dumps(entry.to_json(), ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
        try:
            with self._gate:
                self._check_place()
                self._file.write(line)
                self._file.flush()
                now = time.monotonic()
                due = now - self._synced > _SYNC_EVERY
                if due:
                    self._synced = now
            if due:  # a disk may be slow: other threads continue meanwhile
                os.fsync(self._file.fileno())
        except OSError as error:
            raise OutputError(f"cannot append to {self.path}: {error.strerror}") from None

    def _check_place(self) -> None:
        """Refuse to write where nobody will find it: the folder was deleted or moved, or the log replaced."""
        try:
            there = self.path.stat()
        except FileNotFoundError:
            raise OutputError(f"{self.path} has vanished while games were played; their results are lost") from None
        if not os.path.samestat(there, os.fstat(self._file.fileno())):
            raise OutputError(f"{self.path} was replaced by another file while games were played")

    def __enter__(self) -> GameLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with self._file:
                self._file.flush()
                os.fsync(self._file.fileno())
                if kind is None:
                    self._check_place()
        except OSError as failure:
            raise OutputError(f"cannot append to {self.path}: {failure.strerror}") from None


def _drop_torn_line(file: BinaryIO) -> None:
    """Cut off a last line that a kill left incomplete; a complete game that only lacks its newline gets it."""
    end = file.seek(0, os.SEEK_END)
    begin = end
    tail = b""
    while begin > 0 and b"\n" not in tail:
        step = min(begin, 1 << 16)
        begin -= step
        file.seek(begin)
        tail = file.read(step) + tail
    torn = tail.rpartition(b"\n")[2]
    if not torn:
        return
    try:
        complete = isinstance(json.loads(torn), dict)
    except ValueError:
        complete = False
    if complete:
        file.write(b"\n")
    else:
        file.truncate(end - len(torn))
    file.flush()


def read_entries(path: Path) -> Iterator[GameEntry]:
    """The finished games one after another; a line that is no game is passed over, and its game is played again."""
    for line in read_json_lines(path):
        entry = read_entry(line)
        if entry is not None:
            yield entry


@dataclass(frozen=True)
class LoggedGames:
    """The finished games of a log, read anew whenever they are asked for."""

    path: Path

    def __iter__(self) -> Iterator[GameEntry]:
        return read_entries(self.path)


def read_log(path: Path) -> dict[GameKey, GameEntry]:
    """The finished games by name, all of them in memory; if a game is there twice, the first one counts."""
    games: dict[GameKey, GameEntry] = {}
    for entry in read_entries(path):
        games.setdefault(entry.key, entry)
    return games


def sorted_entries(path: Path) -> Iterator[GameEntry]:
    """The finished games in the order of their names, each once; in memory is where they are, some bytes for each."""
    places, keys, names = array("q"), array("q"), dict[str, int]()
    try:
        with open(path, "rb") as file:
            place = 0
            for line in file:
                entry = _entry(line)
                if entry is not None:
                    key = entry.key
                    first, second = (names.setdefault(name, len(names)) for name in (key.first, key.second))
                    places.append(place)
                    keys.extend((key.round, first, second, key.pair, key.half))
                place += len(line)
            rank = np.argsort(np.argsort(list(names))) if names else np.empty(0, dtype=np.int64)
            rows = np.frombuffer(keys, dtype=np.int64).reshape(-1, 5).copy()
            rows[:, 1:3] = rank[rows[:, 1:3]]
            order = np.lexsort(rows.T[::-1])  # stable: of a game that is there twice, the first one comes first
            last = None
            for number in order.tolist():
                file.seek(places[number])
                entry = _entry(file.readline())
                if entry is None:
                    raise InputError(f"{path} was changed while it was read")
                if entry.key != last:
                    last = entry.key
                    yield entry
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def _entry(line: bytes) -> GameEntry | None:
    """The game of a line; None if it is none, or was cut off."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return read_entry(value) if isinstance(value, dict) else None
