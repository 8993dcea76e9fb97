"""Labels for a dataset: made on all cores, saved when killed, stored when all are made.

While labels are made, finished chunks wait in ``DATASET/.labels-…`` and the dataset stays as it was. Then every part is
rewritten, in one step each; a kill between two of them leaves a dataset that is marked as partial, and the same command
finishes it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.positions.labelling.labellers import CODES, LabelItem, Labelling, Labels, labelling_job
from evalsmith.positions.labelling.settings import LabelSettings
from evalsmith.positions.samples import NONE, UNKNOWN, Samples
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.store.dataset import BUSY, Dataset, dataset_lock, is_dataset, load_dataset
from evalsmith.positions.store.parts import has_text, part_fact, read_part, write_part
from evalsmith.run import (
    InputError,
    Interrupted,
    MismatchError,
    OutputError,
    Progress,
    make_folder,
    write_with,
)
from evalsmith.run.tables import TextTable
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How, run

CHUNK = 200  # positions whose labels a kill may cost each thread
LABELLED = "labelled"


@dataclass(frozen=True)
class LabelSummary:
    """The number of positions that were asked for a label, and of those that got one."""

    positions: int = 0
    labelled: int = 0

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data label --json``."""
        return {"positions": self.positions, "labelled": self.labelled}


@dataclass(frozen=True, repr=False)
class LabelledDataset(Dataset):
    """A dataset that was labelled, with the summary of that."""

    summary: LabelSummary = field(default_factory=LabelSummary)

    def table(self) -> TextTable:
        """The counts as a table."""
        summary = self.summary
        rows = (("positions asked", summary.positions), ("labelled", summary.labelled))
        return TextTable(("", "count"), rows, (f"dataset in {self.path}",))


