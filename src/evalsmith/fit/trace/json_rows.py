"""Traces as JSON lines: one object a position.

    {"evalsmith-trace": 1, "phase": 24, "division": "truncate", "features": [{"name": "pawn", "mg": 82, "eg": 94}]}
    {"result": 1, "score": 35, "phase": 20, "eval": 41, "game": 17, "features": [[0, 1], [5, -2], [7, 1, 0]]}

The first line may be the header. Features are lists [index, count] or [index, mg, eg], or an object {"0": 1, "5": -2}.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.trace.chunk import TraceChunk
from evalsmith.fit.trace.settings import MARK, Header, TraceRules, with_rule
from evalsmith.records.opening import UNREADABLE, explain, open_bytes
from evalsmith.records.text import shown
from evalsmith.run import InputError
from evalsmith.weights.outside import OutsideWeights, make_outside_weights

ENDINGS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
NOT_RESULT = "the result must be 1, 0.5 or 0 (or between), or 1-0, 1/2-1/2, 0-1, for White"
_ROWS = 1 << 14
_LINE = 1 << 22
_ENTRY = "features must be [[index, count], …], [[index, mg, eg], …] or {index: count}"


class JsonTrace:
    """One trace of JSON lines: ``header`` is read at once, ``chunks`` reads the rows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines = self._read_lines()
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def _begin(self) -> None:
        """The first row, and the header before it."""
        path = self.path
        self._first = next(self._lines, None)
        if self._first is None:
            raise InputError(f"{path} has no rows; expected one object a line")
        document = self._first[1]
        self.columns = sorted(document)
        self.header = Header(TraceRules())
        if MARK in document:
            self.header = _header(document, path, self._first[0])
            self._first = next(self._lines, None)
            if self._first is None:
                raise InputError(f"{path} has a header and no rows")
            self.columns = sorted(self._first[1])

    def _read_lines(self) -> Generator[tuple[int, dict[str, Any]]]:
        """Every line that is not empty, with its number."""
        number = 0
        try:
            with open_bytes(self.path) as stream:
                while content := stream.readline(_LINE):
                    number += 1
                    text = content.removeprefix(b"\xef\xbb\xbf") if number == 1 else content
                    if text.strip():
                        yield number, _parsed(text, f"{self.path}, line {number:,}")
        except FileNotFoundError:
            raise InputError(f"there is no trace {self.path}") from None
        except UNREADABLE as error:
            raise InputError(f"cannot read {self.path} after line {number:,}: {explain(error)}") from None

    def chunks(self, weights: OutsideWeights, rules: TraceRules) -> Iterator[TraceChunk]:
        """The rows; the first fault ends it with an error that names the line and what was expected."""
        rows = RowBuilder(self.columns, weights, rules)
        assert self._first is not None
        for number, document in self._with_first():
            rows.add(f"{self.path}, line {number:,}", number, document)
            if len(rows.lines) == _ROWS:
                yield rows.take()
        if rows.lines:
            yield rows.take()

    def _with_first(self) -> Iterator[tuple[int, dict[str, Any]]]:
        assert self._first is not None
        yield self._first
        yield from self._lines


