"""More files for a dataset that is there: imported beside it, then put behind its parts.

The new samples wait in ``DATASET/.adding``, and the dataset stays as it was until they are all there. A kill while they
are put in leaves a dataset that says it is not whole, and the same command finishes it.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evalsmith.positions.importing.importer import Imported, import_records
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.store.dataset import BUSY, Dataset, dataset_lock, open_dataset
from evalsmith.positions.store.parts import has_text, number_of, part_path, read_part, write_part
from evalsmith.positions.store.writing import fingerprint
from evalsmith.positions.transform.datasets import Firsts
from evalsmith.run import Progress

ADDED = "added"
_PARTS = "parts_before"


def append_records(
    files: Sequence[Path],
    path: Path,
    *,
    selection: Selection | None = None,
    moves: bool = True,
    format: str | None = None,
    anew: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Import files behind what a dataset has; ``dedup`` takes no position that it has already.

    ``anew`` deletes what another import into it had read when it was killed.
    """
    open_dataset(path)  # before anything is written there
    with dataset_lock(path):
        dataset = open_dataset(path)
        folder = path / ".adding"
        text = any(has_text(part) for part in dataset.parts()[:1])
        if BUSY not in dataset.extra:
            dataset.check_whole()
        before = dataset.extra.get(_PARTS)
        there = [part for part in dataset.parts() if not isinstance(before, int) or number_of(part) < before]
        imported = import_records(
            files, folder, game=dataset.game, selection=selection, text=text, moves=moves, format=format,
            beyond=there, anew=anew, progress=progress,
        )  # fmt: skip
        task = f"adding {fingerprint(imported.dataset)}"
        if BUSY in dataset.extra and dataset.extra[BUSY] != task:
            dataset.check_whole()
        dataset = _put_in(dataset, imported.dataset, task, text)
        shutil.rmtree(folder, ignore_errors=True)
    return replace(imported, dataset=dataset)


def _put_in(dataset: Dataset, new: Dataset, task: str, text: bool) -> Dataset:
    before = dataset.extra.get(_PARTS) if dataset.extra.get(BUSY) == task else None
    if not isinstance(before, int):
        before = 1 + max(map(number_of, dataset.parts()), default=-1)
    for part in dataset.parts():  # what a killed run had put in already
        if number_of(part) >= before:
            part.unlink()
    first = Firsts().after(dataset)
    dataset = replace(dataset, whole=False, extra={**dataset.extra, BUSY: task, _PARTS: before}).save()
    for number, part in enumerate(new.parts()):
        assert part == part_path(new.path, number)
        samples = first.renumbered(read_part(part, dataset.game))
        write_part(dataset.path, before + number, samples, dataset.game, text=text)
    extra = {key: value for key, value in dataset.extra.items() if key not in (BUSY, _PARTS)}
    extra[ADDED] = [*extra.get(ADDED, []), new.made]
    sources = (*(dataset.sources or ({"name": dataset.path.name},)), *new.sources)
    return replace(dataset, sources=sources, extra=extra).finish()
