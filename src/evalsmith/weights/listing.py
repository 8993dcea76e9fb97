"""Single weights by name: the largest, the rarest, or all of them in a table, with how often positions have each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.games.contract import PHASE, call_position
from evalsmith.run import InputError, write_with
from evalsmith.run.results import Result
from evalsmith.run.tables import TextTable
from evalsmith.weights.counting import FeatureCounts, random_positions
from evalsmith.weights.file import Weights
from evalsmith.weights.named import load_weights

if TYPE_CHECKING:
    import pyarrow as pa

Counts = npt.NDArray[np.int64]
TABLES = (".csv", ".parquet")
RANDOM_PLIES = 6000
CARD = (
    "made", "command", "generation", "data", "games", "positions", "nodes", "target", "loss", "penalty", "held_out",
    "match", "start", "seed", "probcut", "rules_version",
)  # fmt: skip
"""What is shown of the provenance of weights; the JSON document has all of it."""
UNSEEN = 0.01  # a weight that random games do not read may still be read, rarely


class Positions(Protocol):
    """Positions to count: their words, and the phase of each."""

    @property
    def words(self) -> npt.NDArray[np.uint64]:
        """One position a row."""

    @property
    def phase(self) -> npt.NDArray[np.int32]:
        """The row of the blend table for each position."""

    def __len__(self) -> int: ...


class HasBatches(Protocol):
    """A dataset: positions, batch by batch."""

    def batches(self) -> Iterable[Positions]:
        """All positions."""


@dataclass(frozen=True)
class FeatureRange:
    """A feature in one column: how many weights it has, how many are not 0, and the smallest and largest of them."""

    feature: str
    size: int
    used: int
    smallest: int
    largest: int


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


@dataclass(frozen=True, repr=False)
class WeightsListing(Result):
    """The features of one column of some weights, and its largest or rarest weights one by one."""

    source: Weights
    column: int
    features: tuple[FeatureRange, ...]
    weights: tuple[Listed, ...]
    rare: bool

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith weights show --json``."""
        columns = self.source.layout.columns
        return {
            "game": self.source.game.name,
            "name": self.source.name,
            "unit": self.source.game.unit,
            "columns": list(columns),
            "column": columns[self.column],
            "features": [asdict(one) for one in self.features],
            "rarest" if self.rare else "largest": [one.to_json() for one in self.weights],
            "provenance": self.source.provenance,
        }

    def tables(self) -> tuple[TextTable, ...]:
        """The card, where the weights have one, the features, and the weights."""
        ranges = tuple((one.feature, one.size, one.used, one.smallest, one.largest) for one in self.features)
        counted = any(one.seen is not None for one in self.weights)
        rows = tuple(
            (one.feature, one.meaning, f"{one.weight:+d}", *((one.seen,) if counted else ())) for one in self.weights
        )
        title = f"rarest weights, {self.source.game.units}"
        if not self.rare:
            positions = "these positions" if counted else "random games (--on counts in a dataset)"
            title = f"largest weights, {self.source.game.units}, by size times how often {positions} read them"
        name = f"{self.source.name}, column {self.source.layout.columns[self.column]}"
        return (
            *_card(self.source),
            TextTable(("feature", "size", "not 0", "smallest", "largest"), ranges, (), name),
            TextTable(("feature", "is", "weight", *(("seen",) if counted else ())), rows, (), title),
        )


def _card(weights: Weights) -> tuple[TextTable, ...]:
    """What the weights say of themselves: how they were made, and what proves them."""
    known = {**weights.provenance, "rules_version": weights.game.rules_version}
    rows = tuple((name.replace("_", " "), _fact(known[name])) for name in CARD if name in known)
    return (TextTable(("", weights.name), rows),)


def _fact(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


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
    weights: Weights | str | Path, game: Game | str | None = None, *, column: int | None = None,
    feature: str | None = None, on: HasBatches | Counts | None = None, rare: bool = False, top: int = 20,
) -> WeightsListing:  # fmt: skip
    """The features of a column (default: the middle one) and its ``top`` largest weights, of one ``feature`` or of all.

    The largest are those that matter most: by their size times how often positions read them, so that what never
    occurs is not among them. ``on`` is a dataset, or what ``count_seen`` found in one: then each weight has the number
    of times that the evaluation of its positions reads it; without it random games are counted. ``rare`` lists the
    weights that are read least, but at least once.

        list_weights("weights.json", column=30)
    """
    weights = weights if isinstance(weights, Weights) else load_weights(weights, game)
    columns = weights.layout.columns
    chosen = len(columns) // 2 if column is None else column
    if not 0 <= chosen < len(columns):
        raise InputError(f"the column must be from 0 to {len(columns) - 1}, not {column}")
    seen = on if on is None or isinstance(on, np.ndarray) else count_seen(weights, on.batches())
    listed = _listed(weights, chosen, top, seen, feature, rare)
    return WeightsListing(weights, chosen, _ranges(weights, chosen), tuple(listed), rare)


def _ranges(weights: Weights, column: int) -> tuple[FeatureRange, ...]:
    found = []
    for name, size in weights.layout.features:
        block = weights.values[column, weights.layout.slice_of(name)]
        found.append(FeatureRange(name, size, int((block != 0).sum()), int(block.min()), int(block.max())))
    return tuple(found)


def _listed(
    weights: Weights, column: int, count: int, seen: Counts | None, feature: str | None, rare: bool
) -> list[Listed]:
    row = weights.values[column].astype(np.int64)
    part = _part(weights, feature)
    rows = np.arange(part.start, part.stop)
    if rare:
        if seen is None:
            raise InputError("the rarest weights need a dataset of positions that read them; give one with --on")
        rows = rows[seen[column, rows] > 0]
        rows = rows[np.lexsort((rows, -np.abs(row[rows]), seen[column, rows]))]
    else:
        read = _read_at_random(weights, column) if seen is None else seen[column].astype(np.float64)
        rows = rows[np.argsort(-np.abs(row[rows]) * read[rows], kind="stable")]
    describe = {each.name: each.describe for each in weights.game.evaluation.features}
    found = []
    for index in rows[:count].tolist():
        name, within = weights.layout.feature_at(index)
        times = None if seen is None else int(seen[column, index])
        found.append(Listed(name, within, describe[name](within), int(row[index]), times))
    return found


def _read_at_random(weights: Weights, column: int) -> npt.NDArray[np.float64]:
    """How often positions of random games read each weight of a column."""
    game, layout = weights.game, weights.layout
    context = game.context(evaluation=True)
    counts = FeatureCounts(game)
    found = [
        position
        for position in random_positions(game, RANDOM_PLIES)
        if column in layout.blend[int(call_position(context.row, PHASE, position))][:2]
    ]
    if found:
        counts.add(np.array(found))
    return counts.counts.astype(np.float64) + UNSEEN


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
