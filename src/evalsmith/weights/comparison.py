"""Two sets of weights side by side: how much each feature changed, and where it changed most."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.games import Game
from evalsmith.run import MismatchError
from evalsmith.run.results import Result
from evalsmith.run.tables import TextTable
from evalsmith.weights.file import Weights
from evalsmith.weights.named import NAMES, load_weights


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


@dataclass(frozen=True, repr=False)
class WeightsComparison(Result):
    """Features by their largest change, and single weights by theirs, largest first."""

    game: Game
    features: tuple[FeatureChange, ...]
    largest: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith weights diff --json``."""
        return {
            "game": self.game.name,
            "unit": self.game.unit,
            "features": [asdict(one) for one in self.features],
            "largest": [asdict(one) for one in self.largest],
        }

    def tables(self) -> tuple[TextTable, ...]:
        """The features, and the weights that changed most."""
        rows = tuple((one.feature, one.weights, one.changed, f"{one.mean:.1f}", one.largest) for one in self.features)
        columns = ("feature", "weights", "changed", "mean change", "largest")
        if not self.largest:
            return (TextTable(columns, rows, ("the weights are the same",), f"changes in {self.game.units}"),)
        changes = tuple(
            (
                one.column,
                one.feature,
                one.meaning,
                f"{one.before:+d}",
                f"{one.after:+d}",
                f"{one.after - one.before:+d}",
            )
            for one in self.largest
        )
        return (
            TextTable(columns, rows, (), f"changes in {self.game.units}"),
            TextTable(("column", "feature", "is", "before", "after", "change"), changes, (), "largest changes"),
        )


def compare_weights(
    before: Weights | str | Path, after: Weights | str | Path, game: Game | str | None = None, *, top: int = 20
) -> WeightsComparison:
    """What changed between two sets of weights of one game; the ``top`` largest changes are listed one by one.

    compare_weights("hand-set", "weights.json")
    compare_weights("hand-set", "fitted", "othello")
    """
    # A file says of which game it is, a name such as hand-set does not: then the other one decides. By name, because
    # tables of another program come with a variant of the game.
    if game is None and isinstance(before, str) and before in NAMES:
        after = _loaded(after, game)
        before = _loaded(before, after.game.name)
    else:
        before = _loaded(before, game)
        after = _loaded(after, before.game.name)
    return _compare(before, after, top)


def _loaded(weights: Weights | str | Path, game: Game | str | None) -> Weights:
    return weights if isinstance(weights, Weights) else load_weights(weights, game)


def _compare(before: Weights, after: Weights, count: int) -> WeightsComparison:
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
    return WeightsComparison(before.game, tuple(features), tuple(changes))
