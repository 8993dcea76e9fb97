"""Single weights by name: the largest, the rarest, or all of them in a table, with how often positions have each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from evalsmith.run import InputError, write_with
from evalsmith.weights.counting import FeatureCounts
from evalsmith.weights.file import Weights

if TYPE_CHECKING:
    import pyarrow as pa

Counts = npt.NDArray[np.int64]
TABLES = (".csv", ".parquet")


class Positions(Protocol):
    """Positions to count: their words, and the phase of each."""

    @property
    def words(self) -> npt.NDArray[np.uint64]:
        """One position a row."""

    @property
    def phase(self) -> npt.NDArray[np.int32]:
        """The row of the blend table for each position."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Listed:
    """One weight: its feature, its number there, what that means, its value, and in how many places it was seen."""

    feature: str
    index: int
    meaning: str
    weight: int
    seen: int | None

    def to_json(self) -> dict[str, Any]:
        """The entry of ``evalsmith weights show --json``."""
        entry = {"feature": self.feature, "index": self.index, "is": self.meaning, "weight": self.weight}
        return entry if self.seen is None else {**entry, "seen": self.seen}


def count_seen(weights: Weights, batches: Iterable[Positions]) -> Counts:
    """How often each weight is read by positions, one row a column of the layout.

    Where positions blend two columns, both read the same features, so all rows are the same.
    """
    layout = weights.layout
    counters = [FeatureCounts(weights.game) for _ in range(len(layout.columns) if layout.sliced else 1)]
    of_phase = np.array([entry[0] for entry in layout.blend])
    for positions in batches:
        columns = of_phase[positions.phase] if layout.sliced else np.zeros(len(positions), dtype=np.int64)
        for column in np.unique(columns):
            counters[column].add(positions.words[columns == column])
    return np.broadcast_to(np.stack([each.counts for each in counters]), weights.values.shape)


def list_weights(
    weights: Weights, column: int, count: int, *, seen: Counts | None = None, feature: str | None = None,
    rare: bool = False,
) -> list[Listed]:  # fmt: skip
    """The largest weights of a column, or with ``rare`` those that were seen least but at least once."""
    row = weights.values[column].astype(np.int64)
    part = _part(weights, feature)
    rows = np.arange(part.start, part.stop)
    if rare:
        if seen is None:
            raise InputError("--rare needs a dataset of positions, given with --on")
        rows = rows[seen[column, rows] > 0]
        rows = rows[np.lexsort((rows, -np.abs(row[rows]), seen[column, rows]))]
    else:
        rows = rows[np.argsort(-np.abs(row[rows]), kind="stable")]
    describe = {each.name: each.describe for each in weights.game.evaluation.features}
    found = []
    for index in rows[:count].tolist():
        name, within = weights.layout.feature_at(index)
        times = None if seen is None else int(seen[column, index])
        found.append(Listed(name, within, describe[name](within), int(row[index]), times))
    return found


def write_listing(
    weights: Weights, path: Path, columns: Iterable[int], *, seen: Counts | None = None, feature: str | None = None
) -> int:
    """Write all weights that are not 0 or were seen as a table, CSV or Parquet by its name; how many rows it has."""
    import pyarrow.csv
    import pyarrow.parquet

    if path.suffix not in TABLES:
        raise InputError(f"a table must be a {' or '.join(TABLES)} file, not {str(path)!r}")
    open_table = pyarrow.csv.CSVWriter if path.suffix == ".csv" else pyarrow.parquet.ParquetWriter
    rows = 0

    def write(temporary: Path) -> None:
        nonlocal rows
        writer = None
        for table in _tables(weights, columns, seen, feature):
            writer = writer or open_table(str(temporary), table.schema)
            writer.write_table(table)
            rows += table.num_rows
        if writer is not None:
            writer.close()

    write_with(path, write)
    return rows


def _tables(
    weights: Weights, columns: Iterable[int], seen: Counts | None, feature: str | None
) -> Iterator[pa.Table]:  # fmt: skip
    """The rows of one column after another."""
    import pyarrow as pa

    part = _part(weights, feature)
    features = [each for each in weights.game.evaluation.features if feature in (None, each.name)]
    names = pa.array([each.name for each in features for _ in range(each.size)])
    numbers = np.concatenate([np.arange(each.size, dtype=np.int32) for each in features])
    meanings = pa.array([each.describe(within) for each in features for within in range(each.size)])
    for column in columns:
        row = weights.values[column, part]
        count = np.zeros(len(row), dtype=np.int64) if seen is None else seen[column, part]
        chosen = pa.array(np.flatnonzero((row != 0) | (count > 0)))
        table = pa.table(
            {
                "column": pa.array([weights.layout.columns[column]] * len(row)),
                "feature": names,
                "index": pa.array(numbers),
                "is": meanings,
                "weight": pa.array(row),
                **({} if seen is None else {"seen": pa.array(count)}),
            }
        )
        yield table.take(chosen)


def _part(weights: Weights, feature: str | None) -> slice:
    """Where the weights of a feature, or all, stand in a column."""
    if feature is None:
        return slice(0, weights.layout.size)
    try:
        return weights.layout.slice_of(feature)
    except KeyError:
        known = ", ".join(name for name, _ in weights.layout.features)
        raise InputError(f"{weights.game.name} has no feature {feature!r}; its features are: {known}") from None
