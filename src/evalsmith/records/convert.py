"""Files of games or of positions turned into another format of the same game.

Games are written, read back and compared, block by block: what a format has no place for is counted by its name,
and a game that would not come back as the same game is not written at all. Comments, variations and marks of moves in
PGN are passed over by its reader, and counted in the files.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from evalsmith.games import find_game
from evalsmith.records.format import Format
from evalsmith.records.leftovers import held, sweep
from evalsmith.records.opening import UNREADABLE, bare_suffix, parts
from evalsmith.records.packed.format import BinaryFormat, positions_of
from evalsmith.records.pgn.extras import count_extras
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.reader import FORMATS, Source, find_format, read_games
from evalsmith.records.record import UNKNOWN, Faults, Record, Score
from evalsmith.run.atomic import write_with
from evalsmith.run.errors import InputError, Interrupted, MismatchError
from evalsmith.run.progress import Progress, Silent

_BLOCK = 500  # games
_POSITIONS = 4096
_EXAMPLES = 20
_SAME_SECONDS = 1e-3
# What a game has beside its moves, by the names that are counted.
_FIELDS = (
    "result",
    "termination",
    "players",
    "ratings",
    "event",
    "date",
    "time_control",
    "scores",
    "labels",
    "annotations",
    "comments",
)
_EMPTY: tuple[Any, ...] = (None, "", (), {}, ("", ""), (None, None))

NOT_SAME = "it would not be read back as the same game"
DOES_NOT_FIT = "it does not fit into the format"
A_GAME = "it is a game with moves, not a position"


@dataclass(frozen=True)
class Converted:
    """What was converted.

    ``lost`` counts what the games that were written had and the file has not, ``refused`` the games that were not
    written, ``broken`` those that could not be read, all by reason. ``examples`` are the first of both in full.
    """

    source: str
    target: str
    read: int
    written: int
    lost: dict[str, int]
    refused: dict[str, int]
    broken: dict[str, int]
    warnings: dict[str, int]
    examples: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data convert --json``."""
        return {
            "from": self.source,
            "to": self.target,
            "read": self.read,
            "written": self.written,
            "lost": self.lost,
            "refused": self.refused,
            "broken": self.broken,
            "warnings": self.warnings,
        }


def convert_records(
    source: Path,
    target: Path,
    source_format: str | None = None,
    target_format: str | None = None,
    *,
    progress: Progress | None = None,
) -> Converted:
    """Write the games or positions of a file or a folder into another file, in one step.

    Formats that are not named are found: that of the source by its content, that of the target by its suffix.
    """
    reader = read_games(source, format=source_format)
    known = _target_format(target, target_format, reader.sources[0].format)
    if reader.game != known.game:
        raise MismatchError(f"{source} holds {reader.game}, and {known.name} is a format of {known.game}")
    if not _is_writable(known):
        writable = [other.name for other in FORMATS if other.game == known.game and _is_writable(other)]
        raise InputError(f"{known.name} cannot be written; formats of {known.game} that can: {', '.join(writable)}")
    _keep_sources(reader.sources, target)
    work = _Work(reader.sources, known, progress or Silent())

    def write(temporary: Path) -> None:
        with held(temporary), _create(temporary, target.suffix.lower()) as stream:
            work.run(stream)
        if not work.written:
            shown = "; ".join(work.examples[:3]) or "it holds no game and no position"
            raise InputError(f"nothing of {source} could be written as {known.name}: {shown}")

    sweep(target)
    try:
        write_with(target, write)
    except KeyboardInterrupt:
        raise Interrupted(f"{target} was not written") from None
    names = dict.fromkeys(entry.format.name for entry in reader.sources)
    return Converted(
        ", ".join(names),
        known.name,
        work.read,
        work.written,
        dict(work.lost),
        dict(work.refused),
        dict(work.faults.counts),
        dict(work.faults.warnings),
        tuple(work.examples),
    )


def _keep_sources(sources: tuple[Source, ...], target: Path) -> None:
    """Refuse to write over a file that is read: its comments and variations would be gone for good."""
    for source in sources:
        if target.exists() and target.samefile(source.path):
            raise InputError(f"{target} is also the source; give the target another name")


def _is_writable(known: Format) -> bool:
    return known.writable or known.writes_positions


def _target_format(target: Path, name: str | None, source: Format) -> Format:
    if name is not None:
        return find_format(name)
    suffix = bare_suffix(target)
    # A suffix of several formats means the one that holds what the source does: games or positions of its game.
    likeness = [(known.game != source.game, known.positions != source.positions) for known in FORMATS]
    for _, known in sorted(zip(likeness, FORMATS, strict=True), key=lambda pair: pair[0]):
        if suffix and suffix in known.all_suffixes:
            return known
    suffixes = sorted({suffix for known in FORMATS if _is_writable(known) for suffix in known.all_suffixes})
    raise InputError(f"the suffix of {target} does not imply a format; use one of {', '.join(suffixes)}, or --to")


def _create(path: Path, suffix: str) -> BinaryIO:
    """A file to be written, packed as the suffix of its name to be says."""
    stream: Any
    match suffix:
        case ".gz":
            stream = gzip.open(path, "wb")  # noqa: SIM115 - the caller closes it
        case ".bz2":
            stream = bz2.open(path, "wb")  # noqa: SIM115 - the caller closes it
        case ".xz":
            stream = lzma.open(path, "wb")  # noqa: SIM115 - the caller closes it
        case ".zst":
            import pyarrow

            stream = pyarrow.CompressedOutputStream(pyarrow.OSFile(str(path), "wb"), "zstd")
        case ".zip":
            raise InputError("archives can be read but not written; use .gz, .bz2, .xz or .zst")
        case _:
            stream = open(path, "wb")  # noqa: SIM115 - the caller closes it
    return stream


