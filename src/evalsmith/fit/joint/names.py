"""Weights by name: which ones a pattern means, which move, which change together, and what holds each.

A weight is called FEATURE/INDEX/COLUMN, as in ``knight square/e4/endgame``; a feature alone means all of its weights.
Patterns are those of a shell: ``king*``, ``material/*/endgame``.
"""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.settings import TuneSettings
from evalsmith.run import InputError
from evalsmith.weights import Layout

Flags = npt.NDArray[np.bool_]
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WeightNames:
    """The names of all unknowns of a layout: columns one after another, features in their order within each."""

    layout: Layout
    describe: Callable[[str, int], str]  # one index of a feature, in words

    @functools.cached_property
    def inner(self) -> list[tuple[str, str]]:
        """Feature and index, in words, of each weight of one column."""
        return [(name, self.describe(name, i)) for name, size in self.layout.features for i in range(size)]

    def name(self, unknown: int) -> str:
        """What one unknown is called."""
        column, index = divmod(unknown, self.layout.size)
        feature, which = self.inner[index]
        single = dict(self.layout.features)[feature] == 1
        return (
            f"{feature}, {self.layout.columns[column]}"
            if single
            else (f"{feature} {which}, {self.layout.columns[column]}")
        )

    def features(self, pattern: str) -> Flags:
        """The unknowns of the features that a pattern means; a pattern that means none is refused."""
        one = np.zeros(self.layout.size, dtype=np.bool_)
        for name in self.layout.matching(pattern):
            one[self.layout.slice_of(name)] = True
        return np.tile(one, len(self.layout.columns))

    def weights(self, pattern: str) -> Flags:
        """The unknowns that a pattern FEATURE/INDEX/COLUMN means; parts that are left out mean all."""
        parts = pattern.split("/")
        if len(parts) > 3:
            raise InputError(f"{pattern!r} is not FEATURE/INDEX/COLUMN")
        feature, index, column = (*parts, *["*"] * (3 - len(parts)))
        chosen = self.features(feature)
        fits = np.array([fnmatch.fnmatchcase(which, index) for _, which in self.inner])
        columns = np.array([fnmatch.fnmatchcase(name, column) for name in self.layout.columns])
        chosen &= np.repeat(columns, self.layout.size) & np.tile(fits, len(columns))
        if not chosen.any():
            raise InputError(
                f"no weight is called {pattern!r}; {feature} has {self._examples(feature)}, and the columns are "
                f"{', '.join(self.layout.columns)}"
            )
        return chosen

    def _examples(self, feature: str) -> str:
        found = [which for name, which in self.inner if fnmatch.fnmatchcase(name, feature)]
        return ", ".join(found[:4]) + (", …" if len(found) > 4 else "")


def free_weights(names: WeightNames, settings: TuneSettings) -> Flags:
    """The weights that move: those that are named, or all, without those that are frozen."""
    unknowns = names.layout.size * len(names.layout.columns)
    free = np.zeros(unknowns, dtype=np.bool_) if settings.terms else np.ones(unknowns, dtype=np.bool_)
    for pattern in settings.terms:
        free |= names.features(pattern)
    for pattern in settings.freeze:
        free &= ~names.features(pattern)
    if not free.any():
        raise InputError("no weight is left to fit: freeze and terms together leave none")
    return free


def tied_weights(names: WeightNames, settings: TuneSettings) -> tuple[tuple[int, ...], ...]:
    """The weights that change together; a weight that two patterns name is refused."""
    groups = [tuple(int(i) for i in np.flatnonzero(names.weights(pattern))) for pattern in settings.tie]
    seen: dict[int, str] = {}
    for pattern, group in zip(settings.tie, groups, strict=True):
        for unknown in group:
            if unknown in seen:
                raise InputError(f"{names.name(unknown)} is tied by {seen[unknown]!r} and by {pattern!r}")
            seen[unknown] = pattern
    return tuple(group for group in groups if len(group) > 1)


def weight_bounds(names: WeightNames, settings: TuneSettings) -> tuple[Vector, Vector] | None:
    """The smallest and the largest value of each weight; None where none is bounded."""
    if not settings.bound:
        return None
    unknowns = names.layout.size * len(names.layout.columns)
    low, high = np.full(unknowns, -np.inf), np.full(unknowns, np.inf)
    for text in settings.bound:
        pattern, _, ends = text.rpartition("=")
        least, colon, largest = ends.partition(":")
        try:
            bottom = float(least) if least else -np.inf
            top = float(largest) if largest else np.inf
        except ValueError:
            bottom, top = np.nan, np.nan
        if not pattern or not colon or not bottom <= top:
            raise InputError(f"bound {text!r} is not PATTERN=LOW:HIGH, as in 'material/*/*=50:2000'")
        chosen = names.weights(pattern)
        low[chosen], high[chosen] = bottom, top
    return low, high


def penalties(names: WeightNames, penalty: float, groups: Sequence[str]) -> Vector:
    """The penalty of each weight, in which those of some groups differ."""
    found = np.full(names.layout.size * len(names.layout.columns), penalty)
    for text in groups:
        pattern, _, amount = text.rpartition("=")
        try:
            strength = float(amount)
        except ValueError:
            strength = -1.0
        if not pattern or not 0 <= strength < np.inf:
            raise InputError(f"group_penalty {text!r} is not FEATURE=NUMBER, as in 'king*=500'")
        found[names.features(pattern)] = strength
    return found
