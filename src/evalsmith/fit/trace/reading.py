"""``read_trace``: the rows of an outside engine's trace as one set, with the features that its numbers mean."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.trace.chunk import TraceChunk, evaluate
from evalsmith.fit.trace.csv_rows import CsvTrace
from evalsmith.fit.trace.growing import COUNTS, INDICES, Growing
from evalsmith.fit.trace.json_rows import JsonTrace
from evalsmith.fit.trace.parquet_rows import ParquetTrace
from evalsmith.fit.trace.settings import DIVISIONS, TraceRules
from evalsmith.records.opening import bare_suffix
from evalsmith.run import InputError
from evalsmith.weights.layout import Layout
from evalsmith.weights.outside import OutsideWeights, read_outside_weights

Vector = npt.NDArray[np.float64]
READERS: dict[str, type[CsvTrace | JsonTrace | ParquetTrace]] = {
    ".csv": CsvTrace,
    ".jsonl": JsonTrace,
    ".ndjson": JsonTrace,
    ".parquet": ParquetTrace,
}


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """All rows of a trace, and the features with their start values.

    ``result`` (0 to 1), ``score`` and ``printed`` (the engine's own value) are White's, NaN where unknown.
    ``recomputed`` is the value that the counts give with the start values. ``middle`` and ``ending`` are the same array
    where no entry counts differently in the two; they and ``index`` are as narrow as their values allow.
    """

    paths: tuple[Path, ...]
    weights: OutsideWeights
    rules: TraceRules
    result: Vector
    score: Vector
    phase: Vector
    printed: Vector
    recomputed: Vector
    game: npt.NDArray[np.int64]
    line: npt.NDArray[np.int64]
    bounds: tuple[int, ...]
    start: npt.NDArray[np.int64]
    index: npt.NDArray[np.integer]
    middle: npt.NDArray[np.number]
    ending: npt.NDArray[np.number]

    def __repr__(self) -> str:
        return f"<trace of {len(self):,} positions, {self.weights.size:,} features>"

    def __len__(self) -> int:
        return len(self.line)

    @property
    def start_values(self) -> Vector:
        """The start of a fit: column after column."""
        return self.weights.values.reshape(-1).copy()

    @property
    def layout(self) -> Layout:
        """The names of groups and columns; ``weights.describe`` names the features of a group."""
        return self.weights.layout

    @property
    def games(self) -> npt.NDArray[np.int64]:
        """The game of every row, for splits; where the trace names none, every row is one of its own."""
        return self.game if len(self) and self.game.min() >= 0 else np.arange(len(self), dtype=np.int64)

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        """Which unknowns a fit may move: those of features that are not fixed."""
        return np.tile(np.array([not feature.fixed for feature in self.weights.features]), len(self.weights.columns))

    @property
    def ties(self) -> tuple[tuple[int, ...], ...]:
        """Unknowns that are one number: the middle game and the endgame of a single feature."""
        size = self.weights.size
        return tuple((i, size + i) for i, feature in enumerate(self.weights.features) if feature.single)

    def where(self, row: int) -> str:
        """The file and the line of a row."""
        part = int(np.searchsorted(self.bounds, row, side="right")) - 1
        word = "row" if bare_suffix(self.paths[part]) == ".parquet" else "line"
        return f"{self.paths[part]}, {word} {self.line[row]:,}"


def read_trace(
    paths: Path | Sequence[Path],
    features: Path | OutsideWeights | None = None,
    *,
    phase: float | None = None,
    division: str | None = None,
    tolerance: float | None = None,
    advance: Callable[[int], Any] = lambda rows: None,
) -> Trace:
    """Read one trace, or the parts of one; ``features`` names the numbers where the header does not.

    ``phase``, ``division`` and ``tolerance`` take the place of what the header says. ``advance`` is told of rows read.
    """
    files = (paths,) if isinstance(paths, Path) else tuple(paths)
    if not files:
        raise InputError("no trace was named")
    given = read_outside_weights(features) if isinstance(features, Path) else features
    store, wanted = _Store(), given
    bounds: list[int] = []
    rules = TraceRules()
    for path in files:
        with contextlib.closing(_open(path)) as reader:
            before, rules = rules, _rules(reader.header.rules, phase, division, tolerance)
            if bounds and rules != before:
                raise InputError(f"{path} has another phase, division or tolerance in its header than {files[0]}")
            wanted = _agreed(wanted if bounds or given else None, given or reader.header.weights, path, files[0])
            _check_columns(wanted, "phase" in reader.columns, path)
            bounds.append(store.rows)
            for chunk in reader.chunks(wanted, rules):
                store.add(chunk, evaluate(chunk, wanted, rules))
                advance(len(chunk))
    assert wanted is not None
    if store.rows == 0:
        raise InputError(f"{', '.join(map(str, files))}: no rows")
    return store.trace(files, wanted, rules, tuple(bounds))


def _agreed(before: OutsideWeights | None, here: OutsideWeights | None, path: Path, first: Path) -> OutsideWeights:
    """The features of a part, which must be those of the parts before it, or may be left to them."""
    if here is None and before is None:
        raise InputError(
            f"{path} does not name its features; give a file of them (name,group,mg,eg), "
            "or lines `# feature` in the header"
        )
    if here is None or before is None:
        return here or before  # type: ignore[return-value]
    if here.features != before.features or not np.array_equal(here.values, before.values):
        raise InputError(f"{path} names other features or start values than {first}")
    return here


def _open(path: Path) -> CsvTrace | JsonTrace | ParquetTrace:
    reader = READERS.get(bare_suffix(path))
    if reader is None:
        raise InputError(
            f"the name of {path} does not say its format; expected a trace that ends in {', '.join(READERS)}"
        )
    return reader(path)


def _rules(rules: TraceRules, phase: float | None, division: str | None, tolerance: float | None) -> TraceRules:
    if division is not None and division not in DIVISIONS:
        raise InputError(f"unknown division {division!r}; expected one of {', '.join(DIVISIONS)}")
    chosen = {"phase": phase, "division": division, "tolerance": tolerance}
    return replace(rules, **{name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]


def _check_columns(weights: OutsideWeights, phased: bool, path: Path) -> None:
    """Features must have two values if the trace has phases, and one if it has none."""
    if phased and len(weights.columns) == 1:
        raise InputError(f"{path} has the column phase, and its features have one value; expected mg and eg")
    if not phased and len(weights.columns) == 2:
        raise InputError(f"{path} has no column phase, and its features have mg and eg; print the phase, or one value")


class _Store:
    """Rows as they come, in arrays that grow."""

    _NAMES = ("result", "score", "phase", "printed", "game", "line")

    def __init__(self) -> None:
        self.rows = 0
        self._columns = {name: Growing(np.int64 if name in ("game", "line") else np.float64) for name in self._NAMES}
        self._recomputed, self._start = Growing(np.float64), Growing(np.int64)
        self._start.add(np.zeros(1, dtype=np.int64))
        self._index, self._middle = Growing(*INDICES), Growing(*COUNTS)
        self._ending: Growing | None = None  # where some entry counts differently in the endgame

    def add(self, chunk: TraceChunk, recomputed: Vector) -> None:
        """Append a chunk."""
        for name, column in self._columns.items():
            column.add(getattr(chunk, name))
        self._recomputed.add(recomputed)
        self._start.add(chunk.start[1:] + self._index.size)
        if self._ending is None and (chunk.middle != chunk.ending).any():
            self._ending = self._middle.copy()
        if self._ending is not None:
            self._ending.add(chunk.ending)
        self._index.add(chunk.index)
        self._middle.add(chunk.middle)
        self.rows += len(chunk)

    def trace(
        self, files: tuple[Path, ...], weights: OutsideWeights, rules: TraceRules, bounds: tuple[int, ...]
    ) -> Trace:
        """All of it; the store is not used after this."""
        middle = self._middle.done()
        return Trace(
            files, weights, rules, bounds=bounds, recomputed=self._recomputed.done(), start=self._start.done(),
            index=self._index.done(), middle=middle, ending=middle if self._ending is None else self._ending.done(),
            **{name: column.done() for name, column in self._columns.items()},
        )  # fmt: skip
