"""Several datasets as one; games and sources stay apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evalsmith.games.bulk import keys_of
from evalsmith.positions.samples import Samples
from evalsmith.positions.store.dataset import Dataset
from evalsmith.positions.store.keyset import KeySet
from evalsmith.positions.transform.common import (
    Numbering,
    Plan,
    joined_sources,
    opened_together,
    origins,
    write_dataset,
)
from evalsmith.positions.transform.settings import MergeSettings
from evalsmith.run.watching import Watch, unwatched


def merge(
    datasets: Sequence[Dataset | Path | str], output: Path | str, *, progress: Watch = unwatched, **settings: Any
) -> Dataset:
    """Combine several datasets of one game into one. Settings are those of `MergeSettings`.

    merge(["wthor", "selfplay"], "both", dedup=True)
    """
    chosen, found = MergeSettings.from_options(settings), opened_together(datasets)
    made = {"how": "merge", "of": origins(found), "dedup": chosen.dedup, "text": chosen.text}

    def batches() -> Iterator[Samples]:
        seen, numbering = KeySet(), Numbering()
        for dataset in found:
            for samples in dataset.batches():
                renamed = numbering.renumbered(samples)
                yield renamed.take(seen.add(keys_of(dataset.game, samples.words))) if chosen.dedup else renamed
            numbering = numbering.after(dataset)

    plan = Plan(found[0].game, made, joined_sources(found), batches, text=chosen.text)
    with progress("merging", sum(dataset.rows() for dataset in found), "positions") as bar:
        return write_dataset(Path(output), plan, bar)
