"""What every binary format of positions shares: columns of positions in, records of one size out, and back.

Scores and results are in the game's unit, and UNKNOWN where nothing is known. Whose view they are is said at each call:
``"mover"`` is the side to move, ``"first"`` is side 0 (White in chess, Black in shogi and Othello).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from evalsmith.run.errors import InputError, RecordError

UNKNOWN = -(2**31)  # the same number as in records and datasets
MOVER, FIRST = VIEWS = ("mover", "first")
NO_MOVE = -1
HIGHEST_SCORE = 2**15 - 1  # in the formats that store a score in 16 bits
NO_SCORE, NO_RESULT = "the score is not known", "the result is not known"

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Positions:
    """Positions as columns, one row each.

    ``words`` are laid out as the game says. ``plies`` count from 0 at the start of the game, -1 is unknown; ``moves``
    are the best moves as the game numbers them, NO_MOVE where there is none.
    """

    words: npt.NDArray[np.uint64]
    scores: Numbers
    results: Numbers
    plies: Numbers
    moves: Numbers

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(
        cls,
        words: npt.NDArray[np.uint64],
        scores: npt.ArrayLike | None = None,
        results: npt.ArrayLike | None = None,
        plies: npt.ArrayLike | None = None,
        moves: npt.ArrayLike | None = None,
    ) -> Positions:
        """Columns from what is there; the others are unknown."""
        # Kernels take no array that is locked against writing, as one from a mapped file is.
        rows = np.require(words, np.uint64, ["C", "W"])
        columns = []
        for name, given, unknown in (
            ("scores", scores, UNKNOWN),
            ("results", results, UNKNOWN),
            ("plies", plies, -1),
            ("moves", moves, NO_MOVE),
        ):
            column = np.full(len(rows), unknown, np.int32) if given is None else np.asarray(given, dtype=np.int32)
            if column.shape != (len(rows),):
                raise InputError(f"{len(rows)} positions need as many {name}, not {column.shape}")
            columns.append(column)
        return cls(rows, *columns)

    def take(self, rows: npt.NDArray[Any]) -> Positions:
        """Some of the rows, by number or by a mask."""
        return Positions(
            np.ascontiguousarray(self.words[rows]),
            self.scores[rows],
            self.results[rows],
            self.plies[rows],
            self.moves[rows],
        )


@dataclass(frozen=True)
class Wrong:
    """A row that cannot be packed, or a record that cannot be: counted from 0, with the first wrong byte of it."""

    row: int
    reason: str
    byte: int = 0


@dataclass(frozen=True)
class Packed:
    """Records (uint8, one row each), the rows they were made of, and what could not be stored.

    ``refused`` are the rows that have no record. ``lost`` counts what the format has no place for, by name.
    """

    content: Bytes
    rows: npt.NDArray[np.int64]
    refused: tuple[Wrong, ...]
    lost: Mapping[str, int]


@dataclass(frozen=True)
class Unpacked:
    """The positions of the sound records, with the number of each record from 0, and the unsound records."""

    positions: Positions
    rows: npt.NDArray[np.int64]
    wrong: tuple[Wrong, ...]
    warnings: Mapping[str, int]


class Packing(ABC):
    """One binary format of positions: records of ``size`` bytes, without a header."""

    name: ClassVar[str]
    game: ClassVar[str]
    size: ClassVar[int]

    @abstractmethod
    def sides(self, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """The side to move of each position."""

    @abstractmethod
    def _pack(self, positions: Positions) -> tuple[Bytes, list[Wrong], dict[str, int]]:
        """A record for every row, sound or not, the rows that have none, and what is lost of the others.

        Scores and results are the mover's.
        """

    @abstractmethod
    def _unpack(self, content: Bytes) -> tuple[Positions, list[Wrong], dict[str, int]]:
        """A row for every record, valid or not, the invalid ones, and warnings; scores and results are the mover's."""

    def pack(self, positions: Positions, *, scores: str = MOVER, results: str = FIRST, strict: bool = True) -> Packed:
        """The records of some positions; ``scores`` and ``results`` say whose views the columns are.

        A position that the format cannot hold is an InputError; unless ``strict``, it is left out and counted.
        """
        given = self._seen(positions, scores, results)
        content, wrong, lost = self._pack(given)
        if wrong and strict:
            first = wrong[0]
            raise InputError(f"position {first.row + 1} does not fit into {self.name}: {first.reason}")
        rows = _others(len(positions), wrong)
        return Packed(content[rows] if wrong else content, rows, tuple(wrong), lost)

    def unpack(
        self, content: bytes | Bytes, *, scores: str = MOVER, results: str = FIRST, strict: bool = True
    ) -> Unpacked:
        """The positions of whole records; ``scores`` and ``results`` choose the views of the columns.

        A record that cannot be is a RecordError; unless ``strict``, it is left out and counted.
        """
        flat = np.frombuffer(content, dtype=np.uint8) if isinstance(content, bytes) else content.reshape(-1)
        if len(flat) % self.size:
            raise RecordError(
                f"{len(flat)} bytes are not a multiple of {self.name} records of {self.size} bytes: "
                f"record {len(flat) // self.size + 1} at byte {len(flat) - len(flat) % self.size} is cut off"
            )
        positions, wrong, warnings = self._unpack(flat.reshape(-1, self.size))
        if wrong and strict:
            raise RecordError(self.explain(wrong[0]))
        rows = _others(len(positions), wrong)
        sound = positions.take(rows) if wrong else positions
        return Unpacked(self._seen(sound, scores, results), rows, tuple(wrong), warnings)

    def explain(self, wrong: Wrong) -> str:
        """One sentence about an unsound record."""
        return f"record {wrong.row + 1}, byte {wrong.row * self.size + wrong.byte}: {wrong.reason}"

    def _seen(self, positions: Positions, scores: str, results: str) -> Positions:
        """The columns turned between the mover's view and another; turning twice changes nothing."""
        for view in (scores, results):
            if view not in VIEWS:
                raise InputError(f"a view is {' or '.join(VIEWS)}, not {view!r}")
        if scores == results == MOVER:
            return positions
        second = self.sides(positions.words) == 1
        seen, won = (
            column if view == MOVER else np.where(second & (column != UNKNOWN), -column, column)
            for column, view in ((positions.scores, scores), (positions.results, results))
        )
        return Positions.of(positions.words, seen, won, positions.plies, positions.moves)


