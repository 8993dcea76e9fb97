"""One dataset as several, game by game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.draws import draws
from evalsmith.positions.store.dataset import Dataset
from evalsmith.positions.transform.common import Plan, opened, origins, write_dataset
from evalsmith.positions.transform.settings import SplitSettings
from evalsmith.run.watching import Watch, unwatched


def split(
    dataset: Dataset | Path | str, output: Path | str, *, progress: Watch = unwatched, **settings: Any
) -> dict[str, Dataset]:
    """Split a dataset at random into several, ``OUTPUT/NAME`` each. Settings are those of `SplitSettings`.

    All positions of a game go to the same dataset, so shares are met approximately. A split by position leaks
    information between the datasets.

        parts = split("positions", "halves", into=["train=0.9", "validation=0.1"])
    """
    chosen, source = SplitSettings.from_options(settings), opened(dataset)
    bounds = np.cumsum([0.0, *chosen.shares.values()]).tolist()
    found = {}
    with progress("splitting", source.rows(), "positions") as bar:
        for number, name in enumerate(chosen.shares):
            plan = _plan(source, chosen, name, (bounds[number], bounds[number + 1]))
            found[name] = write_dataset(Path(output) / name, plan, bar)
    return found


def _plan(source: Dataset, settings: SplitSettings, name: str, bounds: tuple[float, float]) -> Plan:
    """One of the datasets: the games, or positions, whose draw falls between two bounds."""
    low, high = bounds
    made = {
        "how": "split", "of": origins([source]), "part": name, "from": low, "to": high, "seed": settings.seed,
        "by": settings.by, "text": settings.text,
    }  # fmt: skip

    def batches() -> Iterator[Samples]:
        for samples in source.batches():
            # Without its ply, every position of a game draws the same number.
            keys = samples if settings.by == "position" else replace(samples, ply=np.zeros_like(samples.ply))
            place = draws(keys, settings.seed) / 2.0**64
            yield samples.take((place >= low) & (place < high))

    return Plan(source.game, made, source.sources, batches, text=settings.text)
