"""Some of the positions of a dataset, in their order or shuffled."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.draws import GameDraw
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.selection.stages import StageDraw
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import Dataset
from evalsmith.positions.transform.common import Plan, drawn, opened, origins, write_dataset
from evalsmith.positions.transform.settings import SampleSettings
from evalsmith.run import make_folder
from evalsmith.run.watching import Watch, unwatched


def sample(
    dataset: Dataset | Path | str, output: Path | str, *, progress: Watch = unwatched, **settings: Any
) -> Dataset:
    """Write a random sample of a dataset as another. Settings are those of `SampleSettings`.

    sample("positions", "thousand", positions=1000, per_game=4, shuffle=True)
    """
    how, source, path = SampleSettings.from_options(settings), opened(dataset), Path(output)
    made = {"how": "sample", "of": origins([source]), **how.to_json()}

    def chosen() -> Iterator[Samples]:
        taken = _chosen_rows(source, how)
        for samples, rows in _with_rows(source):
            here = taken[rows]
            yield samples if here.all() else samples.take(here)

    def batches() -> Iterator[Samples]:
        return shuffled(chosen(), source, path, how.seed) if how.shuffle else chosen()

    plan = Plan(source.game, made, source.sources, batches, text=how.text)
    with progress("sampling", source.rows(), "positions") as bar:
        return write_dataset(path, plan, bar)


def _with_rows(dataset: Dataset) -> Iterator[tuple[Samples, slice]]:
    """The samples part by part, each with its rows in the dataset."""
    passed = 0
    for samples in dataset.batches():
        yield samples, slice(passed, passed + len(samples))
        passed += len(samples)


def _chosen_rows(dataset: Dataset, how: SampleSettings) -> npt.NDArray[np.bool_]:
    """Which rows a sample takes: quiet ones, some of each game, of each stage, and a number or share of what is left.

    One after the other: independent draws would leave almost nothing where two of them are asked.
    """
    taken = np.ones(dataset.rows(), dtype=np.bool_)
    if how.quiet:
        for samples, rows in _with_rows(dataset):
            taken[rows] = quiet_positions(dataset.game, samples.words)
    if how.per_game is not None:
        games = GameDraw(how.per_game, how.seed)
        for samples, rows in _with_rows(dataset):
            taken[rows][taken[rows]] = games.choose(samples.take(taken[rows]))
    if how.per_stage is not None:
        counts: Counter[int] = Counter()
        for samples, rows in _with_rows(dataset):
            counts.update(samples.phase[taken[rows]].tolist())
        stages = StageDraw(dict(counts), how.per_stage, how.seed)
        for samples, rows in _with_rows(dataset):
            taken[rows][taken[rows]] = stages.choose(samples.take(taken[rows]))
    left = np.flatnonzero(taken)
    count = how.positions if how.positions is not None else round(len(left) * how.share) if how.share else len(left)
    taken[left] = drawn(len(left), count, how.seed)
    return taken


def shuffled(batches: Iterator[Samples], dataset: Dataset, path: Path, seed: int) -> Iterator[Samples]:
    """All samples in random order: dealt to heaps on the disk, and each heap shuffled in memory."""
    heaps = max(1, -(-dataset.rows() // parts.ROWS_PER_PART))
    source = np.random.default_rng(seed)
    folder = path / ".heaps"
    shutil.rmtree(folder, ignore_errors=True)
    make_folder(folder)
    try:
        for samples in batches:
            heap = source.integers(0, heaps, len(samples))
            for number in range(heaps):
                with open(folder / f"{number}", "ab") as file:
                    _append(file, samples.take(heap == number))
        for file_path in sorted(folder.iterdir(), key=lambda each: int(each.name)):
            dealt = Samples.join(list(_read_heap(file_path)), dataset.game.words)
            yield dealt.take(source.permutation(len(dealt)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _append(file: BinaryIO, samples: Samples) -> None:
    """Append samples to a heap, column by column."""
    for each in fields(samples):
        np.save(file, getattr(samples, each.name), allow_pickle=False)


def _read_heap(path: Path) -> Iterator[Samples]:
    """The samples of a heap."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        while file.tell() < size:
            yield Samples(*(np.load(file, allow_pickle=False) for _ in fields(Samples)))
