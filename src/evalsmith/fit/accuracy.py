"""How far weights are from the values of positions they were not fitted to, stage by stage.

The evaluation is the integer that a search adds up. Searches of fixed depths may be judged beside it, on a sample.
Predicting 0 for every position is what all are compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.engine import Limit, evaluate
from evalsmith.engine.many import NO_SCORE, ManySearch, search_many
from evalsmith.fit.settings import CheckSettings
from evalsmith.fit.targets import WIN_SHARE, labelled, targets
from evalsmith.games import Game
from evalsmith.positions.samples import EXACT, Samples
from evalsmith.positions.store.dataset import Dataset, load_dataset
from evalsmith.run import InputError, derive
from evalsmith.run import workers as show_workers
from evalsmith.run.tables import TextTable
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How
from evalsmith.weights import Weights, load_weights
from evalsmith.weights.evaluating import evaluations

WHOLE = 100  # the game's unit is a hundredth
_TABLE_BYTES = 1 << 18  # cleared before every position, so that each is judged by itself

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Accuracy:
    """Mean absolute error and its standard error, bias (prediction less truth), what predicting 0 gives; whole units.

    ``ratio`` is the error in parts of what predicting 0 gives; None where that is 0 or there is no position.
    """

    positions: int
    error: float
    spread: float
    bias: float
    zero: float
    ratio: float | None


@dataclass(frozen=True)
class StageAccuracy:
    """The accuracy in one stage of the game; ``searches`` are those of the searches that were asked for."""

    phase: int
    name: str
    static: Accuracy
    searches: tuple[Accuracy, ...]


@dataclass(frozen=True)
class Check:
    """The accuracy of weights on a dataset, and of searches with them, one for each of ``depths``.

    ``searched`` is that of the evaluation on the positions that were searched.
    """

    weights: str
    unit: str
    stages: tuple[StageAccuracy, ...]
    static: Accuracy
    searches: tuple[Accuracy, ...]
    searched: Accuracy | None
    depths: tuple[int, ...]
    scored: int
    results: int

    def by_depth(self) -> list[tuple[int, Accuracy]]:
        """Each depth with the accuracy of its search."""
        return list(zip(self.depths, self.searches, strict=True))

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith weights check --json``."""
        return asdict(self)

    def tables(self) -> tuple[TextTable, ...]:
        """The errors by stage, and by depth where positions were searched."""
        alone = self.searches if len(self.depths) == 1 else ()  # more are too wide for a terminal; the page has them
        rows = [(stage.name, *_cells(stage.static, stage.searches if alone else ())) for stage in self.stages]
        rows.append(("all", *_cells(self.static, alone)))
        columns = (
            "stage",
            "positions",
            "zero",
            "error",
            "ratio",
            "bias",
            *(f"depth {d}" for d in self.depths if alone),
        )
        sentence = f"{self.scored:,} positions have a score, {self.results:,} only the result of their game"
        by_stage = TextTable(columns, tuple(rows), (f"mean absolute error in {self.unit}", sentence))
        if self.searched is None:
            return (by_stage,)
        pairs = [("evaluation", self.searched), *((f"depth {depth}", one) for depth, one in self.by_depth())]
        cells = []
        for name, one in pairs:
            _, zero, _, ratio, bias = _cells(one, ())
            cells.append((name, zero, f"{one.error:.2f} ± {one.spread:.2f}", ratio, bias))
        sentence = f"{self.searched.positions:,} positions were searched; ± is one standard error"
        return by_stage, TextTable(("by depth", "zero", "error", "ratio", "bias"), tuple(cells), (sentence,))

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.tables()))

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self.tables())


def _cells(static: Accuracy, searches: tuple[Accuracy, ...]) -> tuple[Any, ...]:
    ratio = "–" if static.ratio is None else f"{static.ratio:.3f}"
    shown = (static.positions, f"{static.zero:.2f}", f"{static.error:.2f}", ratio, f"{static.bias:+.2f}")
    return (*shown, *(f"{one.error:.2f}" if one.positions else "–" for one in searches))


def accuracy(prediction: Vector, truth: Vector) -> Accuracy:
    """How far predictions are from the truth, both in hundredths."""
    if len(truth) == 0:
        return Accuracy(0, 0.0, 0.0, 0.0, 0.0, None)
    off = (prediction - truth) / WHOLE
    error, zero = float(np.mean(np.abs(off))), float(np.mean(np.abs(truth))) / WHOLE
    spread = float(np.std(np.abs(off))) / len(off) ** 0.5
    return Accuracy(len(truth), error, spread, float(np.mean(off)), zero, error / zero if zero else None)


