"""Datasets: a folder of Parquet parts with what they are and how they were made.

    DATASET/
      dataset.json          game, rules version, stored words, sources, how it was made, whether it is whole
      part-00000.parquet    zstd; one row a sample; the columns are explained in ``parts``

A dataset is begun with ``whole`` false and finished by writing ``dataset.json`` anew: what was killed in between is
never taken for a dataset. One process writes at a time. DuckDB, Polars and pandas read ``DATASET/*.parquet`` as it is.
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
from evalsmith.positions.store.parts import part_path, part_rows, read_batches
from evalsmith.run import FileLock, InputError, MismatchError, make_folder, write_json

HEAD = "dataset.json"
IMPORTED = "import.json"  # what an import gave; written when it is whole
FORMAT = "evalsmith-dataset"
VERSION = 2
AT_ONCE = ("merge", "mix", "sample", "split")  # how datasets are made that are begun again after a kill
BUSY = "busy"  # what a dataset that was whole before is being changed by

Source = dict[str, Any]
"""Where samples come from: its name, and for a file the hash of its content."""


@dataclass(frozen=True)
class Dataset:
    """A dataset. ``sources`` are what the column ``source`` numbers; ``rows_told`` are the samples of a whole one."""

    path: Path
    game: Game
    made: dict[str, Any]
    sources: tuple[Source, ...] = ()
    whole: bool = False
    rows_told: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

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
    def killed(self) -> bool:
        """Whether this is what a command left that makes a dataset in one go, and never came to its end."""
        return not self.whole and BUSY not in self.extra and self.made.get("how") in AT_ONCE

    def check_whole(self) -> Dataset:
        """Refuse what was killed before its end, or has lost parts since; gives the dataset itself."""
        if not self.whole:
            how = str(self.made.get("how"))
            what = {"import": "import into", "self-play": "self-play for"}.get(how, f"{how} into")
            what = f"{self.extra[BUSY]} of" if BUSY in self.extra else what
            raise InputError(f"the {what} {self.path} was not finished; give its command again")
        if (rows := self.rows()) < self.rows_told:
            raise InputError(f"{self.path} has {rows:,} of its {self.rows_told:,} positions: parts of it are missing")
        return self

    def read(self) -> Samples:
        """All samples at once; a dataset that is not whole is refused."""
        return Samples.join(list(self.batches()), self.game.words)

    def batches(self) -> Iterator[Samples]:
        """All samples part by part, so that a dataset larger than memory can be worked through."""
        self.check_whole()
        for part in self.parts():
            yield from read_batches(part, self.game)

    def lock(self) -> FileLock:
        """What keeps a second writer out."""
        return dataset_lock(self.path)

    def clear(self) -> None:
        """Delete all parts: what a killed import left is begun again."""
        for part in self.parts():
            part.unlink(missing_ok=True)

    def save(self) -> Dataset:
        """Write what the dataset is, in one step."""
        write_json(self.path / HEAD, _head(self))
        return self

    def unfinished(self) -> Dataset:
        """Say that the dataset is being written."""
        return replace(self, whole=False).save() if self.whole else self

    def finish(self, **extra: Any) -> Dataset:
        """Say that the dataset is whole."""
        return replace(self, whole=True, rows_told=self.rows(), extra={**self.extra, **extra}).save()


def dataset_lock(path: Path) -> FileLock:
    """The lock of a dataset that may only be about to begin."""
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
        "whole": dataset.whole,
        "rows": dataset.rows_told,
        **dataset.extra,
    }


def create_dataset(
    path: Path, game: Game, made: dict[str, Any], sources: Sequence[Source] = (), *, whole: bool = True
) -> Dataset:
    """Begin a dataset, or go on with one that was begun in the same way; the writer holds the lock.

    Who writes several parts that belong together begins with ``whole`` false, and calls ``finish`` after the last.
    """
    make_folder(path)
    for leftover in path.glob(".part-*"):  # of a writer that was killed; the lock says that none is at work
        leftover.unlink(missing_ok=True)
    if (path / HEAD).exists():
        existing = open_dataset(path, game)
        if existing.made != json.loads(json.dumps(made)):
            raise MismatchError(f"{path} holds a dataset that was made otherwise; choose another folder, or delete it")
        return existing
    if any(path.glob("part-*.parquet")):
        raise MismatchError(f"{path} holds parts of a dataset but no {HEAD}; choose another folder")
    return Dataset(path, game, json.loads(json.dumps(made)), tuple(sources), whole).save()


def open_dataset(path: Path, game: Game | None = None) -> Dataset:
    """An existing dataset; one of another game or of other rules is refused."""
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
        made if isinstance(made, dict) else {},
        tuple(source for source in sources if isinstance(source, dict)) if isinstance(sources, list) else (),
        head.get("whole") is True,
        rows if isinstance(rows, int) else 0,
        {key: value for key, value in head.items() if key not in known},
    )


def _read_head(path: Path) -> dict[str, Any]:
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
        told = f"{path} is version {head.get('version')} of the dataset format"
        raise MismatchError(f"{told}; this is version {VERSION}: make the dataset again")
    return head


def is_dataset(path: Path) -> bool:
    """Whether a path looks like a dataset."""
    return (path / HEAD).exists()
