"""Traces as Parquet: columns result, score, phase, eval, game, and lists ``index`` and ``count`` (or ``mg``, ``eg``).

The rules stand in the file's metadata under ``evalsmith-trace``, ``phase``, ``division`` and ``tolerance``, where they
stand at all; features are named by a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.trace.chunk import TraceChunk
from evalsmith.fit.trace.json_rows import ENDINGS, game_number
from evalsmith.fit.trace.settings import WORDS, Header, TraceRules, with_rule
from evalsmith.run import InputError
from evalsmith.weights.outside import OutsideWeights

_ROWS = 1 << 16
Vector = npt.NDArray[np.float64]


class ParquetTrace:
    """One trace in Parquet: ``header`` is read at once, ``chunks`` reads the rows."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.path = path
        try:
            self._file = pq.ParquetFile(path)
        except FileNotFoundError:
            raise InputError(f"there is no trace {path}") from None
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"cannot read {path} as Parquet: {str(error).splitlines()[0]}") from None
        self.columns = list(self._file.schema_arrow.names)
        rules, metadata = TraceRules(), self._file.schema_arrow.metadata or {}
        for word in WORDS[:4]:
            if word.encode() in metadata:
                rules = with_rule(rules, f"{path}, metadata", word, metadata[word.encode()].decode("utf-8", "replace"))
        self.header = Header(rules)
        counts = "count" in self.columns or {"mg", "eg"} <= set(self.columns)
        if "index" not in self.columns or not counts:
            raise InputError(
                f"{path}: expected the columns index and count (or mg and eg), found {', '.join(self.columns)}"
            )
        if not {"result", "score"} & set(self.columns):
            raise InputError(f"{path}: the columns need result or score, what the weights are fitted to")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def chunks(self, weights: OutsideWeights, rules: TraceRules) -> Iterator[TraceChunk]:
        """The rows; the first fault ends it with an error that names the row and what was expected."""
        import pyarrow as pa

        known = ("result", "score", "phase", "eval", "game", "index", "count", "mg", "eg")
        first = 0
        try:
            for batch in self._file.iter_batches(_ROWS, columns=[name for name in known if name in self.columns]):
                if batch.num_rows:
                    yield self._chunk(batch, first, weights, rules)
                first += batch.num_rows
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"cannot read {self.path} after row {first:,}: {str(error).splitlines()[0]}") from None

    def _chunk(self, batch: Any, first: int, weights: OutsideWeights, rules: TraceRules) -> TraceChunk:
        result = self._results(batch, first)
        score, phase, printed = (self._numbers(batch, name, first) for name in ("score", "phase", "eval"))
        self._refuse(np.isnan(result) & np.isnan(score), first, "the row has neither a result nor a score")
        for name, values in (("phase", phase), ("eval", printed)):
            if name in self.columns:
                self._refuse(np.isnan(values), first, f"{name} is missing or not a number")
        with np.errstate(invalid="ignore"):
            self._refuse((phase < 0) | (phase > rules.phase), first, f"the phase must be from 0 to {rules.phase:g}")
        games = batch.column("game").to_pylist() if "game" in self.columns else [None] * batch.num_rows
        start, index = self._list(batch, "index", first)
        middle_name = "count" if "count" in self.columns else "mg"
        middle_start, middle = self._list(batch, middle_name, first)
        ending_start, ending = (middle_start, middle) if middle_name == "count" else self._list(batch, "eg", first)
        for other in (middle_start, ending_start):
            self._refuse(np.diff(start) != np.diff(other), first, "index and its counts have different lengths")
        bad = (index != np.round(index)) | (index < 0) | (index >= weights.size)
        self._refuse_entry(
            bad, start, first, f"{weights.size:,} features are named, 0 to {weights.size - 1:,}, not", index
        )
        return TraceChunk(
            result, score, phase, printed, np.array([game_number(game) for game in games], dtype=np.int64),
            np.arange(first + 1, first + batch.num_rows + 1), start, index.astype(np.int32),
            middle.astype(np.float32), ending.astype(np.float32),
        )  # fmt: skip

    def _results(self, batch: Any, first: int) -> Vector:
        import pyarrow as pa

        if "result" in self.columns and pa.types.is_string(batch.schema.field("result").type):
            texts = batch.column("result").to_pylist()
            return np.array([ENDINGS.get(text, np.nan) for text in texts])
        result = self._numbers(batch, "result", first)
        with np.errstate(invalid="ignore"):
            self._refuse((result < 0) | (result > 1), first, "the result must be 1, 0.5 or 0 (or between) for White")
        return result

    def _numbers(self, batch: Any, name: str, first: int) -> Vector:
        import pyarrow as pa

        if name not in self.columns:
            return np.full(batch.num_rows, np.nan)
        try:
            values = batch.column(name).cast(pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowException as error:
            raise InputError(f"{self.path}, after row {first:,}: {name} must hold numbers ({error})") from None
        self._refuse(np.isinf(values), first, f"{name} must be a finite number")
        return np.asarray(values, dtype=np.float64)

    def _list(self, batch: Any, name: str, first: int) -> tuple[npt.NDArray[np.int64], Vector]:
        import pyarrow as pa

        column = batch.column(name)
        if not (pa.types.is_list(column.type) or pa.types.is_large_list(column.type)):
            raise InputError(f"{self.path}: the column {name} must hold lists of numbers, not {column.type}")
        self._refuse(np.asarray(column.is_null()), first, f"{name} is missing")
        try:
            flat = column.flatten().cast(pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowException as error:
            raise InputError(f"{self.path}, after row {first:,}: {name} must hold numbers ({error})") from None
        start = np.asarray(column.offsets, dtype=np.int64)
        values = np.asarray(flat, dtype=np.float64)
        self._refuse_entry(~np.isfinite(values), start - start[0], first, f"{name} must hold numbers, not", values)
        return start - start[0], values

    def _refuse(self, bad: npt.NDArray[np.bool_], first: int, why: str) -> None:
        if bad.any():
            raise InputError(f"{self.path}, row {first + int(np.argmax(bad)) + 1:,}: {why}")

    def _refuse_entry(
        self, bad: npt.NDArray[np.bool_], start: npt.NDArray[np.int64], first: int, why: str, values: Vector
    ) -> None:
        if bad.any():
            place = int(np.argmax(bad))
            row = int(np.searchsorted(start, place, side="right"))
            raise InputError(f"{self.path}, row {first + row:,}: {why} {values[place]:g}")
