"""The log of an event: one line per finished game, complete or absent, whenever the runner is killed.

A game that is in the log is never played again, and everything else about an event follows from the log.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

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


def read_log(path: Path, brief: bool = False) -> dict[GameKey, GameEntry]:
    """The finished games by name; if a game is there twice, the first one counts.

    ``brief`` leaves out the moves and what was said of them, which is nearly all of the memory that games take.
    """
    games: dict[GameKey, GameEntry] = {}
    for entry in read_entries(path):
        games.setdefault(entry.key, entry.brief() if brief else entry)
    return games


class StoredGames(Mapping[GameKey, GameEntry]):
    """The games of a log, each of them read when it is asked for; only their places are in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[GameKey, int] = {}
        place = 0
        try:
            with open(path, "rb") as file:
                for line in file:
                    entry = _entry(line)
                    if entry is not None:
                        self._places.setdefault(entry.key, place)
                    place += len(line)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from None

    def __getitem__(self, key: GameKey) -> GameEntry:
        place = self._places[key]
        try:
            with open(self.path, "rb") as file:
                file.seek(place)
                entry = _entry(file.readline())
        except OSError as error:
            raise InputError(f"cannot read {self.path}: {error.strerror}") from None
        if entry is None or entry.key != key:
            raise InputError(f"{self.path} was changed while it was read")
        return entry

    def __iter__(self) -> Iterator[GameKey]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _entry(line: bytes) -> GameEntry | None:
    """The game of a line; None if it is none, or was cut off."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return read_entry(value) if isinstance(value, dict) else None


def with_moves(run: Path | None, entries: Iterable[GameEntry]) -> list[GameEntry]:
    """The games with their moves, from the log of a run; as they are where there is no run."""
    entries = list(entries)
    if run is None or not entries:
        return entries
    stored = StoredGames(run / GAMES)
    return [stored.get(entry.key, entry) for entry in entries]
