"""Datasets: a folder of Parquet parts with what they are and how they were made.

    DATASET/
      dataset.json          game, rules version, stored words, sources, how it was made, whether it is complete
      part-00000.parquet    zstd; one row a sample; the columns are explained in ``parts``

A dataset is complete once ``dataset.json`` says so, which is written last: what was killed before is never taken for a
dataset. One process writes at a time. DuckDB, Polars and pandas read ``DATASET/*.parquet`` directly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evalsmith.games import Game, find_game
from evalsmith.games.bulk import bulk_of
from evalsmith.positions.samples import LABELS, Samples
from evalsmith.positions.store.changes import describe_changes
from evalsmith.positions.store.parts import part_path, part_rows, read_batches
from evalsmith.run import FileLock, InputError, MismatchError, make_folder, write_json
from evalsmith.run.tables import TextTable

HEAD = "dataset.json"
IMPORTED = "import.json"  # the summary of an import; written when it is complete
FORMAT = "evalsmith-dataset"
VERSION = 2
AT_ONCE = ("merge", "mix", "sample", "split")  # ways of making a dataset that start over after a kill
BUSY = "busy"  # what is changing a dataset that was complete before

Source = dict[str, Any]
"""Where samples come from: its name, and for a file the hash of its content."""


@dataclass(frozen=True)
class Dataset:
    """A dataset. ``sources`` are what the column ``source`` numbers; ``expected_rows`` are those of a complete one."""

    path: Path
    game: Game
    made: dict[str, Any]
    sources: tuple[Source, ...] = ()
    complete: bool = False
    expected_rows: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"<dataset {str(self.path)!r}: {self.rows():,} positions of {self.game.name}>"

    def _repr_html_(self) -> str:
        return self.table().html()

    def table(self) -> TextTable:
        """The dataset in a few lines."""
        state = () if self.complete else (f"{self.path} is not complete: give the command again that makes it",)
        rows = (
            ("path", str(self.path)),
            ("game", self.game.name),
            ("positions", f"{self.rows():,}"),
            ("made by", str(self.made.get("how", "-"))),
            ("sources", ", ".join(str(source.get("name")) for source in self.sources[:3]) or "-"),
        )
        return TextTable(("dataset", ""), rows, state)

    def parts(self) -> list[Path]:
        """The part files, in order."""
        return sorted(self.path.glob("part-*.parquet"))

    def has(self, number: int) -> bool:
        """Whether a part is there already."""
        return part_path(self.path, number).exists()

    def rows(self) -> int:
        """How many samples there are."""
        return sum(part_rows(part) for part in self.parts())

    @property
    def positions(self) -> int:
        """The number of positions."""
        return self.rows()

    @property
    def killed(self) -> bool:
        """Whether a command that makes a dataset in one go was killed here."""
        return not self.complete and BUSY not in self.extra and self.made.get("how") in AT_ONCE

    def check_complete(self) -> Dataset:
        """Refuse a dataset that was not finished, or has lost parts since; returns the dataset itself."""
        if not self.complete:
            how = str(self.made.get("how"))
            what = {"import": "import into", "self-play": "self-play for"}.get(how, f"{how} into")
            what = f"{self.extra[BUSY]} of" if BUSY in self.extra else what
            raise InputError(f"the {what} {self.path} is incomplete; run its command again")
        if (rows := self.rows()) < self.expected_rows:
            raise InputError(f"{self.path} has {rows:,} of its {self.expected_rows:,} positions: parts are missing")
        return self

    def read(self) -> Samples:
        """All samples at once; a partial dataset is refused."""
        return Samples.join(list(self.batches()), self.game.words)

    def batches(self) -> Iterator[Samples]:
        """All samples part by part, so that a dataset larger than memory can be worked through."""
        self.check_complete()
        for part in self.parts():
            yield from read_batches(part, self.game)

    def lock(self) -> FileLock:
        """What keeps a second writer out."""
        return dataset_lock(self.path)

    def clear(self) -> None:
        """Delete all parts."""
        for part in self.parts():
            part.unlink(missing_ok=True)

    def save(self) -> Dataset:
        """Write ``dataset.json`` in one step."""
        write_json(self.path / HEAD, _head(self))
        return self

    def unfinished(self) -> Dataset:
        """Mark the dataset as being written."""
        return replace(self, complete=False).save() if self.complete else self

    def finish(self, **extra: Any) -> Dataset:
        """Mark the dataset as complete."""
        return replace(self, complete=True, expected_rows=self.rows(), extra={**self.extra, **extra}).save()


def dataset_lock(path: Path) -> FileLock:
    """The lock of a dataset, which need not exist yet."""
    return FileLock(make_folder(path) / ".lock", wait=False)


def _head(dataset: Dataset) -> dict[str, Any]:
    game = dataset.game
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "rules_version": game.rules_version,
        "words": game.words,
        "stored": list(bulk_of(game).stored),
        "unit": game.unit,
        "view": "result, score and rating are for the side to move",
        "labels": list(LABELS),
        "made": dataset.made,
        "sources": list(dataset.sources),
        "whole": dataset.complete,
        "rows": dataset.expected_rows,
        **dataset.extra,
    }


def create_dataset(
    path: Path, game: Game, made: dict[str, Any], sources: Sequence[Source] = (), *, complete: bool = True
) -> Dataset:
    """Begin a dataset, or resume one that was begun with the same settings; the writer holds the lock.

    A writer of several parts that belong together begins with ``complete`` false, and calls ``finish`` after the last.
    """
    make_folder(path)
    for leftover in path.glob(".part-*"):  # of a writer that was killed: with the lock held, none is at work
        leftover.unlink(missing_ok=True)
    if (path / HEAD).exists():
        existing = load_dataset(path, game)
        if existing.made != (made := json.loads(json.dumps(made))):
            changes = describe_changes(existing.made, made)
            raise MismatchError(f"{path} was made with other settings ({changes}); choose another folder, or delete it")
        return existing
    if any(path.glob("part-*.parquet")):
        raise MismatchError(f"{path} holds parts of a dataset but no {HEAD}; choose another folder")
    return Dataset(path, game, json.loads(json.dumps(made)), tuple(sources), complete).save()


def load_dataset(path: Path | str, game: Game | None = None) -> Dataset:
    """An existing dataset; one of another game or of other rules is refused.

    data = load_dataset("positions")
    """
    path = Path(path)
    head = _read_head(path)
    if game is not None and head.get("game") != game.name:
        raise MismatchError(f"{path} holds positions of {head.get('game')}, not of {game.name}")
    game = game or find_game(str(head.get("game")))
    if head.get("rules_version") != game.rules_version:
        raise MismatchError(
            f"{path} was made with rules version {head.get('rules_version')} of {game.name}; "
            f"this is version {game.rules_version}: make the dataset again"
        )
    made, sources, rows = head.get("made"), head.get("sources"), head.get("rows")
    known = {*_head(Dataset(path, game, {}))}
    return Dataset(
        path,
        game,
        made=made if isinstance(made, dict) else {},
        sources=tuple(source for source in sources if isinstance(source, dict)) if isinstance(sources, list) else (),
        complete=head.get("whole") is True,
        expected_rows=rows if isinstance(rows, int) else 0,
        extra={key: value for key, value in head.items() if key not in known},
    )


def _read_head(path: Path) -> dict[str, Any]:
    try:
        head = json.loads((path / HEAD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        if not path.exists():
            raise InputError(f"there is no dataset {path}") from None
        raise InputError(f"{path} is not a dataset: it has no {HEAD}") from None
    except NotADirectoryError:
        raise InputError(f"{path} is a file, not a dataset folder") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path / HEAD} is not readable: {error}") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InputError(f'{path / HEAD} lacks "format": "{FORMAT}"')
    if head.get("version") != VERSION:
        found = f"{path} is version {head.get('version')} of the dataset format"
        raise MismatchError(f"{found}; this is version {VERSION}: make the dataset again")
    return head


def is_dataset(path: Path) -> bool:
    """Whether a path looks like a dataset."""
    return (path / HEAD).exists()
