"""More files for a dataset that is there: imported beside it, then added after its parts.

The new samples wait in ``DATASET/.adding``, and the dataset stays as it was until they are all there. A kill while they
are added leaves a dataset that is marked as partial, and the same command finishes it.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evalsmith.positions.importing.importer import import_files
from evalsmith.positions.importing.settings import ImportSettings
from evalsmith.positions.importing.summary import ImportedDataset
from evalsmith.positions.store.dataset import BUSY, Dataset, dataset_lock, load_dataset
from evalsmith.positions.store.parts import has_text, number_of, part_path, read_part, write_part
from evalsmith.positions.store.writing import fingerprint
from evalsmith.positions.transform.common import Numbering
from evalsmith.run.watching import Watch, unwatched

ADDED = "added"
_PARTS = "parts_before"


def append_files(
    files: Sequence[Path],
    path: Path,
    settings: ImportSettings,
    *,
    overwrite: bool = False,
    progress: Watch = unwatched,
) -> ImportedDataset:
    """Import files and add their positions to a dataset; ``dedup`` takes no position that it has already.

    ``overwrite`` deletes what another killed import into the dataset had read.
    """
    load_dataset(path)  # before anything is written there
    with dataset_lock(path):
        dataset = load_dataset(path)
        folder = path / ".adding"
        text = any(has_text(part) for part in dataset.parts()[:1])
        if BUSY not in dataset.extra:
            dataset.check_complete()
        before = dataset.extra.get(_PARTS)
        there = [part for part in dataset.parts() if not isinstance(before, int) or number_of(part) < before]
        settings = replace(settings, game=dataset.game.name, text=text)
        imported = import_files(files, folder, settings, beyond=there, overwrite=overwrite, progress=progress)
        task = f"adding {fingerprint(imported)}"
        if BUSY in dataset.extra and dataset.extra[BUSY] != task:
            dataset.check_complete()
        dataset = _add(dataset, imported, task, text)
        shutil.rmtree(folder, ignore_errors=True)
    return ImportedDataset.of(dataset, imported.summary)


def _add(dataset: Dataset, new: Dataset, task: str, text: bool) -> Dataset:
    before = dataset.extra.get(_PARTS) if dataset.extra.get(BUSY) == task else None
    if not isinstance(before, int):
        before = 1 + max(map(number_of, dataset.parts()), default=-1)
    for part in dataset.parts():  # what a killed run had added already
        if number_of(part) >= before:
            part.unlink()
    numbering = Numbering().after(dataset)
    dataset = replace(dataset, complete=False, extra={**dataset.extra, BUSY: task, _PARTS: before}).save()
    for number, part in enumerate(new.parts()):
        assert part == part_path(new.path, number)
        samples = numbering.renumbered(read_part(part, dataset.game))
        write_part(dataset.path, before + number, samples, dataset.game, text=text)
    extra = {key: value for key, value in dataset.extra.items() if key not in (BUSY, _PARTS)}
    extra[ADDED] = [*extra.get(ADDED, []), new.made]
    sources = (*(dataset.sources or ({"name": dataset.path.name},)), *new.sources)
    return replace(dataset, sources=sources, extra=extra).finish()
