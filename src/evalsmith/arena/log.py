"""The log of an event: one line a finished game, whole or not there at all, whenever the runner is killed.

A game is named by its round, its two players, its pair and its half. The first player of a name has side 0 in half 0
and side 1 in half 1. What is in the log is never played again, and everything else about an event follows from it.
"""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

from evalsmith.run import OutputError, read_json_lines

GAMES = "games.jsonl"
RESULT = "result.json"

_SYNC_EVERY = 1.0  # seconds between writes to the disk itself; a kill loses nothing, a power cut this much

Entry = dict[str, Any]


class GameKey(NamedTuple):
    """The name of a game."""

    round: int
    first: str
    second: str
    pair: int
    half: int

    @property
    def sides(self) -> tuple[str, str]:
        """Who has side 0, and who side 1."""
        return (self.first, self.second) if self.half == 0 else (self.second, self.first)


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

    def append(self, entry: Entry) -> None:
        """Keep a finished game."""
        line = json.dumps(entry, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
        try:
            with self._gate:
                self._file.write(line)
                self._file.flush()
                now = time.monotonic()
                due = now - self._synced > _SYNC_EVERY
                if due:
                    self._synced = now
            if due:  # a disk may take long: the others go on meanwhile
                os.fsync(self._file.fileno())
        except OSError as error:
            raise OutputError(f"cannot append to {self.path}: {error.strerror}") from None

    def __enter__(self) -> GameLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
        except OSError as failure:
            raise OutputError(f"cannot append to {self.path}: {failure.strerror}") from None


def _drop_torn_line(file: BinaryIO) -> None:
    """Cut off what a kill has left of a last line; a whole game that only lacks its end gets it."""
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
        whole = isinstance(json.loads(torn), dict)
    except ValueError:
        whole = False
    if whole:
        file.write(b"\n")
    else:
        file.truncate(end - len(torn))
    file.flush()


def read_log(path: Path) -> dict[GameKey, Entry]:
    """The finished games by name; of a game that stands there twice, the first counts."""
    games: dict[GameKey, Entry] = {}
    for entry in read_json_lines(path):
        if _is_game(entry):
            games.setdefault(key_of(entry), entry)
    return games


def key_of(entry: Entry) -> GameKey:
    """The name of a logged game."""
    sides, half = entry["sides"], entry["half"]
    return GameKey(entry.get("round", 0), sides[half], sides[1 - half], entry["pair"], half)


def value_for_first(key: GameKey, entry: Entry) -> int:
    """The result for the first player of the name."""
    result = int(entry["result"])
    return result if key.half == 0 else -result


def failed_sides(entry: Entry) -> set[int]:
    """The sides whose players failed."""
    return {failed["side"] for failed in entry.get("failed") or ()}


def sign(value: int) -> int:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)


def _is_game(entry: Entry) -> bool:
    """Whether a line is a game; what else may stand there is passed over, and the game is played again."""
    numbers = (entry.get("pair"), entry.get("half"), entry.get("result"), entry.get("round", 0))
    lists = (entry.get("seconds"), entry.get("sides"))
    return (
        all(isinstance(number, int) for number in numbers)
        and entry["pair"] >= 0
        and entry["half"] in (0, 1)
        and all(isinstance(part, list) for part in lists)
        and len(entry["seconds"]) == len(entry["sides"]) == 2
        and all(isinstance(name, str) for name in entry["sides"])
        and isinstance(entry.get("reason"), str)
        and isinstance(entry.get("failed") or [], list)
        and all(isinstance(one, dict) and one.get("side") in (0, 1) for one in entry.get("failed") or [])
    )
