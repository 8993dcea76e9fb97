"""The base of every format of game files."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, TypeVar

from evalsmith.records.batch import Batch, batched
from evalsmith.records.opening import UNREADABLE, UpToFault, bare_suffix, explain, parts
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.record import Fault, Faults, Record
from evalsmith.run.errors import InputError

# Reasons of faults and warnings that several formats share.
ILLEGAL = "illegal move"
NO_MOVES = "no moves"
NOT_POSITION = "not a position"
OTHER_BOARD = "not the standard board"
LONG_LINE = "the line is too long"
UNFINISHED = "the game is not played to its end"
DISAGREES = "the stated result is not that of the final position"
UNREADABLE_FILE = "the file cannot be read"
OTHER_FORMAT = "a file of an archive that is of another format"

_BUFFER = 1 << 16
T = TypeVar("T")


class Format(ABC):
    """One format of files of one game. It has ``games`` or, where speed matters, ``batches``; each gives the other.

    ``suffixes`` are those that belong to the format alone, in lower case: a file that has one is taken to be of it.
    ``written_suffixes`` are others that it is written under; a file that has one is looked into.
    ``positions`` tells the lists of positions that have ``position_batches``; their games are records without moves.
    """

    name: ClassVar[str]
    game: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    written_suffixes: ClassVar[tuple[str, ...]] = ()
    positions: ClassVar[bool] = False
    # What a file begins with, and what stands between two games, where they are written.
    heading: ClassVar[str] = ""
    between: ClassVar[str] = ""

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

    def position_batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[PositionBatch]:
        """The positions of a list, many at once; only where ``positions`` is set."""
        raise NotImplementedError(f"{self.name} is not a list of positions")

    def read(self, path: Path, faults: Faults) -> Iterator[Record]:
        """The games of a file; where it cannot be read on, that is a fault and the end of it."""
        return self._read(path, faults, self.games)

    def read_batches(self, path: Path, faults: Faults, begin: tuple[int, ...] = ()) -> Iterator[Batch]:
        """The same games, many at once; ``begin`` is where an earlier batch of the file said that it goes on."""
        batches: Callable[..., Iterator[Batch]] = self.batches
        return self._read(path, faults, partial(batches, begin=begin) if begin else batches)

    def read_position_batches(self, path: Path, faults: Faults, begin: tuple[int, ...] = ()) -> Iterator[PositionBatch]:
        """The positions of a list, many at once; only where ``positions`` is set."""
        batches: Callable[..., Iterator[PositionBatch]] = self.position_batches
        return self._read(path, faults, partial(batches, begin=begin) if begin else batches)

    def format_record(self, record: Record) -> str:
        """A game as the text that stands for it in a file; an InputError where it does not fit."""
        raise InputError(f"games cannot be written as {self.name}")

    def write(
        self,
        stream: BinaryIO,
        records: Iterable[Record],
        refused: Callable[[Record, InputError], None] | None = None,
    ) -> int:
        """Write games, one after another; how many. One that does not fit is an InputError, or goes to ``refused``."""
        count = 0
        for record in records:
            try:
                text = self.format_record(record)
            except InputError as error:
                if refused is None or not self.writable:
                    raise
                refused(record, error)
                continue
            stream.write(((self.between if count else self.heading) + text).encode())
            count += 1
        return count

    def write_positions(
        self, stream: BinaryIO, batches: Iterable[PositionBatch], lost: Counter[str], refused: Counter[str]
    ) -> int:
        """Write positions; how many. What is lost of them and which do not fit is counted by reason."""
        raise InputError(f"positions cannot be written as {self.name}")

    @property
    def all_suffixes(self) -> tuple[str, ...]:
        """The suffixes under which files of this format may be written."""
        return (*self.suffixes, *self.written_suffixes)

    @property
    def writable(self) -> bool:
        """Whether games can be written in this format."""
        return type(self).format_record is not Format.format_record

    @property
    def writes_positions(self) -> bool:
        """Whether lists of positions can be written in this format."""
        return type(self).write_positions is not Format.write_positions

    def _read(self, path: Path, faults: Faults, games: Callable[[Any, Path, Faults], Iterator[T]]) -> Iterator[T]:
        for part in parts(path):
            try:
                file = part.open()
            except UNREADABLE as error:
                faults.add(Fault(str(part.path), "", None, UNREADABLE_FILE, explain(error)))
                continue
            with file:
                stream = UpToFault(file)
                content = io.BufferedReader(stream, _BUFFER)
                if part.alone or self.takes(part.path, content.peek(1)):
                    yield from games(content, part.path, faults)
                elif stream.error is None:
                    faults.warn(OTHER_FORMAT)
                if stream.error is not None:
                    faults.add(Fault(str(part.path), "", None, UNREADABLE_FILE, explain(stream.error)))

    def takes(self, path: Path, head: bytes) -> bool:
        """Whether a file of that name that begins so is of this format."""
        return bare_suffix(path) in self.suffixes or self.sniff(head)


class BrokenGameError(Exception):
    """Raised inside a format where a game cannot be read; becomes a Fault."""

    def __init__(self, reason: str, detail: str = "", move: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.detail, self.move = reason, detail, move

    def fault(self, path: Path, place: str, game: int) -> Fault:
        """The fault, with the place that only the reader of the file knows."""
        return Fault(str(path), place, game, self.reason, self.detail, self.move)
