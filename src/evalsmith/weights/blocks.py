"""Blocks: weights as a source file has them, a named table of numbers for each feature or group.

A game's weights and those of an outside engine are written and patched in this one form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.weights.file import Weights, linear_only
from evalsmith.weights.outside import OutsideWeights, number_text

AnyWeights = Weights | OutsideWeights


@dataclass(frozen=True, eq=False)
class Block:
    """The weights of one name: ``values[column][index]``, integers, or floats where some is not whole."""

    name: str
    columns: tuple[str, ...]
    values: npt.NDArray[Any]

    @property
    def whole(self) -> bool:
        """Whether all numbers are integers."""
        return self.values.dtype.kind == "i"

    def rows(self) -> list[list[str]]:
        """The numbers as text, one list a column."""
        return [[number_text(value) for value in row] for row in self.values.tolist()]


def blocks_of(weights: AnyWeights) -> tuple[Block, ...]:
    """The blocks of weights: one a feature of a game, one a group of an outside engine."""
    if isinstance(weights, Weights):
        layout = linear_only(weights, "sources hold").layout
        return tuple(
            Block(name, layout.columns, weights.values[:, layout.slice_of(name)]) for name, _ in layout.features
        )
    found = []
    for group in weights.groups:
        members = weights.members(group)
        columns = 1 if weights.features[members[0]].single else len(weights.columns)
        values = weights.values[:columns, members]
        whole = bool((values == np.round(values)).all())
        found.append(Block(group, weights.columns[:columns], values.astype(np.int64) if whole else values))
    return tuple(found)


def one_of(weights: AnyWeights, name: str) -> Block | None:
    """The block of a name: a feature or group, or one named feature of an outside engine."""
    for block in blocks_of(weights):
        if block.name == name:
            return block
    if isinstance(weights, OutsideWeights):
        for index, feature in enumerate(weights.features):
            if feature.name == name:
                block = next(block for block in blocks_of(weights) if block.name == feature.group)
                place = weights.members(feature.group).tolist().index(index)
                return Block(name, block.columns, block.values[:, place : place + 1])
    return None
