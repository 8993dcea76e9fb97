"""Datasets: a folder of Parquet parts with what they are and how they were made.

    DATASET/
      dataset.json          game, rules version, number of words, how it was made
      part-00000.parquet    zstd; one row a sample

Columns: ``w0`` … the words of the position (uint64), ``game`` (number of the game, int64), ``ply``, ``phase``,
``result`` (int32, the game's result) and ``score`` (int32, a label). Result and score are in the game's unit
(hundredths) for the side to move, null where not known. DuckDB, Polars and pandas read ``DATASET/*.parquet`` as it is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evalsmith.games import Game, find_game
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.run import InputError, MismatchError, make_folder, write_json, write_with

HEAD = "dataset.json"
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
        """All samples."""
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
    except (OSError, ValueError) as error:
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


def write_part(path: Path, number: int, samples: Samples, game: Game) -> None:
    """Write one part in one step."""
    columns: dict[str, pa.Array] = {f"w{i}": pa.array(samples.words[:, i]) for i in range(game.words)}
    columns["game"] = pa.array(samples.game)
    columns["ply"] = pa.array(samples.ply)
    columns["phase"] = pa.array(samples.phase)
    for name in ("result", "score"):
        values = getattr(samples, name)
        columns[name] = pa.array(values, mask=values == UNKNOWN)
    table = pa.table(columns).replace_schema_metadata(
        {"game": game.name, "rules_version": str(game.rules_version), "unit": game.unit}
    )
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
    columns = {name: table[name].combine_chunks() for name in wanted}
    try:
        return Samples(
            np.stack([columns[f"w{i}"].to_numpy(zero_copy_only=False) for i in range(game.words)], axis=1).astype(
                np.uint64
            ),
            columns["game"].to_numpy(zero_copy_only=False).astype(np.int64),
            columns["ply"].to_numpy(zero_copy_only=False).astype(np.int32),
            columns["phase"].to_numpy(zero_copy_only=False).astype(np.int32),
            columns["result"].fill_null(UNKNOWN).to_numpy(zero_copy_only=False).astype(np.int32),
            columns["score"].fill_null(UNKNOWN).to_numpy(zero_copy_only=False).astype(np.int32),
        )
    except (ValueError, TypeError, pa.ArrowException) as error:
        raise InputError(f"{path}: a column holds something else than numbers: {error}") from None


def _metadata(path: Path) -> Any:
    try:
        return pq.read_metadata(path)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} is not a readable Parquet file: {error}") from None
