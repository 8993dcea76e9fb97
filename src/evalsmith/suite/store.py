"""A suite: positions with the values of their moves, in memory and as a Parquet file.

The file has a row for each position; its columns are the fields of `SuitePosition`. Positions and moves are texts as
the game writes them, so that other programs can read it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from evalsmith.games import Game, find_game
from evalsmith.run import InputError, MismatchError, write_with
from evalsmith.run.results import Result
from evalsmith.run.tables import TextTable
from evalsmith.suite.loss import SCALE

FORMAT = "evalsmith-suite"
VERSION = 1
SUITE_FILE = "suite.parquet"
SCORES, POINTS, BEST = "scores", "points", "best moves"
_META = b"evalsmith"


@dataclass(frozen=True)
class SuitePosition:
    """One position of a suite.

    ``moves`` come with ``scores`` (for the mover, as `suite.loss` says) or with ``points``, best first. ``best`` are
    all that share the highest value, or those that a file names, and ``avoid`` those that it warns of. ``depth`` is
    that of the scores, -1 where nobody said or they are exact; ``stable_depth`` that from which on the best moves were
    best. ``source``, ``game`` and ``ply`` say where the position was found. ``failed`` is why it has no values.
    """

    text: str
    id: str = ""
    moves: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    best: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    depth: int = -1
    stable_depth: int = -1
    tags: tuple[str, ...] = ()
    phase: int = -1
    source: str = ""
    game: int = -1
    ply: int = -1
    failed: str = ""

    @property
    def valued(self) -> str:
        """What moves are judged by here: SCORES, POINTS or BEST."""
        return SCORES if self.scores else POINTS if self.points else BEST


_TEXT, _NUMBER = pa.string(), pa.int32()
SCHEMA = pa.schema(
    [
        ("id", _TEXT),
        ("text", _TEXT),
        ("moves", pa.list_(_TEXT)),
        ("scores", pa.list_(_NUMBER)),
        ("points", pa.list_(_NUMBER)),
        ("best", pa.list_(_TEXT)),
        ("avoid", pa.list_(_TEXT)),
        ("depth", _NUMBER),
        ("stable_depth", _NUMBER),
        ("tags", pa.list_(_TEXT)),
        ("phase", _NUMBER),
        ("source", _TEXT),
        ("game", pa.int64()),
        ("ply", _NUMBER),
        ("failed", _TEXT),
    ]
)


@dataclass(frozen=True, repr=False)
class Suite(Result):
    """Positions of one game with the values of their moves; ``made`` says how they were found."""

    game: Game
    positions: Sequence[SuitePosition]
    name: str = ""
    made: dict[str, Any] = field(default_factory=dict)
    path: Path | None = None
    fingerprint: str = ""

    def __post_init__(self) -> None:
        if not self.fingerprint:
            object.__setattr__(self, "fingerprint", fingerprint_of(self.game, self.positions))

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def failed(self) -> int:
        """How many positions have no values."""
        return sum(1 for one in self.positions if one.failed)

    @property
    def scale(self) -> float:
        """The scale of the loss that the suite was made for."""
        return float(self.made.get("scale", SCALE))

    def tables(self) -> Sequence[TextTable]:
        """How many positions there are, by tag."""
        counts: dict[str, int] = {}
        for one in self.positions:
            for tag in one.tags:
                counts[tag] = counts.get(tag, 0) + 1
        rows = [("positions", len(self)), *sorted(counts.items())]
        failed = self.failed
        rows += [("failed", failed)] if failed else []
        where = (f"suite in {self.path}",) if self.path else ()
        return (TextTable((f"suite of {self.game.title}", "positions"), tuple(rows), where),)

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith suite build --json``."""
        tags = {str(name): count for name, count in self.tables()[0].rows if name not in ("positions", "failed")}
        path = None if self.path is None else str(self.path)
        return {
            "suite": path, "game": self.game.name, "positions": len(self), "failed": self.failed, "by_tag": tags,
            "fingerprint": self.fingerprint,
        }  # fmt: skip


def fingerprint_of(game: Game, positions: Iterable[SuitePosition]) -> str:
    """A hash of what moves are judged by: two runs can be compared where it is the same."""
    digest = hashlib.blake2b(game.name.encode(), digest_size=8)
    for one in positions:
        digest.update(repr((one.text, one.moves, one.scores, one.points, one.best, one.avoid, one.failed)).encode())
    return digest.hexdigest()


