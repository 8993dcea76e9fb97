"""A mixture: several datasets read as one, each with a weight or a quota, by one line of TOML.

    mix = { wthor = 0.7, selfplay = 0.3 }            shares of the mixture, as large as the datasets allow
    mix = { wthor = 500000, "more/selfplay" = 1.0 }  a quota of positions; 1.0 of what is left is all of it

Names are paths of datasets, relative to the TOML file. Weights alone are shares of the mixture, and the dataset
that is smallest for its share decides the size; beside quotas a weight is the share of its own dataset that is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.games import Game
from evalsmith.positions.samples import Samples
from evalsmith.positions.store.dataset import Dataset, Source
from evalsmith.positions.store.writing import fingerprint
from evalsmith.positions.transform.common import Numbering, Plan, drawn, joined_sources, opened_together, write_dataset
from evalsmith.run import DEFAULT_SEED, InputError, derive
from evalsmith.run.toml import read_toml
from evalsmith.run.watching import Watch, unwatched


@dataclass(frozen=True)
class Mixture:
    """Several datasets read as one; ``taken`` is the number of positions of each."""

    datasets: tuple[Dataset, ...]
    taken: tuple[int, ...]
    seed: int = DEFAULT_SEED

    @property
    def game(self) -> Game:
        """The game of all of them."""
        return self.datasets[0].game

    @property
    def sources(self) -> list[Source]:
        """The sources of all of them."""
        return joined_sources(self.datasets)

    @property
    def made(self) -> dict[str, Any]:
        """How the mixture is made."""
        parts = [
            {"name": dataset.path.name, "positions": count, "content": fingerprint(dataset)}
            for dataset, count in zip(self.datasets, self.taken, strict=True)
        ]
        return {"how": "mix", "of": parts, "seed": self.seed}

    def parts(self) -> list[Path]:
        """The part files of all datasets."""
        return [part for dataset in self.datasets for part in dataset.parts()]

    def rows(self) -> int:
        """The number of samples."""
        return sum(self.taken)

    def batches(self) -> Iterator[Samples]:
        """The samples, dataset by dataset."""
        numbering = Numbering()
        for place, (dataset, count) in enumerate(zip(self.datasets, self.taken, strict=True)):
            taken = drawn(dataset.rows(), count, derive(self.seed, "mix", place))
            passed = 0
            for samples in dataset.batches():
                some = taken[passed : passed + len(samples)]
                passed += len(samples)
                yield numbering.renumbered(samples if some.all() else samples.take(some))
            numbering = numbering.after(dataset)

    def read(self) -> Samples:
        """All samples at once."""
        return Samples.join(list(self.batches()), self.game.words)

    def write(self, path: Path | str, *, text: bool = False, progress: Watch = unwatched) -> Dataset:
        """Write the mixture as a dataset of its own."""
        plan = Plan(self.game, self.made, self.sources, self.batches, text=text)
        with progress("mixing", self.rows(), "positions") as bar:
            return write_dataset(Path(path), plan, bar)


def open_mixture(mix: Path | Mapping[str, Any], base: Path | None = None, *, seed: int = DEFAULT_SEED) -> Mixture:
    """The mixture of a TOML file, or of a table; ``base`` is the folder that its paths are relative to."""
    if isinstance(mix, Path):
        base, mix = mix.parent, read_mixture(mix)
    wanted: dict[str, int | float] = {}
    for name, amount in mix.items():
        if isinstance(amount, bool) or not isinstance(amount, int | float) or not 0 < amount < float("inf"):
            raise InputError(
                f"in a mixture {name!r} must have a weight or a number of positions above 0, not {amount!r}"
            )
        wanted[name] = amount
    if not wanted:
        raise InputError("a mixture must name at least one dataset")
    datasets = opened_together([(base or Path()) / name for name in wanted])
    rows = [dataset.rows() for dataset in datasets]
    return Mixture(tuple(datasets), tuple(_amounts(list(wanted.items()), rows)), seed)


def read_mixture(path: Path) -> dict[str, Any]:
    """The table ``mix`` of a TOML file."""
    document = read_toml(path)
    table = document.get("mix")
    if not isinstance(table, dict):
        raise InputError(f"{path} has no table mix, for instance: mix = {{ games = 0.7, selfplay = 0.3 }}")
    return table


def _amounts(wanted: list[tuple[str, int | float]], rows: list[int]) -> list[int]:
    """How many positions of each dataset are taken."""
    for (name, amount), there in zip(wanted, rows, strict=True):
        if isinstance(amount, int) and amount > there:
            raise InputError(f"the mixture asks for {amount:,} positions of {name}, which has {there:,}")
    if all(isinstance(amount, float) for _, amount in wanted):
        total = sum(amount for _, amount in wanted)
        if total == float("inf"):
            raise InputError("the weights of a mixture are too large to be added up")
        size = min(there * total / amount for (_, amount), there in zip(wanted, rows, strict=True))
        return [int(size * amount / total) for _, amount in wanted]
    for name, amount in wanted:
        if isinstance(amount, float) and amount > 1:
            raise InputError(
                f"beside quotas the weight of {name} is a share of its positions, at most 1.0, not {amount}"
            )
    return [
        amount if isinstance(amount, int) else round(amount * there)
        for (_, amount), there in zip(wanted, rows, strict=True)
    ]