def check_weights(
    weights: Weights | Path | str,
    data: Dataset | Path | str | Iterable[Samples],
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> Check:
    """Compare weights with the scores of positions, or with the results of their games where there is no score.

    Settings are those of `CheckSettings`. ``data`` is a dataset, or samples in batches, so that it may be larger than
    memory. With ``depths``, a sample of the positions is searched too, the same for each depth.

        check_weights("fitted", "positions", depths=[2, 4]).static.error
    """
    chosen = CheckSettings.from_options(settings)
    for depth in chosen.depths:
        Limit(depth=depth)  # refused before the work begins
    dataset = load_dataset(data) if isinstance(data, Path | str) else data
    batches = dataset.batches() if isinstance(dataset, Dataset) else dataset
    if not isinstance(weights, Weights):
        weights = load_weights(weights, dataset.game if isinstance(dataset, Dataset) else None)
    values = _Values(weights, chosen)
    for samples in batches:
        values.add(samples)
    found = values.all()
    searched = values.sample
    with progress("searching", len(searched.truth) * len(chosen.depths), "positions") as bar:
        how = How(concurrency, report=bar.advance, crew=partial(show_workers, bar))
        searches = [_searches(weights, searched.words, depth, how) for depth in chosen.depths]
    return Check(
        weights=weights.name,
        unit=weights.game.whole_unit,
        stages=_by_stage(weights, found, searched, searches),
        static=accuracy(found.prediction, found.truth),
        searches=tuple(accuracy(one, searched.truth) for one in searches),
        searched=accuracy(searched.prediction, searched.truth) if chosen.depths else None,
        depths=chosen.depths,
        scored=values.scored,
        results=len(found.truth) - values.scored,
    )


@dataclass(frozen=True)
class _Judged:
    """Positions with their phases, true values and evaluations."""

    words: npt.NDArray[np.uint64]
    phase: npt.NDArray[np.int32]
    truth: Vector
    prediction: Vector


class _Values:
    """Collects the true values and evaluations of positions as they pass, and a sample of the positions."""

    def __init__(self, weights: Weights, settings: CheckSettings) -> None:
        self.weights, self.settings = weights, settings
        self.scored = 0
        self._phases: list[npt.NDArray[np.int32]] = [np.zeros(0, np.int32)]
        self._truths, self._predictions = [np.zeros(0)], [np.zeros(0)]
        self._draw = _Draw(weights.game, settings.sample if settings.depths else 0, settings.seed)

    def add(self, samples: Samples) -> None:
        """Evaluate a batch."""
        game, stages = self.weights.game, self.settings.stage_range
        batch = samples.take(samples.label == EXACT) if self.settings.exact else samples
        if stages is not None:
            batch = batch.take((batch.phase >= stages[0]) & (batch.phase <= stages[1]))
        truth = targets(game, batch)
        known, truth = batch.take(~np.isnan(truth)), truth[~np.isnan(truth)]
        prediction = evaluations(game, self.weights, known.words).astype(np.float64)
        self.scored += int(labelled(known).sum())
        self._phases.append(known.phase)
        self._truths.append(truth)
        self._predictions.append(prediction)
        self._draw.add(known, truth, prediction)

    def all(self) -> _Judged:
        """All positions, without their words."""
        phase, truth = np.concatenate(self._phases), np.concatenate(self._truths)
        if len(truth) == 0:
            kind = "an exact" if self.settings.exact else "a known"
            raise InputError(f"there is no position with {kind} value to check against")
        none = np.zeros((0, self.weights.game.words), dtype=np.uint64)
        return _Judged(none, phase, truth, np.concatenate(self._predictions))

    @property
    def sample(self) -> _Judged:
        """The positions to search."""
        draw = self._draw
        return _Judged(draw.words, draw.phase, draw.truth, draw.prediction)


def _by_stage(
    weights: Weights, found: _Judged, searched: _Judged, searches: Sequence[Vector]
) -> tuple[StageAccuracy, ...]:
    judged = []
    for number in np.unique(found.phase).tolist():
        here, there = found.phase == number, searched.phase == number
        static = accuracy(found.prediction[here], found.truth[here])
        deeper = tuple(accuracy(one[there], searched.truth[there]) for one in searches)
        judged.append(StageAccuracy(number, stage_name(weights, number), static, deeper))
    return tuple(judged)


def stage_name(weights: Weights, phase: int) -> str:
    """What a phase is called: its column where columns do not blend."""
    layout = weights.layout
    return layout.columns[layout.blend[phase][0]] if layout.sliced else f"phase {phase}"


class _Draw:
    """A fair draw of positions as batches pass: each gets a random number, and the smallest stay."""

    def __init__(self, game: Game, maximum: int, seed: int) -> None:
        self.maximum = maximum
        self._source = np.random.default_rng(derive(seed, "check"))
        self._keys = np.zeros(0)
        self.words = np.zeros((0, game.words), dtype=np.uint64)
        self.phase = np.zeros(0, dtype=np.int32)
        self.truth, self.prediction = np.zeros(0), np.zeros(0)

    def add(self, samples: Samples, truth: Vector, prediction: Vector) -> None:
        """Pass a batch."""
        keys = np.concatenate([self._keys, self._source.random(len(samples))])
        stay = np.sort(np.argsort(keys, kind="stable")[: self.maximum])
        self._keys = keys[stay]
        self.words = np.concatenate([self.words, samples.words])[stay]
        self.phase = np.concatenate([self.phase, samples.phase])[stay]
        self.truth = np.concatenate([self.truth, truth])[stay]
        self.prediction = np.concatenate([self.prediction, prediction])[stay]


def _searches(weights: Weights, words: npt.NDArray[np.uint64], depth: int, how: How) -> Vector:
    """The score that a search of this depth gives each position."""
    game = weights.game
    found = search_many(ManySearch(game, weights, Limit(depth=depth), _TABLE_BYTES), words, how)
    values = found.astype(np.float64)
    for row in np.flatnonzero(found == NO_SCORE):  # where chance moves there is nothing to search
        values[row] = evaluate(game, weights, words[row])
    # A win that the search proves is worth what a won game is worth as a target.
    bound = game.win / WIN_SHARE if game.win else float("inf")
    return np.clip(values, -bound, bound)