def label(
    dataset: Dataset | Path | str,
    output: Path | str | None = None,
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> LabelledDataset:
    """Label the positions of a dataset, in place or in a copy at ``output``. Settings are those of `LabelSettings`.

    Called again, an interrupted run resumes.

        label("positions", by="search", nodes=2000)
    """
    chosen = LabelSettings.from_options(settings)
    source = dataset if isinstance(dataset, Dataset) else load_dataset(dataset)
    path = source.path if output is None else copied(source, Path(output)).path
    with progress("labelling", count_wanted(path, chosen), "positions") as bar:
        return _label(path, chosen, concurrency, bar)


def _label(path: Path, settings: LabelSettings, concurrency: int | None, progress: Progress) -> LabelledDataset:
    work = Labelling(load_dataset(path).game, settings)
    asked = {**settings.to_json(), "weights": work.weights_hash}
    with dataset_lock(path):
        dataset = load_dataset(path)
        before = dataset.extra.get(LABELLED, [])
        if before and before[-1] == asked and _name(before) in {part_fact(part, LABELLED) for part in dataset.parts()}:
            before = before[:-1]  # it was the last thing done here: only parts that came later lack their labels
        # The same may be asked again after something else was stored, so earlier labellings are part of the name.
        name = _name([*before, asked])
        if dataset.extra.get(BUSY) != f"labelling {name}":
            dataset.check_complete()
        job = _Job(dataset, settings, path / f".labels-{name}", name)
        if settings.by != "result":
            make_folder(job.folder)
            _make(job, work, concurrency, progress)
        dataset = replace(dataset, extra={**dataset.extra, BUSY: f"labelling {name}"}, complete=False).save()
        counts = [_rewrite(job, number, part) for number, part in enumerate(dataset.parts())]
        extra = {key: value for key, value in dataset.extra.items() if key != BUSY}
        dataset = replace(dataset, extra=extra).finish(**{LABELLED: [*before, asked]})
        shutil.rmtree(job.folder, ignore_errors=True)
    summary = LabelSummary(positions=sum(wanted for wanted, _ in counts), labelled=sum(found for _, found in counts))
    return LabelledDataset(**vars(dataset), summary=summary)


def _name(labellings: list[dict[str, Any]]) -> str:
    """What parts carry that have the labels of these labellings."""
    return hashlib.blake2b(json.dumps(labellings, sort_keys=True).encode(), digest_size=8).hexdigest()


def copied(source: Dataset, path: Path) -> Dataset:
    """A copy of a complete dataset, made once; another dataset at that path is refused."""
    source.check_complete()
    if not is_dataset(path):
        make_folder(path.parent)
        temporary = path.with_name(f".{path.name}.copying")
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.copytree(source.path, temporary, ignore=shutil.ignore_patterns(".*"))
        try:
            temporary.rename(path)
        except OSError as error:
            shutil.rmtree(temporary, ignore_errors=True)
            raise OutputError(f"cannot write {path}: {error.strerror}") from None
    copy = load_dataset(path, source.game)
    if (copy.made, copy.sources, copy.expected_rows) != (source.made, source.sources, source.expected_rows):
        raise MismatchError(f"{path} is not a copy of {source.path}; choose another folder, or delete it")
    return copy


@dataclass(frozen=True)
class _Job:
    """A labelling under way: finished chunks wait in ``folder``; parts that carry ``name`` have their labels."""

    dataset: Dataset
    settings: LabelSettings
    folder: Path
    name: str

    def chunk_path(self, part: int, chunk: int) -> Path:
        """Where a finished chunk waits."""
        return self.folder / f"{part:05d}-{chunk:05d}.npz"


def wanted_rows(game: Game, samples: Samples, settings: LabelSettings) -> npt.NDArray[np.intp]:
    """The rows of a part that are to be labelled."""
    wanted = np.ones(len(samples), dtype=np.bool_)
    if settings.stage_range is not None:
        wanted &= (samples.phase >= settings.stage_range[0]) & (samples.phase <= settings.stage_range[1])
    if settings.missing:
        wanted &= samples.score == UNKNOWN
    if settings.quiet:
        wanted[wanted] = quiet_positions(game, samples.words[wanted])
    return np.flatnonzero(wanted)


def count_wanted(path: Path, settings: LabelSettings) -> int:
    """How many positions a labelling will ask about."""
    dataset = load_dataset(path)
    return sum(len(wanted_rows(dataset.game, read_part(part, dataset.game), settings)) for part in dataset.parts())


def _chunks(job: _Job) -> Iterator[LabelItem]:
    """The chunks, read as they are needed; parts that have their labels are skipped."""
    for number, part in enumerate(job.dataset.parts()):
        if part_fact(part, LABELLED) == job.name:
            continue
        samples = read_part(part, job.dataset.game)
        rows = wanted_rows(job.dataset.game, samples, job.settings)
        for chunk in range(0, len(rows), CHUNK):
            yield LabelItem(number, chunk // CHUNK, samples.words[rows[chunk : chunk + CHUNK]])


def _make(job: _Job, work: Labelling, concurrency: int | None, progress: Progress) -> None:
    done = 0

    def missing() -> Iterator[LabelItem]:
        nonlocal done
        for item in _chunks(job):
            if _load(job.chunk_path(item.part, item.chunk), len(item.words)) is None:
                yield item
            else:
                done += 1
                progress.advance(len(item.words))

    how = How.shown(concurrency, progress, job.dataset.path, units=True, ordered=False)
    try:
        for item, labels in run(labelling_job(work), missing(), how):
            write_with(job.chunk_path(item.part, item.chunk), partial(_save, labels=labels))
            done += 1
    except KeyboardInterrupt:
        raise Interrupted(
            f"the labels of {done} × {CHUNK} positions are saved in {job.folder}; run the same command to resume"
        ) from None


def _save(path: Path, labels: Labels) -> None:
    with open(path, "wb") as file:
        np.savez(file, scores=labels.scores, depths=labels.depths, lines=labels.lines)


def _load(path: Path, count: int) -> Labels | None:
    """A chunk that was finished before; None where there is none, or a damaged one."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            labels = Labels(stored["scores"], stored["depths"], stored["lines"])
    except (OSError, ValueError, KeyError, EOFError):
        return None
    return labels if len(labels.scores) == len(labels.depths) == len(labels.lines) == count else None


def _rewrite(job: _Job, number: int, part: Path) -> tuple[int, int]:
    """Rewrite a part with its labels; how many positions were wanted, and how many have a label."""
    if part_fact(part, LABELLED) == job.name:
        counts = part_fact(part, "label_counts").split()
        return (int(counts[0]), int(counts[1])) if len(counts) == 2 else (0, 0)
    samples = read_part(part, job.dataset.game)
    rows = wanted_rows(job.dataset.game, samples, job.settings)
    if job.settings.by == "result":
        samples.score[rows], samples.label[rows], samples.depth[rows] = UNKNOWN, NONE, -1
        samples.lines[rows] = -1
        labelled = int((samples.result[rows] != UNKNOWN).sum())
    else:
        begins = range(0, len(rows), CHUNK)
        found = [_load(job.chunk_path(number, i), len(rows[begin : begin + CHUNK])) for i, begin in enumerate(begins)]
        if any(each is None for each in found):
            raise InputError(f"the labels in {job.folder} are damaged; run the command again")
        samples, labelled = _labelled(samples, rows, [each for each in found if each], job.settings)
    facts = {LABELLED: job.name, "label_counts": f"{len(rows)} {labelled}"}
    write_part(
        job.dataset.path, number, samples, job.dataset.game, recorded_games(part), text=has_text(part), facts=facts
    )
    return len(rows), labelled


def _labelled(
    samples: Samples, rows: npt.NDArray[np.intp], found: list[Labels], settings: LabelSettings
) -> tuple[Samples, int]:
    """Samples with the labels of some rows, and how many of these have one. Lines go with their score."""
    if not found:
        return samples, 0
    scores, depths, lines = (
        np.concatenate([getattr(e, name) for e in found]) for name in ("scores", "depths", "lines")
    )
    known = scores != UNKNOWN
    samples, chosen = samples.with_room(lines.shape[1]), rows[known]
    samples.score[chosen], samples.depth[chosen] = scores[known], depths[known]
    samples.label[chosen] = CODES[settings.by]
    samples.lines[chosen] = -1
    samples.lines[chosen, : lines.shape[1]] = lines[known]
    return samples, int(known.sum())


def recorded_games(part: Path) -> int | None:
    """The number of games played for a part, where it is stored."""
    games = part_fact(part, "games")
    return int(games) if games.isdigit() else None
