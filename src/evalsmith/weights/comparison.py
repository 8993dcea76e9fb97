"""Two sets of weights side by side: how much each feature changed, and where it changed most."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evalsmith.run import MismatchError
from evalsmith.weights.file import Weights


@dataclass(frozen=True)
class FeatureChange:
    """A feature over all columns; ``mean`` and ``largest`` are sizes of changes, in the game's unit."""

    feature: str
    weights: int
    changed: int
    mean: float
    largest: int


@dataclass(frozen=True)
class Change:
    """One weight before and after."""

    column: str
    feature: str
    index: int
    meaning: str
    before: int
    after: int


@dataclass(frozen=True)
class Differences:
    """Features by their largest change, and single weights by theirs, largest first."""

    features: tuple[FeatureChange, ...]
    largest: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith weights diff --json``."""
        return asdict(self)


def differences(before: Weights, after: Weights, count: int = 20) -> Differences:
    """What changed between two sets of weights of one game."""
    if before.game.name != after.game.name:
        raise MismatchError(f"weights of {before.game.name} and of {after.game.name} cannot be compared")
    layout = before.layout
    if layout != after.layout:
        raise MismatchError(
            f"{before.name} and {after.name} have different terms and cannot be compared weight by weight; "
            "compare them by a match or by weights check"
        )
    # 64 bits: two weights of 32 bits may be further apart than 32 bits hold.
    change = after.values.astype(np.int64) - before.values
    features = []
    for name, _ in layout.features:
        sizes = np.abs(change[:, layout.slice_of(name)])
        largest = int(sizes.max(initial=0))
        features.append(FeatureChange(name, sizes.size, int((sizes > 0).sum()), float(sizes.mean()), largest))
    features.sort(key=lambda one: -one.largest)
    describe = {feature.name: feature.describe for feature in before.game.evaluation.features}
    flat = np.abs(change).reshape(-1)
    changes = []
    for place in np.argsort(-flat, kind="stable")[:count].tolist():
        if flat[place] == 0:
            break
        column, index = divmod(place, layout.size)
        name, within = layout.feature_at(index)
        old, new = int(before.values[column, index]), int(after.values[column, index])
        changes.append(Change(layout.columns[column], name, within, describe[name](within), old, new))
    return Differences(tuple(features), tuple(changes))
