"""What a joint fit works on: rows of features with what is known of each, wherever they come from.

Positions of a game and the trace of somebody else's engine both become cases; nothing after this knows which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.names import WeightNames
from evalsmith.fit.joint.rows import Rows, build_rows
from evalsmith.fit.joint.scattered import scattered_rows
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.targets import labelled, targets
from evalsmith.games import Game
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.run import RunFolder
from evalsmith.scale import is_local
from evalsmith.weights import Layout, Weights

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

GIGABYTE = 1 << 30


@dataclass(frozen=True)
class Cases:
    """Rows with their targets.

    ``result`` is what the game gave the side that the evaluation speaks for (0 to 1, not a number where unknown),
    ``score`` what a search thought, in the unit of the evaluation, ``value`` the target of squared errors.
    ``labelled`` says where the score goes before the result, ``filters`` which rows each filter lets through.
    ``start`` are the starting weights, flat; ``free`` those that may move at all (None: all), ``ties`` those that are
    one number to whoever evaluates.
    """

    names: WeightNames
    rows: Rows
    start: Vector
    result: Vector
    score: Vector
    value: Vector
    labelled: Flags
    game: npt.NDArray[np.int64]
    phase: npt.NDArray[np.int32]
    filters: Mapping[str, Flags] = field(default_factory=dict)
    free: Flags | None = None
    ties: tuple[tuple[int, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.game)

    @property
    def layout(self) -> Layout:
        """The names of the weights."""
        return self.names.layout

    @property
    def passing(self) -> Flags:
        """The rows that every filter lets through."""
        return np.logical_and.reduce([np.ones(len(self), dtype=np.bool_), *self.filters.values()])


def probabilities(game: Game, result: npt.NDArray[np.int32]) -> Vector:
    """Results as the share of a win: 1, a half, 0; not a number where there is none."""
    known = np.where(result == UNKNOWN, np.nan, np.sign(result).astype(np.float64))
    return (known + 1) / 2


def cases_of(
    game: Game, samples: Samples, start: Weights, settings: TuneSettings, run: RunFolder, *, threads: int
) -> Cases:
    """The cases of a game's positions."""
    layout = start.layout
    described = {feature.name: feature.describe for feature in game.evaluation.features}
    build = build_rows if is_local() else scattered_rows
    rows = build(
        game,
        layout,
        samples.words,
        samples.phase,
        threads=threads,
        folder=run.path,
        max_bytes=None if settings.max_memory is None else int(settings.max_memory * GIGABYTE),
    )
    return Cases(
        names=WeightNames(layout, lambda feature, index: described[feature](index)),
        rows=rows,
        start=start.values.astype(np.float64).reshape(-1),
        result=probabilities(game, samples.result),
        score=np.where(samples.score == UNKNOWN, np.nan, samples.score.astype(np.float64)),
        value=targets(game, samples, settings.squares_target, settings.result_share),
        labelled=labelled(samples),
        game=samples.game,
        phase=samples.phase,
    )