# ── The file ────────────────────────────────────────────────────────────────────────────────────


def write_suite(suite: Suite, path: Path) -> Suite:
    """Write a suite as a Parquet file in one step; the suite as it is stored."""
    columns = {
        column.name: pa.array([getattr(one, column.name) for one in suite.positions], type=column.type)
        for column in SCHEMA
    }
    head = {
        "format": FORMAT, "version": VERSION, "game": suite.game.name, "rules_version": suite.game.rules_version,
        "made": suite.made, "fingerprint": suite.fingerprint,
    }  # fmt: skip
    table = pa.table(columns, schema=SCHEMA.with_metadata({_META: json.dumps(head).encode()}))
    write_with(path, lambda temporary: pq.write_table(table, temporary, compression="zstd"))
    return Suite(suite.game, suite.positions, name_of(path), suite.made, path, suite.fingerprint)


def name_of(path: Path) -> str:
    """What a suite is called: its folder, or its file."""
    return path.absolute().parent.name if path.name == SUITE_FILE else path.stem


def read_suite_file(path: Path, game: Game | None = None) -> Suite:
    """The suite of a Parquet file; a damaged one, or one of another game, is refused."""
    try:
        table = pq.read_table(path)
    except FileNotFoundError:
        raise InputError(f"there is no suite {path}") from None
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} is not a complete Parquet file ({str(error).splitlines()[0]})") from None
    head = _head(path, table)
    if game is not None and head["game"] != game.name:
        raise MismatchError(f"{path} is a suite of {head['game']}, not of {game.name}")
    for column in SCHEMA:
        if column.name not in table.column_names or table.schema.field(column.name).type != column.type:
            raise InputError(f"{path} is damaged: its column {column.name!r} is missing or of another type")
    found = find_game(str(head["game"]))
    rows = StoredPositions(table)
    return Suite(found, rows, name_of(path), head.get("made", {}), path, str(head["fingerprint"]))


def _head(path: Path, table: pa.Table) -> dict[str, Any]:
    try:
        head = json.loads((table.schema.metadata or {})[_META])
    except (KeyError, ValueError):
        head = {}
    if not isinstance(head, dict) or head.get("format") != FORMAT or "fingerprint" not in head:
        raise InputError(f"{path} is a Parquet file but not a suite; expected one that `evalsmith suite build` wrote")
    if head.get("version") != VERSION:
        raise InputError(f"{path} is a suite of version {head.get('version')}; this program reads version {VERSION}")
    return head


class StoredPositions(Sequence[SuitePosition]):
    """The rows of a file, each made when it is asked for."""

    def __init__(self, table: pa.Table) -> None:
        combined = table.combine_chunks()
        self._size = len(combined)
        self._plain: dict[str, list[Any]] = {}
        self._lists: dict[str, tuple[npt.NDArray[np.int64], list[Any]]] = {}
        for column in SCHEMA:
            chunks = combined.column(column.name)
            array = chunks.chunk(0) if chunks.num_chunks else pa.array([], type=column.type)
            if pa.types.is_list(column.type):
                self._lists[column.name] = np.asarray(array.offsets, dtype=np.int64), _values(array.values)
            else:
                self._plain[column.name] = _values(array)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> SuitePosition: ...
    @overload
    def __getitem__(self, place: slice) -> list[SuitePosition]: ...

    def __getitem__(self, place: int | slice) -> SuitePosition | list[SuitePosition]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(self._size))]
        if not -self._size <= place < self._size:
            raise IndexError(place)
        row = place % self._size
        fields = {name: values[row] for name, values in self._plain.items()}
        for name, (offsets, values) in self._lists.items():
            fields[name] = tuple(values[offsets[row] : offsets[row + 1]])
        return SuitePosition(**fields)

    def __iter__(self) -> Iterator[SuitePosition]:
        return (self[row] for row in range(self._size))


def _values(array: pa.Array) -> list[Any]:
    """The values as Python's; texts through their dictionary, because few of them differ."""
    if not pa.types.is_string(array.type) or not len(array):
        return list(array.to_pylist())
    encoded = array.dictionary_encode()
    known = np.array([*encoded.dictionary.to_pylist(), ""], dtype=object)
    return list(known[np.asarray(encoded.indices)].tolist())
