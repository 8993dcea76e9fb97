"""Labels for a dataset that is there: made on all cores, kept when killed, put in when they are all made.

While labels are made, finished chunks wait in ``DATASET/.labels-…`` and the dataset stays as it was. In the end every
part is written anew, in one step each; a kill between two of them leaves a dataset that says it is not whole, and the
same command finishes it.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.positions.labelling.labellers import WAYS, LabelConfig, Labelling, Labels, Stopped
from evalsmith.positions.samples import NONE, UNKNOWN, Samples
from evalsmith.positions.store.dataset import BUSY, Dataset, open_dataset
from evalsmith.positions.store.parts import has_text, part_fact, read_part, write_part
from evalsmith.run import InputError, Interrupted, Progress, Silent, make_folder, write_with
from evalsmith.scale import cores, on_threads

CHUNK = 200  # positions whose labels a kill may cost each thread
LABELLED = "labelled"


@dataclass(frozen=True)
class Labelled:
    """How many positions were asked for a label, and how many got one."""

    dataset: Dataset
    positions: int
    labelled: int

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data label --json``."""
        return {"positions": self.positions, "labelled": self.labelled}


def label_dataset(
    path: Path, config: LabelConfig, *, concurrency: int | None = None, progress: Progress | None = None
) -> Labelled:
    """Give the positions of a dataset labels, or go on with it."""
    dataset = open_dataset(path)
    work = Labelling(dataset.game, config)
    asked = {**config.to_json(), "weights": work.weights_hash}
    with dataset.lock():
        dataset = open_dataset(path)
        before = dataset.extra.get(LABELLED, [])
        # The same may be asked again after something else was put in, so earlier labellings are part of the name.
        name = hashlib.blake2b(json.dumps([*before, asked], sort_keys=True).encode(), digest_size=8).hexdigest()
        busy = dataset.extra.get(BUSY)
        if busy != f"labelling {name}":
            dataset.check_whole()
        folder = path / f".labels-{name}"
        if config.by != "result":
            make_folder(folder)
            _make(dataset, work, folder, name, concurrency or cores(), progress or Silent())
        dataset = replace(dataset, extra={**dataset.extra, BUSY: f"labelling {name}"}, whole=False).save()
        positions = labelled = 0
        for number, part in enumerate(dataset.parts()):
            counts = _put_in(dataset, number, part, config, folder, name)
            positions, labelled = positions + counts[0], labelled + counts[1]
        extra = {key: value for key, value in dataset.extra.items() if key != BUSY}
        dataset = replace(dataset, extra=extra).finish(**{LABELLED: [*before, asked]})
        for file in folder.glob("*"):
            file.unlink(missing_ok=True)
        if folder.exists():
            folder.rmdir()
    return Labelled(dataset, positions, labelled)


def wanted_rows(samples: Samples, config: LabelConfig) -> npt.NDArray[np.intp]:
    """The rows of a part that are to be labelled."""
    fine = np.ones(len(samples), dtype=np.bool_)
    if config.stages is not None:
        fine &= (samples.phase >= config.stages[0]) & (samples.phase <= config.stages[1])
    if config.missing:
        fine &= samples.score == UNKNOWN
    return np.flatnonzero(fine)


def count_wanted(path: Path, config: LabelConfig) -> int:
    """How many positions a labelling will ask about."""
    dataset = open_dataset(path)
    return sum(len(wanted_rows(read_part(part, dataset.game), config)) for part in dataset.parts())


def _chunks(dataset: Dataset, config: LabelConfig, name: str) -> Iterator[tuple[int, int, npt.NDArray[np.uint64]]]:
    """Part, chunk and positions, read as they are needed; parts that have their labels are passed over."""
    for number, part in enumerate(dataset.parts()):
        if part_fact(part, LABELLED) == name:
            continue
        samples = read_part(part, dataset.game)
        rows = wanted_rows(samples, config)
        for chunk in range(0, len(rows), CHUNK):
            yield number, chunk // CHUNK, samples.words[rows[chunk : chunk + CHUNK]]


def _chunk_path(folder: Path, part: int, chunk: int) -> Path:
    return folder / f"{part:05d}-{chunk:05d}.npz"


def _make(dataset: Dataset, work: Labelling, folder: Path, name: str, concurrency: int, progress: Progress) -> None:
    gate = threading.Lock()

    def told(count: int) -> None:
        with gate:
            progress.advance(count)

    def label(item: tuple[int, int, npt.NDArray[np.uint64]]) -> bool:
        part, chunk, words = item
        path = _chunk_path(folder, part, chunk)
        kept = _load(path, len(words))
        if kept is not None:
            told(len(words))
            return False
        try:
            labels = work.label(words, (part << 20) + chunk, told)
        except Stopped:
            raise KeyboardInterrupt from None
        write_with(path, lambda temporary: _save(temporary, labels))
        return True

    done = 0
    try:
        for _ in on_threads(label, _chunks(dataset, work.config, name), concurrency, work.stop):
            done += 1
    except KeyboardInterrupt:
        raise Interrupted(
            f"the labels of {done} × {CHUNK} positions are kept in {folder}; the same command goes on from there"
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


def _put_in(dataset: Dataset, number: int, part: Path, config: LabelConfig, folder: Path, name: str) -> tuple[int, int]:
    """Write a part anew with its labels; how many were asked for, and how many there are."""
    if part_fact(part, LABELLED) == name:
        told = part_fact(part, "label_counts").split()
        return (int(told[0]), int(told[1])) if len(told) == 2 else (0, 0)
    samples = read_part(part, dataset.game)
    rows = wanted_rows(samples, config)
    if config.by == "result":
        samples.score[rows], samples.label[rows], samples.depth[rows] = UNKNOWN, NONE, -1
        samples.lines[rows] = -1
        labelled = int((samples.result[rows] != UNKNOWN).sum())
    else:
        found = [_load(_chunk_path(folder, number, i), len(rows[c : c + CHUNK]))
                 for i, c in enumerate(range(0, len(rows), CHUNK))]  # fmt: skip
        if any(each is None for each in found):
            raise InputError(f"the labels in {folder} are damaged; give the command again")
        samples, labelled = _labelled(samples, rows, [each for each in found if each], config)
    extra = {LABELLED: name, "label_counts": f"{len(rows)} {labelled}"}
    write_part(dataset.path, number, samples, dataset.game, part_games_told(part), text=has_text(part), facts=extra)
    return len(rows), labelled


def _labelled(
    samples: Samples, rows: npt.NDArray[np.intp], found: list[Labels], config: LabelConfig
) -> tuple[Samples, int]:
    """Samples with the labels of some rows, and how many of these have one. Lines go with the score they came with."""
    if not found:
        return samples, 0
    scores, depths, lines = (
        np.concatenate([getattr(e, name) for e in found]) for name in ("scores", "depths", "lines")
    )
    known = scores != UNKNOWN
    samples, chosen = samples.with_room(lines.shape[1]), rows[known]
    samples.score[chosen], samples.depth[chosen] = scores[known], depths[known]
    samples.label[chosen] = WAYS[config.by]
    samples.lines[chosen] = -1
    samples.lines[chosen, : lines.shape[1]] = lines[known]
    return samples, int(known.sum())


def part_games_told(part: Path) -> int | None:
    """How many games were played for a part, where it says so."""
    told = part_fact(part, "games")
    return int(told) if told.isdigit() else None
