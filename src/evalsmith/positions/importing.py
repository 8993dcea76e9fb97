"""Datasets from files of played games: every position before a move, with the game's result for the mover.

Exact values that a file knows of single positions become their scores. What cannot be used is counted by its
reason.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.games import Game, Position, find_game
from evalsmith.positions.dataset import HEAD, IMPORTED, Dataset, create_dataset, part_path, write_part
from evalsmith.positions.samples import UNKNOWN, Replayer, Samples
from evalsmith.records import Record, open_records
from evalsmith.run import FileLock, InputError, Interrupted, Progress, Silent, write_json

GAMES_PER_PART = 5000


@dataclass(frozen=True)
class Imported:
    """What came in, and what was turned away and why."""

    dataset: Dataset
    games: int
    positions: int
    rejected: dict[str, int]
    faults: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data import --json``."""
        return {"games": self.games, "positions": self.positions, "rejected": self.rejected}


def import_records(
    files: Sequence[Path], path: Path, *, game: Game | None = None, progress: Progress | None = None
) -> Imported:
    """Read files of games into a dataset; a broken game costs itself only."""
    progress = progress or Silent()
    reader = open_records(files, game.name if game else None)
    game = game or find_game(reader.game)
    sources = [{"file": source.path.name, "blake2b": _digest(source.path)} for source in reader.sources]
    dataset = create_dataset(path, game, {"how": "import", "sources": sources})
    rejected: Counter[str] = Counter()
    replayer = Replayer(game)
    count = positions = parts = 0
    waiting: list[Samples] = []
    with FileLock(path / ".lock", wait=False):
        try:
            for record in reader:
                if record.result is None and not record.labels:
                    rejected["result not known"] += 1
                    continue
                waiting.append(_samples(game, replayer, count, record))
                count += 1
                positions += len(waiting[-1])
                progress.advance()
                if len(waiting) == GAMES_PER_PART:
                    write_part(path, parts, Samples.join(waiting, game.words), game)
                    parts, waiting = parts + 1, []
            if waiting:
                write_part(path, parts, Samples.join(waiting, game.words), game)
        except KeyboardInterrupt:
            for number in range(parts):
                part_path(path, number).unlink(missing_ok=True)
            raise Interrupted(f"nothing was kept of the import into {path}; the same command begins again") from None
    rejected.update(reader.reading.faults)
    if positions == 0:
        (path / HEAD).unlink(missing_ok=True)
        shown = "; ".join(str(fault) for fault in reader.reading.kept[:3])
        raise InputError(
            f"no game could be used of {', '.join(str(file) for file in files)}" + (f": {shown}" if shown else "")
        )
    imported = Imported(dataset, count, positions, dict(rejected), tuple(str(fault) for fault in reader.reading.kept))
    write_json(path / IMPORTED, imported.to_json())
    return imported


def _samples(game: Game, replayer: Replayer, number: int, record: Record) -> Samples:
    start: Position = game.parse(record.start) if record.start else game.start()
    # A list of positions gives records without moves: the start itself is the sample.
    moves = record.moves or tuple(game.moves(start)[:1])
    samples = replayer.samples(number, start, moves, record.result)
    if not record.moves:
        samples = samples.take(samples.ply == 0)
    if record.labels:
        for ply, value in record.labels.items():
            samples.score[samples.ply == ply] = value
        if record.result is None:
            samples = samples.take(samples.score != UNKNOWN)
    return samples


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    return digest.hexdigest()