def _others(count: int, wrong: list[Wrong]) -> npt.NDArray[np.int64]:
    """The rows that are not wrong."""
    sound = np.ones(count, dtype=np.bool_)
    sound[[entry.row for entry in wrong]] = False
    return np.flatnonzero(sound)


def refusals(*checks: tuple[npt.NDArray[np.bool_], str, int]) -> list[Wrong]:
    """The rows that some check meets, in order, each with the first reason; a check is a mask, a reason and a byte."""
    found: dict[int, Wrong] = {}
    for mask, reason, byte in checks:
        for row in np.flatnonzero(mask).tolist():
            found.setdefault(row, Wrong(row, reason, byte))
    return [found[row] for row in sorted(found)]


def counted(**masks: npt.NDArray[np.bool_]) -> dict[str, int]:
    """How many rows each mask meets, by its name with blanks; names that none meets are left out."""
    counts = {name.replace("_", " "): int(mask.sum()) for name, mask in masks.items()}
    return {name: count for name, count in counts.items() if count}


def in_16_bits(scores: Numbers) -> npt.NDArray[np.int16]:
    """Scores cut to what 16 bits hold, the same far up and down."""
    return np.clip(scores, -HIGHEST_SCORE, HIGHEST_SCORE).astype(np.int16)


def cut_scores(positions: Positions) -> dict[str, int]:
    """How many scores 16 bits do not hold, as what is lost."""
    beyond = (positions.scores != UNKNOWN) & (np.abs(positions.scores.astype(np.int64)) > HIGHEST_SCORE)
    return {f"how far a score lies beyond ±{HIGHEST_SCORE}": int(beyond.sum())} if beyond.any() else {}


def bytes_of(records: npt.NDArray[Any]) -> Bytes:
    """Structured records as rows of bytes."""
    return records.view(np.uint8).reshape(len(records), -1)


def records_of(content: Bytes, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """Rows of bytes as structured records."""
    return np.ascontiguousarray(content).reshape(-1).view(kind)