class _Work:
    """One conversion, with its counts."""

    def __init__(self, sources: tuple[Source, ...], target: Format, progress: Progress) -> None:
        self.sources, self.target, self.progress = sources, target, progress
        self.faults = Faults()
        self.lost: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.read = self.written = 0
        self._examples: list[str] = []

    @property
    def examples(self) -> list[str]:
        """The first games that were refused or could not be read, in full."""
        return [*self._examples, *map(str, self.faults.examples)][:_EXAMPLES]

    def run(self, stream: BinaryIO) -> None:
        """Convert all sources, one after another."""
        if self.target.writes_positions:
            for source in self.sources:
                self._write_positions(stream, source, self.target)
        else:
            self._write_games(stream, self.target)

    # ── Positions ──

    def _write_positions(self, stream: BinaryIO, source: Source, target: Format) -> None:
        known, path = source.format, source.path
        if isinstance(known, BinaryFormat) and isinstance(target, BinaryFormat):
            # Best moves and plies come along where both formats have them.
            blocks = positions_of(known.read_unpacked(path, self.faults))
            self.written += target.write_packed(stream, self._counted(blocks), self.lost, self.refused)
            return
        batches = known.read_position_batches(path, self.faults) if known.positions else self._gathered(known, path)
        self.written += target.write_positions(stream, self._counted(batches), self.lost, self.refused)

    def _counted(self, parts: Iterable[Any]) -> Iterator[Any]:
        for part in parts:
            self.read += len(part)
            self.progress.advance(len(part))
            yield part

    def _gathered(self, known: Format, path: Path) -> Iterator[PositionBatch]:
        """Positions from records without moves."""
        records = known.read(path, self.faults)
        while block := list(islice(records, _POSITIONS)):
            positions = [record for record in block if not record.moves]
            self.read += len(block) - len(positions)
            self._refuse(A_GAME, [record for record in block if record.moves])
            if positions:
                yield _batch(known.game, positions)

    # ── Games ──

    def _write_games(self, stream: BinaryIO, target: Format) -> None:
        for source in self.sources:
            if source.format.name == "pgn":
                self._count_extras(source.path)
        records = (record for source in self.sources for record in source.format.read(source.path, self.faults))
        while block := list(islice(records, _BLOCK)):
            self.read += len(block)
            texts: list[tuple[Record, str]] = []
            for record in block:
                try:
                    texts.append((record, target.format_record(record)))
                except InputError as error:
                    self._refuse(DOES_NOT_FIT, [record], str(error))
            for text in self._verified(target, texts):
                stream.write(((target.between if self.written else target.heading) + text).encode())
                self.written += 1
            self.progress.advance(len(block))

    def _count_extras(self, path: Path) -> None:
        """Count what readers of PGN pass over; what cannot be read is a fault when the games are."""
        for part in parts(path):
            with contextlib.suppress(*UNREADABLE), part.open() as stream:
                self.lost.update(count_extras(stream))

    def _verified(self, target: Format, texts: list[tuple[Record, str]]) -> Iterator[str]:
        """The texts that are read back as the games that they stand for."""
        back = _read_back(target, [text for _, text in texts])
        if len(back) == len(texts) and all(map(_same, (record for record, _ in texts), back)):
            for (record, text), found in zip(texts, back, strict=True):
                self._compare(record, found)
                yield text
            return
        for record, text in texts:
            alone = _read_back(target, [text])
            if len(alone) == 1 and _same(record, alone[0]):
                self._compare(record, alone[0])
                yield text
            else:
                self._refuse(NOT_SAME, [record])

    def _compare(self, record: Record, found: Record) -> None:
        for name in _FIELDS:
            written = getattr(record, name)
            if written not in _EMPTY and not _alike(written, getattr(found, name)):
                self.lost[name.replace("_", " ")] += 1

    def _refuse(self, reason: str, records: list[Record], detail: str = "") -> None:
        if not records:
            return
        self.refused[reason] += len(records)
        for record in records[: _EXAMPLES - len(self._examples)]:
            shown = f"{reason}: {detail}" if detail else reason
            self._examples.append(f"{record.source}, game {record.number}: {shown}")


def _read_back(target: Format, texts: list[str]) -> list[Record]:
    content = (target.heading + target.between.join(texts)).encode()
    return list(target.games(io.BufferedReader(io.BytesIO(content)), Path("written"), Faults()))


def _same(record: Record, found: Record) -> bool:
    return (record.moves, record.start) == (found.moves, found.start)


def _alike(asked: Any, found: Any) -> bool:
    """Whether a part of a game came back; times may be rounded to what a file has room for."""
    if not isinstance(asked, tuple) or len(asked) != len(found) or not any(isinstance(part, Score) for part in asked):
        return bool(asked == found)
    return all(_same_score(one, other) for one, other in zip(asked, found, strict=True))


def _same_score(one: Score | None, other: Score | None) -> bool:
    if one is None or other is None:
        return one is other
    if (one.value, one.depth) != (other.value, other.depth):
        return False
    if one.seconds is None or other.seconds is None:
        return one.seconds is other.seconds
    return abs(one.seconds - other.seconds) < _SAME_SECONDS


def _batch(game_name: str, records: list[Record]) -> PositionBatch:
    game = find_game(game_name)
    starts = [game.start() if record.start is None else game.parse(record.start) for record in records]
    return PositionBatch(
        game_name,
        records[0].source,
        np.stack(starts),
        np.array([UNKNOWN if record.result is None else record.result for record in records], dtype=np.int32),
        np.array([record.labels.get(0, UNKNOWN) for record in records], dtype=np.int32),
        np.array([record.number for record in records], dtype=np.int64),
        np.array([record.offset for record in records], dtype=np.int64),
    )
