"""A file of games in chunks: batches of games, or of positions, whichever its format is fastest at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np

from evalsmith.games import find_game
from evalsmith.records import UNKNOWN, Batch, Faults, Format, Record, Source
from evalsmith.records.batch import BATCH_GAMES, join
from evalsmith.records.opening import parts
from evalsmith.records.position_batch import PositionBatch


class ExactPositions(PositionBatch):
    """Positions whose scores are exact."""


Chunk: TypeAlias = Batch | PositionBatch


def read_chunks(source: Source, faults: Faults, begin: tuple[int, ...] = ()) -> Iterator[Chunk]:
    """The games and positions of a file, many at once; ``begin`` is what ``place_after`` gave for an earlier chunk."""
    form = source.format
    if form.positions:
        yield from form.read_position_batches(source.path, faults, begin)
    elif type(form).batches is not Format.batches:
        yield from form.read_batches(source.path, faults, begin)
    else:
        yield from _gathered(form, source.path, faults)


def place_after(source: Source, chunk: Chunk) -> tuple[int, ...]:
    """Where a file continues after a chunk; empty where it can be read from its beginning only, as archives are."""
    return chunk.after if chunk.after and all(part.alone for part in islice(parts(source.path), 1)) else ()


def _gathered(form: Format, path: Path, faults: Faults) -> Iterator[Batch | PositionBatch]:
    """Records in batches; those without moves are positions."""
    games: list[Record] = []
    alone: list[Record] = []
    for record in form.read(path, faults):
        (games if record.moves else alone).append(record)
        if len(games) == BATCH_GAMES:
            yield join(games, form.game, str(path))
            games = []
        if len(alone) == BATCH_GAMES:
            yield _positions(alone, form.game)
            alone = []
    if games:
        yield join(games, form.game, str(path))
    if alone:
        yield _positions(alone, form.game)


def _positions(records: list[Record], name: str) -> ExactPositions:
    game = find_game(name)
    return ExactPositions(
        name,
        records[0].source,
        np.stack([game.start() if record.start is None else game.parse(record.start) for record in records]),
        np.array([UNKNOWN if record.result is None else record.result for record in records], dtype=np.int32),
        np.array([record.labels.get(0, UNKNOWN) for record in records], dtype=np.int32),
        np.array([record.number for record in records], dtype=np.int64),
        np.array([record.offset for record in records], dtype=np.int64),
    )
