"""Datasets from files of played games and lists of positions: what a selection takes, with the result for the mover.

Values that a file knows become scores: exact ones, or what a player told of a position. What is not taken is counted by
its reason. Memory stays bounded whatever the files hold: batches of games come in, parts go out. An import that was
killed goes on behind its last part, and ends with the same samples as one that was not disturbed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from evalsmith.games import Game, find_game
from evalsmith.positions.importing.checkpoint import (
    Commits,
    Standing,
    begin_import,
    faults_to_json,
    remember,
    restore_faults,
    rows_before,
    standing_of,
)
from evalsmith.positions.importing.chunks import ExactPositions, Piece, place_after, read_pieces
from evalsmith.positions.samples import EXACT, TOLD
from evalsmith.positions.selection.chooser import POSITION_REASONS, STAGE, Chooser
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.selection.stages import stage_counts, thin_by_stage
from evalsmith.positions.store.dataset import BUSY, HEAD, IMPORTED, Dataset, dataset_lock
from evalsmith.positions.store.writing import PartWriter, fingerprint_of
from evalsmith.records import Batch, Faults, Reader, open_records
from evalsmith.run import InputError, Interrupted, Progress, Silent, write_json

FULL = "repeats may have passed: more positions than the memory for them holds"
THINNING = "thinning"  # what an import gave before stages are thinned
_FAULTS_KEPT = 100


@dataclass(frozen=True)
class Imported:
    """What came in, and what was turned away and why; ``warnings`` count what was odd about games that were taken."""

    dataset: Dataset
    games: int
    positions: int
    rejected: dict[str, int]
    faults: tuple[str, ...]
    warnings: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data import --json``: games and positions turned away, together and apart."""
        return {
            "games": self.games,
            "positions": self.positions,
            "rejected": self.rejected,
            "rejected_games": {k: v for k, v in self.rejected.items() if k not in POSITION_REASONS},
            "rejected_positions": {k: v for k, v in self.rejected.items() if k in POSITION_REASONS},
            "notes": self.warnings,
        }


