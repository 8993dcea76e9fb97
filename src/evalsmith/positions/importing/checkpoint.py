"""The checkpoint of an import: stored with every part, so that a killed import resumes after its last part.

A part names the last chunk of a file that began before the end of the part, what had been counted until then, and how
many samples of that chunk the parts have already. A resumed import reads that chunk again and leaves those samples out.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from evalsmith.games import Game
from evalsmith.games.bulk import keys_of
from evalsmith.positions.selection.symmetry import canonical
from evalsmith.positions.store.changes import describe_changes
from evalsmith.positions.store.dataset import (
    BUSY,
    HEAD,
    IMPORTED,
    Dataset,
    Source,
    create_dataset,
    is_dataset,
    load_dataset,
)
from evalsmith.positions.store.keyset import KeySet
from evalsmith.positions.store.parts import part_fact, part_path, part_rows, read_batches
from evalsmith.records import Fault, Faults
from evalsmith.run import InputError, MismatchError

CHECKPOINT = "checkpoint"


@dataclass(frozen=True)
class Checkpoint:
    """Before a chunk: the file, the number of its chunks that are done, and what was counted.

    ``place`` is where the chunk begins, for a reader that can begin there. ``rows`` is the number of samples of the
    chunk that are stored already, ``parts`` the number of parts.
    """

    source: int = 0
    chunks: int = 0
    games: int = 0
    last_ply: int = -1
    rejected: dict[str, int] = field(default_factory=dict)
    faults: dict[str, Any] = field(default_factory=dict)
    place: tuple[int, ...] = ()
    rows: int = 0
    parts: int = 0


class Commits:
    """The checkpoints before the last chunks, and which of them a part stores."""

    def __init__(self, first: Checkpoint, rows: int) -> None:
        self._marks = [(rows, first)]

    def before_chunk(self, rows: int, checkpoint: Checkpoint) -> None:
        """Note the checkpoint after a number of samples."""
        self._marks.append((rows, checkpoint))

    def facts(self, end: int) -> dict[str, str]:
        """What a part stores that ends after a number of samples."""
        while len(self._marks) > 1 and self._marks[1][0] <= end:
            self._marks.pop(0)
        rows, checkpoint = self._marks[0]
        return {CHECKPOINT: json.dumps(asdict(replace(checkpoint, rows=end - rows)))}


def faults_to_json(faults: Faults) -> dict[str, Any]:
    """The errors and warnings so far."""
    return {
        "counts": dict(faults.counts),
        "notes": dict(faults.warnings),
        "kept": [asdict(fault) for fault in faults.examples],
    }


def restore_faults(faults: Faults, stored: dict[str, Any]) -> None:
    """Restore errors and warnings."""
    faults.counts, faults.warnings = Counter(stored.get("counts", {})), Counter(stored.get("notes", {}))
    faults.examples[:] = [Fault(**fault) for fault in stored.get("kept", ())]


def checkpoint_of(dataset: Dataset) -> Checkpoint:
    """Where a killed import stopped; parts after a gap or a damaged one are deleted."""
    found = Checkpoint()
    for number, part in enumerate(dataset.parts()):
        stored = _stored(part) if part == part_path(dataset.path, number) and found.parts == number else None
        if stored is None:
            part.unlink(missing_ok=True)
        else:
            found = replace(stored, parts=number + 1)
    return found


def _stored(part: Path) -> Checkpoint | None:
    with contextlib.suppress(InputError, ValueError, TypeError, KeyError):
        stored = json.loads(part_fact(part, CHECKPOINT))
        return Checkpoint(**{**stored, "place": tuple(map(int, stored["place"]))})
    return None


def rows_before(dataset: Dataset, checkpoint: Checkpoint) -> int:
    """The number of samples stored before the chunk that is read again."""
    return sum(map(part_rows, dataset.parts())) - checkpoint.rows


def remember(keys: KeySet, parts: Sequence[Path], game: Game, rows: int | None = None, *, images: bool = False) -> None:
    """Add the positions of parts to a set of keys, all or the first ``rows``; ``images`` adds one for all images."""
    left = rows
    for part in parts:
        for samples in read_batches(part, game):
            words = samples.words if left is None else samples.words[:left]
            left = None if left is None else left - len(words)
            keys.add(keys_of(game, canonical(game, words) if images else words))


def begin_import(
    path: Path, game: Game, made: dict[str, Any], sources: Sequence[Source], *, overwrite: bool = False
) -> Dataset:
    """The dataset of an import: new, killed or complete; one of other files or settings is refused.

    ``overwrite`` deletes what another import wrote there. The caller holds the lock.
    """
    made = json.loads(json.dumps(made))
    if is_dataset(path):
        existing = load_dataset(path, None if overwrite else game)
        if BUSY in existing.extra and not overwrite:
            existing.check_complete()
        other = existing.made != made
        imported = existing.made.get("how") == "import"
        nothing = not existing.complete and not existing.parts() and BUSY not in existing.extra
        if (overwrite and imported) or existing.killed or (other and imported and nothing):
            existing.clear()
            (path / IMPORTED).unlink(missing_ok=True)
            (path / HEAD).unlink()
        elif other and imported:
            raise MismatchError(_refusal(existing, made))
    return create_dataset(path, game, made, sources, complete=False)


def _refusal(existing: Dataset, made: dict[str, Any]) -> str:
    changes = describe_changes(existing.made, made)
    if existing.complete:
        return f"{existing.path} was made with other settings: {changes}; choose another folder, or use --overwrite"
    return (
        f"the import into {existing.path} was not finished, and this is another one: {changes}; "
        "give its command again, or use --overwrite to delete what it has and start over"
    )
