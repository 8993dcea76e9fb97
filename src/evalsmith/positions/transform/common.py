"""What the transforms share: datasets opened together, games and sources that stay apart, one way to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.positions.samples import Samples
from evalsmith.positions.store.dataset import Dataset, Source, load_dataset
from evalsmith.positions.store.parts import highest_game
from evalsmith.positions.store.writing import PartWriter, fingerprint, remade
from evalsmith.run import MismatchError, Progress


def opened(dataset: Dataset | Path | str) -> Dataset:
    """A complete dataset, given itself or by its path."""
    return (dataset if isinstance(dataset, Dataset) else load_dataset(dataset)).check_complete()


def opened_together(datasets: Sequence[Dataset | Path | str]) -> list[Dataset]:
    """Complete datasets of one game."""
    found = [opened(dataset) for dataset in datasets]
    others = [each for each in found if each.game is not found[0].game]
    if others:
        raise MismatchError(
            f"{found[0].path} holds positions of {found[0].game.name}, and {others[0].path} of {others[0].game.name}"
        )
    return found


def joined_sources(datasets: Sequence[Dataset]) -> list[Source]:
    """The sources of several datasets, one list after another."""
    return [source for dataset in datasets for source in dataset.sources or ({"name": dataset.path.name},)]


def origins(datasets: Sequence[Dataset]) -> list[dict[str, str]]:
    """What a dataset is made of: names of datasets and hashes of what they hold."""
    return [{"name": dataset.path.name, "content": fingerprint(dataset)} for dataset in datasets]


@dataclass(frozen=True)
class Numbering:
    """The numbers that games and sources of a dataset begin at, so that those of several stay apart."""

    game: int = 0
    source: int = 0

    def after(self, dataset: Dataset) -> Numbering:
        """The numbering of the dataset after this one."""
        games = 1 + max((highest_game(part) for part in dataset.parts()), default=-1)
        return Numbering(self.game + games, self.source + max(1, len(dataset.sources)))

    def renumbered(self, samples: Samples) -> Samples:
        """Samples with their numbers among several datasets."""
        source = (samples.source + self.source).astype(np.int32)
        return replace(samples, game=samples.game + self.game, source=source)


@dataclass(frozen=True)
class Plan:
    """A dataset to be written: its game, how it is made, its sources, and its samples in batches."""

    game: Game
    made: dict[str, Any]
    sources: Sequence[Source]
    batches: Callable[[], Iterator[Samples]]
    text: bool = False


def write_dataset(path: Path, plan: Plan, progress: Progress) -> Dataset:
    """Write a dataset; nothing is done where it is there already."""
    with remade(path, plan.game, plan.made, plan.sources, f"the {plan.made['how']} into") as (dataset, there):
        if there:
            return dataset
        writer = PartWriter(dataset, text=plan.text)
        for samples in plan.batches():
            writer.add(samples)
            progress.advance(len(samples))
        writer.close()
        return dataset.finish()


def drawn(rows: int, count: int, seed: int) -> npt.NDArray[np.bool_]:
    """A draw of ``count`` rows, or of all where there are fewer; a byte a row."""
    taken = np.ones(rows, dtype=np.bool_)
    if count < rows:
        taken[:] = False
        taken[np.random.default_rng(seed).choice(rows, count, replace=False)] = True
    return taken
