"""Datasets: a folder of Parquet parts with what they are and how they were made.

    DATASET/
      dataset.json          game, rules version, number of words, how it was made
      part-00000.parquet    zstd; one row a sample

Columns: ``w0`` … the words of the position (uint64), ``game`` (number of the game, int64), ``ply``, ``phase``,
``result`` (int32, the game's result) and ``score`` (int32, a label). Result and score are in the game's unit
(hundredths) for the side to move, null where not known. DuckDB, Polars and pandas read ``DATASET/*.parquet`` as it is.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from evalsmith.games import Game, find_game
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.run import InputError, MismatchError, make_folder, write_json, write_with

HEAD = "dataset.json"
IMPORTED = "import.json"  # what an import gave; written when it is whole
FORMAT = "evalsmith-dataset"
VERSION = 1


@dataclass(frozen=True)
class Dataset:
    """An existing dataset."""

    path: Path
    game: Game
    made: dict[str, Any]

    def parts(self) -> list[Path]:
        """The part files, in order."""
        return sorted(self.path.glob("part-*.parquet"))

    def has(self, number: int) -> bool:
        """Whether a part is there already."""
        return part_path(self.path, number).exists()

    def rows(self) -> int:
        """How many samples there are."""
        return sum(_metadata(part).num_rows for part in self.parts())

    def read(self) -> Samples:
        """All samples; an import that was killed before its end is refused."""
        if self.made.get("how") == "import" and not (self.path / IMPORTED).exists():
            raise InputError(f"the import into {self.path} was not finished; give its command again")
        return Samples.join([read_part(part, self.game) for part in self.parts()], self.game.words)


def part_path(path: Path, number: int) -> Path:
    """Where part ``number`` of a dataset stands."""
    return path / f"part-{number:05d}.parquet"


def create_dataset(path: Path, game: Game, made: dict[str, Any]) -> Dataset:
    """Begin a dataset, or go on with one that was begun in the same way."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "rules_version": game.rules_version,
        "words": game.words,
        "unit": game.unit,
        "view": "result and score are for the side to move",
        "made": made,
    }
    make_folder(path)
    if (path / HEAD).exists():
        existing = open_dataset(path, game)
        if existing.made != made:
            raise MismatchError(f"{path} holds a dataset that was made otherwise; choose another folder, or delete it")
        return existing
    if any(path.glob("part-*.parquet")):
        raise MismatchError(f"{path} holds parts of a dataset but no {HEAD}; choose another folder")
    write_json(path / HEAD, head)
    return Dataset(path, game, made)


def open_dataset(path: Path, game: Game | None = None) -> Dataset:
    """An existing dataset; one of another game or of other rules is refused."""
    try:
        head = json.loads((path / HEAD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path} is not a dataset: it has no {HEAD}") from None
    except NotADirectoryError:
        raise InputError(f"{path} is a file, not a dataset folder") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path / HEAD} is not readable: {error}") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InputError(f'{path / HEAD} lacks "format": "{FORMAT}"')
    if head.get("version") != VERSION:
        raise MismatchError(f"{path} is version {head.get('version')} of the dataset format; this is version {VERSION}")
    if game is not None and head.get("game") != game.name:
        raise MismatchError(f"{path} holds positions of {head.get('game')}, not of {game.name}")
    game = game or find_game(str(head.get("game")))
    if head.get("rules_version") != game.rules_version:
        raise MismatchError(
            f"{path} was made with rules version {head.get('rules_version')} of {game.name}; "
            f"this is version {game.rules_version}: make the dataset again"
        )
    made = head.get("made")
    return Dataset(path, game, made if isinstance(made, dict) else {})


def is_dataset(path: Path) -> bool:
    """Whether a path looks like a dataset."""
    return (path / HEAD).exists()


def write_part(path: Path, number: int, samples: Samples, game: Game, games: int | None = None) -> None:
    """Write one part in one step; ``games`` is how many were played for it, those that left no sample too."""
    columns: dict[str, pa.Array] = {f"w{i}": pa.array(samples.words[:, i]) for i in range(game.words)}
    columns["game"] = pa.array(samples.game)
    columns["ply"] = pa.array(samples.ply)
    columns["phase"] = pa.array(samples.phase)
    for name in ("result", "score"):
        values = getattr(samples, name)
        columns[name] = pa.array(values, mask=values == UNKNOWN)
    facts = {"game": game.name, "rules_version": str(game.rules_version), "unit": game.unit}
    if games is not None:
        facts["games"] = str(games)
    facts["words"] = _digest(samples)
    table = pa.table(columns).replace_schema_metadata(facts)
    write_with(part_path(path, number), lambda temporary: pq.write_table(table, temporary, compression="zstd"))


def read_part(path: Path, game: Game) -> Samples:
    """The samples of one part, checked."""
    wanted = [*(f"w{i}" for i in range(game.words)), "game", "ply", "phase", "result", "score"]
    try:
        table = pq.read_table(path, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} is not a readable Parquet file: {error}") from None
    missing = [name for name in wanted if name not in table.column_names]
    if missing:
        raise InputError(f"{path} lacks the columns {', '.join(missing)}")
    words = [_column(path, table, f"w{i}", pa.uint64()) for i in range(game.words)]
    samples = Samples(
        np.stack(words, axis=1),
        _column(path, table, "game", pa.int64()),
        _column(path, table, "ply", pa.int32()),
        _column(path, table, "phase", pa.int32()),
        _column(path, table, "result", pa.int32(), nulls=True),
        _column(path, table, "score", pa.int32(), nulls=True),
    )
    if (table.schema.metadata or {}).get(b"words", b"").decode("ascii", "replace") != _digest(samples):
        _check_positions(path, samples, game)
    phases = len(game.evaluation.blend)
    if len(samples) and not 0 <= samples.phase.min() <= samples.phase.max() < phases:
        raise InputError(f"{path}: the column phase goes from 0 to {phases - 1} in {game.name}, but here beyond it")
    return samples


def _column(path: Path, table: Any, name: str, kind: Any, *, nulls: bool = False) -> npt.NDArray[Any]:
    """A column as an array; numbers of another width are taken where they fit."""
    column = table[name]
    if not pa.types.is_integer(column.type):
        raise InputError(f"{path}: the column {name} should hold whole numbers, not {column.type}")
    if column.null_count and not nulls:
        raise InputError(f"{path}: the column {name} lacks {column.null_count} of its numbers")
    try:
        numbers = column.cast(kind)
    except pa.ArrowException as error:
        raise InputError(f"{path}: a number of the column {name} does not fit {kind}: {error}") from None
    return np.array((numbers.fill_null(UNKNOWN) if nulls else numbers).to_numpy())


def _digest(samples: Samples) -> str:
    """A hash of the positions; kernels must never see words that no position has."""
    return hashlib.blake2b(np.ascontiguousarray(samples.words).tobytes(), digest_size=16).hexdigest()


def _check_positions(path: Path, samples: Samples, game: Game) -> None:
    """Look at every position of a part that we did not write as it is: it must be what its own text says."""
    for number, words in enumerate(samples.words):
        try:
            same = bool((game.parse(game.format(words)) == words).all())
        except Exception:
            same = False
        if not same:
            raise InputError(f"{path}: row {number} is not a position of {game.name}")


def part_games(path: Path) -> int:
    """How many games were played for a part; 0 where it does not say."""
    told = (_metadata(path).metadata or {}).get(b"games", b"0")
    return int(told) if told.isdigit() else 0


def _metadata(path: Path) -> Any:
    try:
        return pq.read_metadata(path)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} is not a readable Parquet file: {error}") from None
