"""Datasets from files of played games and lists of positions: what a selection takes, with the result for the mover.

Values that a file knows become scores: exact ones, or what a player reported. What is not taken is counted by its
reason. Memory stays bounded whatever the files hold: chunks of games come in, parts go out. A killed import resumes
after its last part, and ends with the same samples as one that was not disturbed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from evalsmith.games import find_game
from evalsmith.positions.importing.ahead import SAVED_ERRORS, ReadAhead
from evalsmith.positions.importing.checkpoint import (
    Checkpoint,
    Commits,
    begin_import,
    checkpoint_of,
    faults_to_json,
    remember,
    restore_faults,
    rows_before,
)
from evalsmith.positions.importing.chunks import Chunk, ExactPositions, place_after, read_chunks
from evalsmith.positions.importing.settings import ImportSettings
from evalsmith.positions.importing.summary import ImportedDataset, ImportSummary, stored_summary
from evalsmith.positions.samples import EXACT, REPORTED
from evalsmith.positions.selection.chooser import NO_RESULT, STAGE, Chooser
from evalsmith.positions.selection.stages import stage_counts, thin_by_stage
from evalsmith.positions.store.dataset import BUSY, HEAD, IMPORTED, Dataset, dataset_lock
from evalsmith.positions.store.parts import count_games
from evalsmith.positions.store.writing import PartWriter, fingerprint_of
from evalsmith.records import Batch, Faults, Reader, read_games
from evalsmith.run import InputError, Interrupted, Progress, resume, write_json
from evalsmith.run.watching import Watch, unwatched

FULL = "repeats may have passed: more positions than the memory for them holds"
NO_RESULTS_ADVICE = (
    "; where a file names no result, `evalsmith data import --unknown-results` takes the positions without a value, "
    "and `evalsmith data label` gives them one"
)
THINNING = "thinning"  # the summary of an import before stages are thinned


def import_files(
    files: Sequence[Path],
    path: Path,
    settings: ImportSettings,
    *,
    beyond: Sequence[Path] = (),
    overwrite: bool = False,
    progress: Watch = unwatched,
) -> ImportedDataset:
    """Read files of games into a dataset; a broken game costs itself only.

    ``beyond`` are parts of another dataset: their positions count as seen, where the selection takes none twice.
    ``overwrite`` deletes what another import wrote in the folder.
    """
    reader = read_games(files, settings.game, settings.format)
    game = find_game(settings.game or reader.game)
    sources = [{"name": source.path.name, "blake2b": _digest(source.path)} for source in reader.sources]
    with dataset_lock(path), progress("importing", None, "games") as bar:
        dataset = begin_import(path, game, _made(settings, sources, beyond), sources, overwrite=overwrite)
        if dataset.complete:
            return ImportedDataset.of(dataset.check_complete(), stored_summary(dataset))
        if BUSY in dataset.extra:
            dataset.check_complete()
        work = _Import(dataset, reader, settings, bar)
        try:
            return work.run(beyond)
        except KeyboardInterrupt:
            rows = dataset.rows()
            saved = f"{rows:,} positions are saved" if rows else "nothing is saved yet"
            raise Interrupted(f"{saved} of the import into {path}; run the same command to resume") from None


def _made(settings: ImportSettings, sources: list[dict[str, str]], beyond: Sequence[Path]) -> dict[str, Any]:
    """How the dataset is made: what must be the same for an import to resume."""
    selection = settings.select
    made: dict[str, Any] = {
        "how": "import", "sources": sources, "selection": selection.to_json(), "text": settings.text,
    }  # fmt: skip
    made |= {} if settings.moves else {"moves": False}
    made |= {"format": settings.format} if settings.format else {}
    made |= {"beyond": fingerprint_of(beyond)} if beyond and selection.dedup else {}
    return made


class _Import:
    """One import under way; it begins after the parts that are there."""

    def __init__(self, dataset: Dataset, reader: Reader, settings: ImportSettings, progress: Progress) -> None:
        self.dataset, self.reader, self.text, self.progress = dataset, reader, settings.text, progress
        self.chooser = Chooser(dataset.game, settings.select, moves=settings.moves)
        self.faults = Faults(SAVED_ERRORS)

    def run(self, beyond: Sequence[Path]) -> ImportedDataset:
        """Read what was not read before, thin it, and mark the dataset as complete."""
        dataset = self.dataset
        if THINNING not in dataset.extra:
            summary = self._read(beyond)
            if self.chooser.selection.per_stage is not None:
                stored = {**summary.stored(), "stages": stage_counts(dataset)}
                dataset = self.dataset = replace(dataset, extra={**dataset.extra, THINNING: stored}).save()
        if THINNING in dataset.extra:
            summary = self._thin(dataset.extra[THINNING])
        summary = replace(summary, empty_games=summary.games - count_games(dataset.parts()))
        write_json(dataset.path / IMPORTED, summary.stored())
        extra = {key: value for key, value in dataset.extra.items() if key != THINNING}
        return ImportedDataset.of(replace(dataset, extra=extra).finish(games=summary.games), summary)

    def _read(self, beyond: Sequence[Path]) -> ImportSummary:
        chooser, start = self.chooser, checkpoint_of(self.dataset)
        before = rows_before(self.dataset, start)
        commits = Commits(start, before)
        writer = PartWriter(self.dataset, text=self.text, facts=commits.facts)
        writer.resume(start.parts, before + start.rows, start.rows)
        chooser.games, chooser.last_ply = start.games, start.last_ply
        chooser.rejected.update(start.rejected)
        if chooser.keys is not None:
            remember(chooser.keys, beyond, self.dataset.game, images=chooser.selection.symmetry)
            remember(chooser.keys, self.dataset.parts(), self.dataset.game, before)
        resume(self.progress, chooser.games)
        ahead = ReadAhead(self.reader.sources, start.source + 1, self.faults, self.progress, self.dataset.path)
        for number in range(start.source, len(self.reader.sources)):
            here = start if number == start.source else Checkpoint()
            done, place = here.chunks, here.place
            if number == start.source:
                chunks = self._resumed(start)
            else:
                chunks = ahead.chunks(number)
                chooser.begin_file()
            while True:
                commits.before_chunk(writer.added, self._checkpoint(number, done, place))
                found = next(chunks, None)
                if found is None:
                    break
                chunk, place = found
                self._take(chunk, writer, number)
                done += 1
        ahead.close()
        writer.close()
        return self._summary(writer.positions)

    def _resumed(self, start: Checkpoint) -> Iterator[tuple[Chunk, tuple[int, ...]]]:
        """The chunks of the file that the import begins with, from where it stopped."""
        source = self.reader.sources[start.source]
        chunks = read_chunks(source, self.faults, start.place)
        # A file that has to be read from its beginning counts its errors again: restore those already counted.
        sum(1 for _ in islice(chunks, 0 if start.place else start.chunks))
        restore_faults(self.faults, start.faults)
        return ((chunk, place_after(source, chunk)) for chunk in chunks)

    def _checkpoint(self, source: int, chunks: int, place: tuple[int, ...]) -> Checkpoint:
        """Where the import is before the next chunk."""
        return Checkpoint(
            source=source,
            chunks=chunks,
            games=self.chooser.games,
            last_ply=self.chooser.last_ply,
            rejected=dict(self.chooser.rejected),
            faults=faults_to_json(self.faults),
            place=place,
        )

    def _take(self, chunk: Chunk, writer: PartWriter, number: int) -> None:
        before = self.chooser.games
        if isinstance(chunk, Batch):
            for samples in self.chooser.games_of(chunk, number):
                writer.add(samples)
        else:
            label = EXACT if isinstance(chunk, ExactPositions) else REPORTED
            writer.add(self.chooser.positions_of(chunk, number, label))
        self.progress.advance(self.chooser.games - before)

    def _summary(self, positions: int) -> ImportSummary:
        chooser, faults = self.chooser, self.faults
        rejected = dict(chooser.rejected + faults.counts)
        if positions == 0:
            self.dataset.clear()
            (self.dataset.path / HEAD).unlink(missing_ok=True)
            raise InputError(_nothing(self.reader, rejected, faults))
        warnings = dict(faults.warnings)
        if chooser.keys is not None and chooser.keys.full:
            warnings[FULL] = 1
        errors = tuple(str(fault) for fault in faults.examples)
        return ImportSummary(chooser.games, positions, rejected, errors, warnings)

    def _thin(self, stored: dict[str, Any]) -> ImportSummary:
        """Leave at most ``per_stage`` positions of each stage; ``stored`` is the summary before."""
        choice, before = self.chooser.selection, ImportSummary.from_stored(stored)
        assert choice.per_stage is not None
        counts = {int(stage): count for stage, count in stored["stages"].items()}
        left = thin_by_stage(self.dataset, counts, choice.per_stage, choice.seed, text=self.text)
        thinned = {STAGE: before.positions - left} if left < before.positions else {}
        return replace(before, positions=left, rejected={**before.rejected, **thinned})


def _nothing(reader: Reader, rejected: dict[str, int], faults: Faults) -> str:
    """Why no game could be used: what was rejected by which reason, and the first broken games."""
    names = ", ".join(str(source.path) for source in reader.sources[:3])
    more = f" and {len(reader.sources) - 3} more files" if len(reader.sources) > 3 else ""
    reasons = sorted(rejected.items(), key=lambda item: -item[1])
    why = ", ".join(f"{reason} ({count:,})" for reason, count in reasons) or "they hold no game and no position"
    shown = "; ".join(map(str, faults.examples[:3]))
    said = f"no game could be used of {names}{more}: {why}" + (f"; the first: {shown}" if shown else "")
    return said + (NO_RESULTS_ADVICE if NO_RESULT in rejected else "")


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    return digest.hexdigest()
