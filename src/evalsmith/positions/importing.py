"""Datasets from files of played games and lists of positions: what a selection takes, with the result for the mover.

Values that a file knows become scores: exact ones, or what a player told of a position. What is not taken is counted by
its reason. Memory stays bounded whatever the files hold: batches of games come in, parts go out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalsmith.games import Game, find_game
from evalsmith.positions.choosing import POSITION_REASONS, STAGE, Chooser
from evalsmith.positions.dataset import IMPORTED, Dataset
from evalsmith.positions.pieces import ExactPositions, read_pieces
from evalsmith.positions.samples import EXACT, TOLD
from evalsmith.positions.selection import Selection
from evalsmith.positions.stages import thin_by_stage
from evalsmith.positions.writing import PartWriter, remade
from evalsmith.records import Batch, Faults, Reader, open_records
from evalsmith.run import InputError, Progress, Silent, write_json

__all__ = ["IMPORTED", "Imported", "import_records"]

FULL = "repeats may have passed: more positions than the memory for them holds"
_FAULTS_KEPT = 100


@dataclass(frozen=True)
class Imported:
    """What came in, and what was turned away and why; ``notes`` count what was odd about games that were taken."""

    dataset: Dataset
    games: int
    positions: int
    rejected: dict[str, int]
    faults: tuple[str, ...]
    notes: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data import --json``: games and positions turned away, together and apart."""
        return {
            "games": self.games,
            "positions": self.positions,
            "rejected": self.rejected,
            "rejected_games": {k: v for k, v in self.rejected.items() if k not in POSITION_REASONS},
            "rejected_positions": {k: v for k, v in self.rejected.items() if k in POSITION_REASONS},
            "notes": self.notes,
        }


def import_records(
    files: Sequence[Path],
    path: Path,
    *,
    game: Game | None = None,
    selection: Selection | None = None,
    text: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
) -> Imported:
    """Read files of games into a dataset; a broken game costs itself only."""
    selection = selection or Selection()
    reader = open_records(files, game.name if game else None, format)
    game = game or find_game(reader.game)
    sources = [{"name": source.path.name, "blake2b": _digest(source.path)} for source in reader.sources]
    made = {"how": "import", "sources": sources, "selection": selection.to_json(), "text": text}
    with remade(path, game, made, sources, "the import into") as (dataset, there):
        if there:
            return _stored(dataset)
        imported = _import(dataset, reader, selection, text, progress or Silent())
        write_json(path / IMPORTED, {**imported.to_json(), "faults": list(imported.faults)})
        return replace(imported, dataset=dataset.finish(games=imported.games))


def _import(dataset: Dataset, reader: Reader, selection: Selection, text: bool, progress: Progress) -> Imported:
    chooser, writer, faults = Chooser(dataset.game, selection), PartWriter(dataset, text=text), Faults(_FAULTS_KEPT)
    for number, source in enumerate(reader.sources):
        chooser.begin_file()
        for piece in read_pieces(source, faults):
            before = chooser.games
            if isinstance(piece, Batch):
                for samples in chooser.games_of(piece, number):
                    writer.add(samples)
            else:
                label = EXACT if isinstance(piece, ExactPositions) else TOLD
                writer.add(chooser.positions_of(piece, number, label))
            progress.advance(chooser.games - before)
    writer.close()
    rejected, positions = chooser.rejected, writer.positions
    rejected.update(faults.counts)
    if positions == 0:
        names = ", ".join(str(source.path) for source in reader.sources[:3])
        shown = [str(fault) for fault in faults.kept[:3]]
        shown = shown or [f"{reason} ({count:,} times)" for reason, count in rejected.most_common(3)]
        raise InputError(f"no game could be used of {names}" + (f": {'; '.join(shown)}" if shown else ""))
    if selection.per_stage is not None:
        removed = thin_by_stage(dataset, selection.per_stage, selection.seed, text=text)
        positions -= removed
        if removed:
            rejected[STAGE] += removed
    notes = dict(faults.notes)
    if chooser.keys is not None and chooser.keys.full:
        notes[FULL] = 1
    kept = tuple(str(fault) for fault in faults.kept)
    return Imported(dataset, chooser.games, positions, dict(rejected), kept, notes)


def _stored(dataset: Dataset) -> Imported:
    """What an import that is whole gave; where its summary is lost, what the dataset itself tells."""
    try:
        told = json.loads((dataset.path / IMPORTED).read_text(encoding="utf-8"))
        faults = tuple(str(fault) for fault in told.get("faults", ()))
        return Imported(dataset, told["games"], told["positions"], told["rejected"], faults, told.get("notes", {}))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Imported(dataset, int(dataset.extra.get("games", 0)), dataset.rows(), {}, (), {})


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    return digest.hexdigest()
