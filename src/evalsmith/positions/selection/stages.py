"""So many positions of each stage at most: rare stages keep all theirs, and common ones a fair draw.

Parts are written anew one by one. Each tells what it had before, so that work that was killed goes on with the next.
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
    """Draws ``most`` of each stage's samples as they go by; every choice of that many is as likely as another."""

    def __init__(self, counts: dict[int, int], most: int, seed: int) -> None:
        source = np.random.default_rng(seed)
        self._taken = {
            phase: np.sort(source.choice(count, most, replace=False)) if count > most else None
            for phase, count in sorted(counts.items())
        }
        self._passed = dict.fromkeys(counts, 0)

    def skip(self, passed: dict[int, int]) -> None:
        """Let samples go by that were chosen from before."""
        for phase, count in passed.items():
            self._passed[phase] += count

    def choose(self, samples: Samples) -> npt.NDArray[np.bool_]:
        """Which of the next samples are taken."""
        fine = np.ones(len(samples), dtype=np.bool_)
        for phase in np.unique(samples.phase).tolist():
            here = np.flatnonzero(samples.phase == phase)
            taken, passed = self._taken[phase], self._passed[phase]
            self._passed[phase] += len(here)
            if taken is not None:
                fine[here] = np.isin(np.arange(passed, passed + len(here)), taken, assume_unique=True)
        return fine


def thin_by_stage(dataset: Dataset, counts: dict[int, int], most: int, seed: int, *, text: bool = False) -> int:
    """Rewrite the parts of a dataset that is not yet whole; how many samples are left.

    ``counts`` are those of all stages before any part was thinned.
    """
    draw, left = StageDraw(counts, most, seed), 0
    for number, part in enumerate(dataset.parts()):
        assert part == part_path(dataset.path, number)
        samples = read_part(part, dataset.game)
        if told := part_fact(part, THINNED):
            draw.skip({int(phase): count for phase, count in json.loads(told).items()})
        else:
            before = dict(Counter(samples.phase.tolist()))
            samples = samples.take(draw.choose(samples))
            write_part(dataset.path, number, samples, dataset.game, text=text, facts={THINNED: json.dumps(before)})
        left += len(samples)
    return left
