"""A maximum number of positions of each stage: rare stages keep all theirs, common ones a fair draw.

Parts are rewritten one by one. Each stores what it had before, so that killed work resumes with the next.
"""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import numpy.typing as npt

from evalsmith.positions.samples import Samples
from evalsmith.positions.store.dataset import Dataset
from evalsmith.positions.store.parts import part_fact, part_path, read_part, write_part

THINNED = "thinned"  # what a part had of each stage before


def stage_counts(dataset: Dataset) -> dict[int, int]:
    """How many samples each stage has."""
    counts: dict[int, int] = {}
    for part in dataset.parts():
        phases, numbers = np.unique(read_part(part, dataset.game).phase, return_counts=True)
        for phase, number in zip(phases.tolist(), numbers.tolist(), strict=True):
            counts[phase] = counts.get(phase, 0) + number
    return counts


class StageDraw:
    """Draws at most ``maximum`` samples of each stage as they pass; every choice is equally likely."""

    def __init__(self, counts: dict[int, int], maximum: int, seed: int) -> None:
        source = np.random.default_rng(seed)
        self._taken = {
            phase: np.sort(source.choice(count, maximum, replace=False)) if count > maximum else None
            for phase, count in sorted(counts.items())
        }
        self._passed = dict.fromkeys(counts, 0)

    def skip(self, passed: dict[int, int]) -> None:
        """Pass samples that were drawn from before."""
        for phase, count in passed.items():
            self._passed[phase] += count

    def choose(self, samples: Samples) -> npt.NDArray[np.bool_]:
        """Which of the next samples are taken."""
        chosen = np.ones(len(samples), dtype=np.bool_)
        for phase in np.unique(samples.phase).tolist():
            here = np.flatnonzero(samples.phase == phase)
            taken, passed = self._taken[phase], self._passed[phase]
            self._passed[phase] += len(here)
            if taken is not None:
                chosen[here] = np.isin(np.arange(passed, passed + len(here)), taken, assume_unique=True)
        return chosen


def thin_by_stage(dataset: Dataset, counts: dict[int, int], maximum: int, seed: int, *, text: bool = False) -> int:
    """Rewrite the parts of a dataset that is not complete yet; how many samples are left.

    ``counts`` are those of all stages before any part was thinned.
    """
    draw, left = StageDraw(counts, maximum, seed), 0
    for number, part in enumerate(dataset.parts()):
        assert part == part_path(dataset.path, number)
        samples = read_part(part, dataset.game)
        if stored := part_fact(part, THINNED):
            draw.skip({int(phase): count for phase, count in json.loads(stored).items()})
        else:
            before = dict(Counter(samples.phase.tolist()))
            samples = samples.take(draw.choose(samples))
            write_part(dataset.path, number, samples, dataset.game, text=text, facts={THINNED: json.dumps(before)})
        left += len(samples)
    return left
