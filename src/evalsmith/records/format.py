"""The base of every format of game files."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from evalsmith.records.batch import Batch, batched
from evalsmith.records.opening import UNREADABLE, UpToFault, explain, open_bytes
from evalsmith.records.record import Fault, Faults, Record

# Reasons of faults and notes that several formats share.
ILLEGAL = "illegal move"
NO_MOVES = "no moves"
NOT_POSITION = "not a position"
OTHER_BOARD = "another board than the usual one"
LONG_LINE = "the line is too long"
UNFINISHED = "the game is not played to its end"
DISAGREES = "the result told is not that of the final position"
UNREADABLE_FILE = "the file cannot be read"

_BUFFER = 1 << 16
T = TypeVar("T")


class Format(ABC):
    """One format of files of one game. It has ``games`` or, where speed matters, ``batches``; each gives the other.

    ``suffixes`` are those that belong to the format alone, in lower case: a file that has one is taken to be of it.
    """

    name: ClassVar[str]
    game: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    @abstractmethod
    def sniff(self, head: bytes) -> bool:
        """Whether a file that begins so is of this format."""

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The games of an open file, one after another; broken ones go to ``faults``."""
        for batch in self.batches(stream, path, faults):
            yield from batch.records()

    def batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
        """The same games, many at once."""
        return batched(self.games(stream, path, faults), self.game, str(path))

    def read(self, path: Path, faults: Faults) -> Iterator[Record]:
        """The games of a file; where it cannot be read on, that is a fault and the end of it."""
        return self._read(path, faults, self.games)

    def read_batches(self, path: Path, faults: Faults) -> Iterator[Batch]:
        """The same games, many at once."""
        return self._read(path, faults, self.batches)

    def _read(self, path: Path, faults: Faults, games: Callable[[Any, Path, Faults], Iterator[T]]) -> Iterator[T]:
        try:
            file = open_bytes(path)
        except UNREADABLE as error:
            faults.add(Fault(str(path), "", None, UNREADABLE_FILE, explain(error)))
            return
        with file:
            stream = UpToFault(file)
            yield from games(io.BufferedReader(stream, _BUFFER), path, faults)
            if stream.error is not None:
                faults.add(Fault(str(path), "", None, UNREADABLE_FILE, explain(stream.error)))


class BrokenGameError(Exception):
    """Raised inside a format where a game cannot be read; becomes a Fault."""

    def __init__(self, reason: str, detail: str = "", move: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.detail, self.move = reason, detail, move

    def fault(self, path: Path, place: str, game: int) -> Fault:
        """The fault, with the place that only the reader of the file knows."""
        return Fault(str(path), place, game, self.reason, self.detail, self.move)