def import_records(
    files: Sequence[Path],
    path: Path,
    *,
    game: Game | None = None,
    selection: Selection | None = None,
    text: bool = False,
    moves: bool = True,
    format: str | None = None,
    beyond: Sequence[Path] = (),
    anew: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Read files of games into a dataset; a broken game costs itself only.

    What was killed or interrupted goes on behind its last whole part. ``moves`` keeps the moves played. ``beyond`` are
    parts of another dataset whose positions count as having come before, where the selection takes none twice.
    ``anew`` deletes what another import left in the folder.
    """
    selection = selection or Selection()
    reader = open_records(files, game.name if game else None, format)
    game = game or find_game(reader.game)
    sources = [{"name": source.path.name, "blake2b": _digest(source.path)} for source in reader.sources]
    made: dict[str, Any] = {"how": "import", "sources": sources, "selection": selection.to_json(), "text": text}
    made |= {} if moves else {"moves": False}
    made |= {"format": format} if format else {}
    made |= {"beyond": fingerprint_of(beyond)} if beyond and selection.dedup else {}
    with dataset_lock(path):
        dataset = begin_import(path, game, made, sources, anew=anew)
        if dataset.whole:
            return _stored(dataset.check_whole())
        if BUSY in dataset.extra:
            dataset.check_whole()
        chooser = Chooser(game, selection, moves=moves)
        work = _Import(dataset, reader, chooser, text, progress or Silent())
        try:
            return work.run(beyond)
        except KeyboardInterrupt:
            kept = dataset.rows()
            told = f"{kept:,} positions are kept of" if kept else "nothing was kept of"
            raise Interrupted(f"{told} the import into {path}; the same command goes on") from None


class _Import:
    """One import under way; it goes on behind the parts that are there."""

    def __init__(self, dataset: Dataset, reader: Reader, chooser: Chooser, text: bool, progress: Progress) -> None:
        self.dataset, self.reader, self.chooser, self.text, self.progress = dataset, reader, chooser, text, progress
        self.faults = Faults(_FAULTS_KEPT)

    def run(self, beyond: Sequence[Path]) -> Imported:
        """Read what was not read before, thin it, and say that the dataset is whole."""
        dataset = self.dataset
        if THINNING not in dataset.extra:
            imported = self._read(beyond)
            if self.chooser.selection.per_stage is not None:
                told = {**imported.to_json(), "faults": list(imported.faults), "stages": stage_counts(dataset)}
                dataset = self.dataset = replace(dataset, extra={**dataset.extra, THINNING: told}).save()
        if THINNING in dataset.extra:
            imported = self._thin(dataset.extra[THINNING])
        write_json(dataset.path / IMPORTED, {**imported.to_json(), "faults": list(imported.faults)})
        extra = {key: value for key, value in dataset.extra.items() if key != THINNING}
        return replace(imported, dataset=replace(dataset, extra=extra).finish(games=imported.games))

    def _read(self, beyond: Sequence[Path]) -> Imported:
        chooser, standing = self.chooser, standing_of(self.dataset)
        before = rows_before(self.dataset, standing)
        commits = Commits(standing, before)
        writer = PartWriter(self.dataset, text=self.text, facts=commits.facts)
        writer.go_on(standing.parts, before + standing.rows, standing.rows)
        chooser.games, chooser.last_ply = standing.games, standing.last_ply
        chooser.rejected.update(standing.rejected)
        if chooser.keys is not None:
            remember(chooser.keys, beyond, self.dataset.game, images=chooser.selection.symmetry)
            remember(chooser.keys, self.dataset.parts(), self.dataset.game, before)
        self.progress.advance(chooser.games)
        for number in range(standing.source, len(self.reader.sources)):
            source = self.reader.sources[number]
            here = standing if number == standing.source else Standing()
            pieces, done, place = read_pieces(source, self.faults, here.place), here.pieces, here.place
            if number == standing.source:
                # A file that cannot be read from a place on is read once more; its faults are those that were counted.
                sum(1 for _ in islice(pieces, 0 if place else done))
                restore_faults(self.faults, standing.faults)
            else:
                chooser.begin_file()
            while True:
                commits.before_piece(writer.added, self._standing(number, done, place))
                piece = next(pieces, None)
                if piece is None:
                    break
                self._take(piece, writer, number)
                done, place = done + 1, place_after(source, piece)
        writer.close()
        return self._summary(writer.positions)

    def _standing(self, source: int, pieces: int, place: tuple[int, ...]) -> Standing:
        """Where the import stands before the next piece."""
        chooser = self.chooser
        faults = faults_to_json(self.faults)
        return Standing(source, pieces, chooser.games, chooser.last_ply, dict(chooser.rejected), faults, place)

    def _take(self, piece: Piece, writer: PartWriter, number: int) -> None:
        before = self.chooser.games
        if isinstance(piece, Batch):
            for samples in self.chooser.games_of(piece, number):
                writer.add(samples)
        else:
            label = EXACT if isinstance(piece, ExactPositions) else TOLD
            writer.add(self.chooser.positions_of(piece, number, label))
        self.progress.advance(self.chooser.games - before)

    def _summary(self, positions: int) -> Imported:
        chooser, faults = self.chooser, self.faults
        rejected = dict(chooser.rejected + faults.counts)
        if positions == 0:
            self.dataset.clear()
            (self.dataset.path / HEAD).unlink(missing_ok=True)
            raise InputError(_nothing(self.reader, rejected, faults))
        warnings = dict(faults.warnings)
        if chooser.keys is not None and chooser.keys.full:
            warnings[FULL] = 1
        kept = tuple(str(fault) for fault in faults.examples)
        return Imported(self.dataset, chooser.games, positions, rejected, kept, warnings)

    def _thin(self, told: dict[str, Any]) -> Imported:
        """Leave so many of each stage; ``told`` is what the dataset said of itself before."""
        choice = self.chooser.selection
        assert choice.per_stage is not None
        counts = {int(stage): count for stage, count in told["stages"].items()}
        left = thin_by_stage(self.dataset, counts, choice.per_stage, choice.seed, text=self.text)
        rejected = {**told["rejected"], **({STAGE: told["positions"] - left} if left < told["positions"] else {})}
        return Imported(self.dataset, told["games"], left, rejected, tuple(told["faults"]), told["notes"])


def _nothing(reader: Reader, rejected: dict[str, int], faults: Faults) -> str:
    """Why no game could be used: what was turned away by which reason, and the first broken games."""
    names = ", ".join(str(source.path) for source in reader.sources[:3])
    more = f" and {len(reader.sources) - 3} more files" if len(reader.sources) > 3 else ""
    reasons = sorted(rejected.items(), key=lambda item: -item[1])
    told = ", ".join(f"{reason} ({count:,})" for reason, count in reasons) or "they hold no game and no position"
    shown = "; ".join(map(str, faults.examples[:3]))
    return f"no game could be used of {names}{more}: {told}" + (f"; the first: {shown}" if shown else "")


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
