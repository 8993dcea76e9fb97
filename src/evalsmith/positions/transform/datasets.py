"""Datasets made of datasets: several as one, one as several, some of one, and its positions in another order."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.games.bulk import keys_of
from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.chooser import GameDraw, draws
from evalsmith.positions.selection.stages import StageDraw
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import Dataset, Source, open_dataset
from evalsmith.positions.store.keyset import KeySet
from evalsmith.positions.store.writing import PartWriter, fingerprint, remade
from evalsmith.run import DEFAULT_SEED, InputError, MismatchError, Progress, Silent, make_folder


@dataclass(frozen=True)
class Made:
    """A dataset that was written, and how many samples it has."""

    dataset: Dataset
    positions: int

    def to_json(self) -> dict[str, Any]:
        """The document of the verbs that write a dataset."""
        return {"dataset": str(self.dataset.path), "positions": self.positions}


def open_all(paths: Sequence[Path]) -> list[Dataset]:
    """Whole datasets of one game."""
    found = [open_dataset(path).check_whole() for path in paths]
    others = [each for each in found if each.game is not found[0].game]
    if others:
        raise MismatchError(
            f"{found[0].path} holds positions of {found[0].game.name}, and {others[0].path} of {others[0].game.name}"
        )
    return found


def joined_sources(datasets: Sequence[Dataset]) -> list[Source]:
    """The sources of several datasets, one list after another."""
    return [source for dataset in datasets for source in dataset.sources or ({"name": dataset.path.name},)]


@dataclass(frozen=True)
class Firsts:
    """The numbers that games and sources begin at in a dataset of several, so that they stay apart."""

    game: int = 0
    source: int = 0

    def after(self, dataset: Dataset) -> Firsts:
        """Where the dataset behind this one begins."""
        games = 1 + max((parts.highest_game(part) for part in dataset.parts()), default=-1)
        return Firsts(self.game + games, self.source + max(1, len(dataset.sources)))

    def renumbered(self, samples: Samples) -> Samples:
        """Samples with their numbers in the dataset of several."""
        source = (samples.source + self.source).astype(np.int32)
        return replace(samples, game=samples.game + self.game, source=source)


def write_dataset(
    path: Path, game: Game, made: dict[str, Any], sources: Sequence[Source], batches: Callable[[], Iterator[Samples]],
    *, text: bool = False, progress: Progress | None = None,
) -> Made:  # fmt: skip
    """Write samples as a dataset; nothing is done where it is there already."""
    progress = progress or Silent()
    with remade(path, game, made, sources, f"the {made['how']} into") as (dataset, there):
        if there:
            return Made(dataset, dataset.rows())
        writer = PartWriter(dataset, text=text)
        for samples in batches():
            writer.add(samples)
            progress.advance(len(samples))
        writer.close()
        return Made(dataset.finish(), writer.positions)


def _of(datasets: Sequence[Dataset]) -> list[dict[str, str]]:
    return [{"name": dataset.path.name, "content": fingerprint(dataset)} for dataset in datasets]


def merge(
    paths: Sequence[Path], path: Path, *, dedup: bool = False, text: bool = False, progress: Progress | None = None
) -> Made:
    """Several datasets as one; with ``dedup`` a position is taken from the first that has it."""
    datasets = open_all(paths)
    made = {"how": "merge", "of": _of(datasets), "dedup": dedup, "text": text}

    def batches() -> Iterator[Samples]:
        seen, first = KeySet(), Firsts()
        for dataset in datasets:
            for samples in dataset.batches():
                renamed = first.renumbered(samples)
                yield renamed.take(seen.add(keys_of(dataset.game, samples.words))) if dedup else renamed
            first = first.after(dataset)

    sources = joined_sources(datasets)
    return write_dataset(path, datasets[0].game, made, sources, batches, text=text, progress=progress)


def split(
    source: Path, path: Path, shares: Mapping[str, float], *, seed: int = DEFAULT_SEED, by_position: bool = False,
    text: bool = False, progress: Progress | None = None,
) -> dict[str, Made]:  # fmt: skip
    """One dataset as several, ``PATH/NAME`` each: whole games go one way, by a draw, so that shares are nearly met.

    By position, games are torn apart: what is learned from one half is then known of the other.
    """
    if not shares or any(not 0 < share <= 1 for share in shares.values()) or sum(shares.values()) > 1 + 1e-9:
        raise InputError("shares are above 0 and together at most 1")
    for name in shares:
        if not name or "/" in name or name.startswith("."):
            raise InputError(f"{name!r} cannot be the name of a dataset")
    (dataset,) = open_all([source])
    bounds = np.cumsum(list(shares.values()))
    found = {}
    for number, name in enumerate(shares):
        low, high = (bounds[number - 1] if number else 0.0), bounds[number]
        made = {
            "how": "split", "of": _of([dataset]), "part": name, "from": float(low), "to": float(high), "seed": seed,
            "by": "position" if by_position else "game", "text": text,
        }  # fmt: skip

        def batches(low: float = low, high: float = high) -> Iterator[Samples]:
            for samples in dataset.batches():
                drawn = replace(samples, ply=np.zeros_like(samples.ply)) if not by_position else samples
                place = draws(drawn, seed) / 2.0**64
                yield samples.take((place >= low) & (place < high))

        found[name] = write_dataset(
            path / name, dataset.game, made, dataset.sources, batches, text=text, progress=progress
        )
    return found


@dataclass(frozen=True)
class Sampling:
    """Some of a dataset: so many of a game, of a stage; a number or a share of what these leave; and in which order."""

    positions: int | None = None
    share: float | None = None
    per_game: int | None = None
    per_stage: int | None = None
    shuffle: bool = False
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        for name in ("positions", "per_game", "per_stage"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise InputError(f"{name} must be above 0, not {getattr(self, name)}")
        if self.share is not None and not 0 < self.share <= 1:
            raise InputError(f"the share must be above 0 and at most 1, not {self.share}")
        if self.share is not None and self.positions is not None:
            raise InputError("a number of positions or a share, but not both")


def sample(source: Path, path: Path, how: Sampling, *, text: bool = False, progress: Progress | None = None) -> Made:
    """Some of the samples of a dataset as another."""
    (dataset,) = open_all([source])
    told = {each.name: getattr(how, each.name) for each in fields(how)}
    made = {"how": "sample", "of": _of([dataset]), **told, "text": text}

    def chosen() -> Iterator[Samples]:
        taken = _chosen_rows(dataset, how)
        for samples, rows in _with_rows(dataset):
            fine = taken[rows]
            yield samples if fine.all() else samples.take(fine)

    def batches() -> Iterator[Samples]:
        return shuffled(chosen(), dataset, path, how.seed) if how.shuffle else chosen()

    return write_dataset(path, dataset.game, made, dataset.sources, batches, text=text, progress=progress)


def _with_rows(dataset: Dataset) -> Iterator[tuple[Samples, slice]]:
    """The samples part by part, each with the rows that it is."""
    passed = 0
    for samples in dataset.batches():
        yield samples, slice(passed, passed + len(samples))
        passed += len(samples)


def _chosen_rows(dataset: Dataset, how: Sampling) -> npt.NDArray[np.bool_]:
    """Which rows a sample takes: of each game, then of each stage, and the number or share of what these leave.

    One after the other: draws that know nothing of each other would leave almost nothing where two of them are asked.
    """
    fine = np.ones(dataset.rows(), dtype=np.bool_)
    if how.per_game is not None:
        games = GameDraw(how.per_game, how.seed)
        for samples, rows in _with_rows(dataset):
            fine[rows] = games.choose(samples)
    if how.per_stage is not None:
        counts: Counter[int] = Counter()
        for samples, rows in _with_rows(dataset):
            counts.update(samples.phase[fine[rows]].tolist())
        stages = StageDraw(dict(counts), how.per_stage, how.seed)
        for samples, rows in _with_rows(dataset):
            fine[rows][fine[rows]] = stages.choose(samples.take(fine[rows]))
    left = np.flatnonzero(fine)
    count = how.positions if how.positions is not None else round(len(left) * how.share) if how.share else len(left)
    fine[left] = picked(len(left), count, how.seed)
    return fine


def picked(rows: int, count: int, seed: int) -> npt.NDArray[np.bool_]:
    """A draw of exactly so many rows, or of all where there are fewer; a byte a row."""
    fine = np.ones(rows, dtype=np.bool_)
    if count < rows:
        fine[:] = False
        fine[np.random.default_rng(seed).choice(rows, count, replace=False)] = True
    return fine


def shuffled(batches: Iterator[Samples], dataset: Dataset, path: Path, seed: int) -> Iterator[Samples]:
    """All samples in an order that is drawn: dealt to heaps on the disk, and each heap shuffled in memory."""
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
                    _lay(file, samples.take(heap == number))
        for file_path in sorted(folder.iterdir(), key=lambda each: int(each.name)):
            dealt = Samples.join(list(_picked_up(file_path)), dataset.game.words)
            yield dealt.take(source.permutation(len(dealt)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _lay(file: BinaryIO, samples: Samples) -> None:
    """Put samples behind those of a heap, column by column."""
    for each in fields(samples):
        np.save(file, getattr(samples, each.name), allow_pickle=False)


def _picked_up(path: Path) -> Iterator[Samples]:
    """What was laid onto a heap."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        while file.tell() < size:
            yield Samples(*(np.load(file, allow_pickle=False) for _ in fields(Samples)))
