"""Sums over the parts of an evaluation: by feature and by group of features, for each side and each column of weights.

Sides see their sums with their own eyes: what is good for black counts above 0 in black's column, whoever moves. The
total is the mover's less the enemy's, so totals add up to the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from evalsmith.run.tables import TextTable

Pair = tuple[Fraction, ...]  # one number for each column that the position blends


@dataclass(frozen=True)
class Contribution:
    """One term: its exact parts by column, and those of each side where they are known, as that side sees them."""

    group: str
    feature: str
    total: Pair
    sides: tuple[Pair, ...] | None


@dataclass(frozen=True)
class Sum:
    """A feature or a group: its totals by column and blended, and those of each side, None where they are not known."""

    name: str
    total: Pair
    part: Fraction
    sides: tuple[Pair, ...] | None

    def to_json(self, names: Sequence[str], columns: Sequence[str]) -> dict[str, Any]:
        """The entry of ``evalsmith explain --json``; ``names`` are those of the sides."""

        def by_column(numbers: Pair) -> dict[str, float]:
            return {column: float(number) for column, number in zip(columns, numbers, strict=True)}

        of_sides = None if self.sides is None else dict(zip(names, map(by_column, self.sides), strict=True))
        return {"name": self.name, "sides": of_sides, "total": by_column(self.total), "part": float(self.part)}


@dataclass(frozen=True)
class GroupSum:
    """A group of features and what it is made of, in the order of the layout."""

    whole: Sum
    features: tuple[Sum, ...]


@dataclass(frozen=True)
class Sums:
    """All groups of a position. It blends ``columns``, the last one by ``share``; ``mover`` is the side to move."""

    groups: tuple[GroupSum, ...]
    columns: tuple[str, ...]
    share: Fraction
    sides: tuple[str, ...]
    mover: int

    @property
    def total(self) -> Fraction:
        """The evaluation before it is rounded."""
        return sum((group.whole.part for group in self.groups), Fraction(0))

    def table(self, units: str) -> TextTable:
        """A row for each group, and below it those of its features where it has several."""
        two = len(self.sides) == 2 and any(group.whole.sides for group in self.groups)
        rows: list[tuple[Any, ...]] = []
        for group in self.groups:
            rows.append((group.whole.name, *self._cells(group.whole, two)))
            if len(group.features) > 1:
                rows += [(f"  {one.name}", *self._cells(one, two)) for one in group.features]
        name = f"parts ({units})"
        if len(self.columns) == 1:
            return TextTable((name, *(self.sides if two else ()), "part"), tuple(rows))
        columns: tuple[str, ...] = (name, *self.columns, "part")
        spans: tuple[tuple[str, int], ...] = ()
        if two:
            whole = f"{self.sides[self.mover]} − {self.sides[1 - self.mover]}"
            spans = (("", 1), (self.sides[0], 2), (self.sides[1], 2), (whole, 3))
            columns = (name, *self.columns, *self.columns, *self.columns, "part")
        early, late = (f"{100 * float(part):.0f} %" for part in (1 - self.share, self.share))
        blend = f"part is {early} {self.columns[0]} and {late} {self.columns[1]}"
        return TextTable(columns, tuple(rows), (blend,), "", spans)

    def _cells(self, one: Sum, two: bool) -> list[str | None]:
        width = len(self.columns)
        sides = [_shown(number) for side in one.sides for number in side] if one.sides else [None] * (2 * width)
        total = [_shown(number) for number in one.total] if width > 1 else []
        return [*(sides if two else []), *total, _shown(one.part)]

    def to_json(self) -> dict[str, Any]:
        """The groups with their features as plain values."""
        groups = [
            {
                **group.whole.to_json(self.sides, self.columns),
                "features": [one.to_json(self.sides, self.columns) for one in group.features],
            }
            for group in self.groups
        ]
        return {"columns": list(self.columns), "share": float(self.share), "groups": groups, "total": float(self.total)}


def add_up(
    contributions: Iterable[Contribution], columns: tuple[str, ...], share: Fraction, sides: tuple[str, ...], mover: int
) -> Sums:
    """Sum contributions, which come in the order of the layout; ``share`` is that of the last column in the blend."""
    groups: dict[str, dict[str, list[Contribution]]] = {}
    for one in contributions:
        groups.setdefault(one.group, {}).setdefault(one.feature, []).append(one)
    found = []
    for name, features in groups.items():
        whole = _sum(name, [one for members in features.values() for one in members], share)
        found.append(GroupSum(whole, tuple(_sum(feature, members, share) for feature, members in features.items())))
    return Sums(tuple(found), columns, share, sides, mover)


def _sum(name: str, members: Sequence[Contribution], share: Fraction) -> Sum:
    total = _added([one.total for one in members])
    part = total[0] if len(total) == 1 else (1 - share) * total[0] + share * total[1]
    known = [one.sides for one in members if one.sides is not None]
    # A sum of which one member is not known by side would not add up to its total.
    by_side = tuple(_added(side) for side in zip(*known, strict=True)) if len(known) == len(members) else None
    return Sum(name, total, part, by_side)


def _added(pairs: Sequence[Pair]) -> Pair:
    return tuple(sum(numbers, Fraction(0)) for numbers in zip(*pairs, strict=True))


def _shown(number: Fraction) -> str:
    if number == 0:
        return "0"
    return f"{float(number):+.0f}" if number.denominator == 1 else f"{float(number):+.2f}"