def _parsed(text: bytes, where: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        cut = "" if text.endswith(b"\n") else "; the file ends within this line"
        raise InputError(f"{where}: not a JSON object ({error}){cut}") from None
    if not isinstance(document, dict):
        raise InputError(f"{where}: expected a JSON object, not {shown(str(document))}")
    return document


def _header(document: dict[str, Any], path: Path, line: int) -> Header:
    where, rules = f"{path}, line {line}", TraceRules()
    for word, value in document.items():
        if word != "features":
            if word not in (MARK, "phase", "division", "tolerance"):
                raise InputError(f"{where}: unknown setting {word!r} in the header")
            rules = with_rule(rules, where, word, str(value))
    features = document.get("features")
    if features is None:
        return Header(rules)
    if not isinstance(features, list) or not all(isinstance(one, dict) for one in features):
        raise InputError(f"{where}: features of the header must be a list of objects with name, group, mg and eg")
    named = ((f"{where}, feature {number}", one) for number, one in enumerate(features))
    return Header(rules, make_outside_weights(named, path.stem))


class RowBuilder:
    """Collects rows of named values into a chunk, and checks each; also for other files of named values."""

    def __init__(self, columns: Iterable[str], weights: OutsideWeights, rules: TraceRules) -> None:
        self.columns, self.weights, self.rules = frozenset(columns), weights, rules
        self._clear()

    def _clear(self) -> None:
        self.values: list[tuple[float, float, float, float]] = []
        self.games: list[int] = []
        self.lines: list[int] = []
        self.places: list[str] = []
        self.features: list[Any] = []

    def add(self, where: str, line: int, row: dict[str, Any]) -> None:
        """One row, or an error that names it."""
        for column in ("phase", "eval", "game"):
            if (row.get(column) is None) != (column not in self.columns):
                here, there = ("missing", "has") if row.get(column) is None else ("given", "has not")
                raise InputError(
                    f"{where}: {column} is {here}, which the first row {there}; all rows need the same columns"
                )
        result = _result(where, row.get("result"))
        score = self._number(where, row, "score")
        if math.isnan(result) and math.isnan(score):
            raise InputError(f"{where}: the row has neither a result nor a score")
        phase = self._number(where, row, "phase")
        if phase < 0 or phase > self.rules.phase:
            raise InputError(f"{where}: the phase must be from 0 to {self.rules.phase:g}, not {phase:g}")
        self.values.append((result, score, phase, self._number(where, row, "eval")))
        self.games.append(game_number(row.get("game")))
        self.lines.append(line)
        self.places.append(where)
        self.features.append(row.get("features"))

    def _number(self, where: str, row: dict[str, Any], name: str) -> float:
        value = row.get(name)
        if value is None:
            return math.nan
        if not _is_number(value):
            raise InputError(f"{where}: {name} must be a number, not {shown(str(value))}")
        return float(value)

    def take(self) -> TraceChunk:
        """The rows so far as a chunk; the builder begins again."""
        values = np.array(self.values).T.copy()
        found = _pairs(self.features, self.weights.size)
        start, entries = self._entries_one_by_one() if found is None else found
        chunk = TraceChunk(
            values[0],
            values[1],
            values[2],
            values[3],
            np.array(self.games, dtype=np.int64),
            np.array(self.lines, dtype=np.int64),
            start,
            entries[0].astype(np.int32),
            entries[1].astype(np.float32),
            entries[2].astype(np.float32),
        )
        self._clear()
        return chunk

    def _entries_one_by_one(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """All entries, each checked: the first that is wrong is named."""
        start, entries = [0], []
        for where, features in zip(self.places, self.features, strict=True):
            entries += _entries(where, features, self.weights.size)
            start.append(len(entries))
        return np.array(start, dtype=np.int64), np.array(entries, dtype=np.float64).reshape(-1, 3).T


def _pairs(features: list[Any], size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]] | None:
    """The entries where all are lists [index, count] as they should be; None where one is not."""
    if not all(type(one) is list for one in features):
        return None
    flat = list(itertools.chain.from_iterable(features))
    if not all(type(entry) is list and len(entry) == 2 for entry in flat):
        return None
    numbers = list(itertools.chain.from_iterable(flat))
    if not set(map(type, numbers)) <= {int, float}:
        return None
    index, count = np.array(numbers, dtype=np.float64).reshape(-1, 2).T
    if not (np.isfinite(count) & (index >= 0) & (index < size) & (index == np.floor(index)) & (count != 0)).all():
        return None
    start = np.zeros(len(features) + 1, dtype=np.int64)
    np.cumsum([len(one) for one in features], out=start[1:])
    return start, np.stack([index, count, count])


def _entries(where: str, features: Any, size: int) -> list[tuple[int, float, float]]:
    """The entries of one row, or an error that names it."""
    entries = list(features.items()) if isinstance(features, dict) else features
    if not isinstance(entries, list):
        raise InputError(f"{where}: {_ENTRY}, not {shown(str(features))}")
    found = []
    for entry in entries:
        if not isinstance(entry, (list, tuple)) or len(entry) not in (2, 3):
            raise InputError(f"{where}: {_ENTRY}, not {shown(str(entry))}")
        index = int(entry[0]) if isinstance(entry[0], str) and entry[0].isdecimal() else entry[0]
        if not isinstance(index, int) or isinstance(index, bool) or not all(map(_is_number, entry[1:])):
            raise InputError(f"{where}: {_ENTRY}, not {shown(str(list(entry)))}")
        if not 0 <= index < size:
            raise InputError(f"{where}: there is no feature {index}: {size:,} are named, 0 to {size - 1:,}")
        middle, ending = float(entry[1]), float(entry[-1])
        if middle or ending:
            found.append((index, middle, ending))
    return found


def game_number(name: Any) -> int:
    """What tells games apart: a number as it stands, of another name a hash; -1 where there is none."""
    if name is None:
        return -1
    text = str(name)
    if text.isdecimal() and len(text) <= 18:
        return int(text)
    return int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=8).digest()) >> 1


def _result(where: str, value: Any) -> float:
    if value is None or value == "*":
        return math.nan
    number: Any = ENDINGS.get(value) if isinstance(value, str) else value
    if not _is_number(number) or not 0 <= number <= 1:
        raise InputError(f"{where}: {NOT_RESULT}, not {shown(str(value))}")
    return float(number)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
