"""How far weights are from the values of positions they were not fitted to, stage by stage.

The evaluation is the integer that a search adds up. Searches of fixed depths may be judged beside it, on a sample.
Predicting 0 for every position is what all are compared with.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, at, driver, pointer
from evalsmith.fit.targets import WIN_SHARE, labelled, targets
from evalsmith.games import Game
from evalsmith.games.contract import WORDS, evaluate_of
from evalsmith.games.game import OVER
from evalsmith.positions import Samples
from evalsmith.positions.samples import EXACT
from evalsmith.run import InputError, Progress, Silent, derive
from evalsmith.scale import cores, on_threads
from evalsmith.search import Limit, Searcher
from evalsmith.weights import Weights

WHOLE = 100  # the game's unit is a hundredth
SAMPLE = 2000
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


@driver("void(int64[::1], uint64[:,::1], int64[::1])")
def _evaluations(context: Integers, positions: Words, out: Integers) -> None:
    row, words = pointer(context), context[WORDS]
    for i in range(len(positions)):
        out[i] = evaluate_of(row, at(pointer(positions), i * words))


def evaluations(game: Game, weights: Weights, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The evaluation of many positions as the search uses it, for the mover, in the game's unit."""
    context = game.context(evaluation=True)
    weights.attach(context)
    out = np.zeros(len(words), dtype=np.int64)
    _evaluations(context.row, np.ascontiguousarray(words), out)
    return out


def accuracy(prediction: Vector, truth: Vector) -> Accuracy:
    """How far predictions are from the truth, both in hundredths."""
    if len(truth) == 0:
        return Accuracy(0, 0.0, 0.0, 0.0, 0.0, None)
    off = (prediction - truth) / WHOLE
    error, zero = float(np.mean(np.abs(off))), float(np.mean(np.abs(truth))) / WHOLE
    spread = float(np.std(np.abs(off))) / len(off) ** 0.5
    return Accuracy(len(truth), error, spread, float(np.mean(off)), zero, error / zero if zero else None)


def check_weights(
    weights: Weights, samples: Iterable[Samples], *, depths: Sequence[int] = (), sample: int = SAMPLE,
    exact: bool = False, stages: tuple[int, int] | None = None, seed: int = 1, concurrency: int | None = None,
    progress: Progress | None = None,
) -> Check:  # fmt: skip
    """Compare weights with the scores of positions, or with the results of their games where there is no score.

    ``samples`` come in batches, so that a dataset may be larger than memory. With ``depths``, so many positions at most
    as ``sample`` says are searched too, the same for each depth. ``exact`` takes only positions with exact values,
    ``stages`` only those from the first to the last.
    """
    game = weights.game
    for depth in depths:
        Limit(depth=depth)  # refused before the work begins
    if sample < 1:
        raise InputError(f"the sample must have at least 1 position, not {sample}")
    draw = _Draw(game, sample if depths else 0, seed)
    scored, phases, truths, predictions = 0, [], [], []
    for each in samples:
        batch = each.take(each.label == EXACT) if exact else each
        if stages is not None:
            batch = batch.take((batch.phase >= stages[0]) & (batch.phase <= stages[1]))
        truth = targets(game, batch)
        known, truth = batch.take(~np.isnan(truth)), truth[~np.isnan(truth)]
        scored += int(labelled(known).sum())
        phases.append(known.phase)
        truths.append(truth)
        predictions.append(evaluations(game, weights, known.words).astype(np.float64))
        draw.add(known, truth, predictions[-1])
    phase = np.concatenate([np.zeros(0, np.int32), *phases])
    truth, prediction = np.concatenate([np.zeros(0), *truths]), np.concatenate([np.zeros(0), *predictions])
    if len(truth) == 0:
        raise InputError(f"there is no position with {'an exact' if exact else 'a known'} value to check against")
    found = [
        _searches(game, weights, draw.words, depth, concurrency or cores(), progress or Silent()) for depth in depths
    ]
    judged = []
    for number in np.unique(phase).tolist():
        here = phase == number
        there = draw.phase == number
        static = accuracy(prediction[here], truth[here])
        searches = tuple(accuracy(one[there], draw.truth[there]) for one in found)
        judged.append(StageAccuracy(number, stage_name(weights, number), static, searches))
    return Check(
        weights.name,
        game.whole_unit,
        tuple(judged),
        accuracy(prediction, truth),
        tuple(accuracy(one, draw.truth) for one in found),
        accuracy(draw.prediction, draw.truth) if depths else None,
        tuple(depths),
        scored,
        len(truth) - scored,
    )


def stage_name(weights: Weights, phase: int) -> str:
    """What a phase is called: its column where columns do not blend."""
    layout = weights.layout
    return layout.columns[layout.blend[phase][0]] if layout.sliced else f"phase {phase}"


class _Draw:
    """A fair draw of positions as batches go by: each gets a random number, and the smallest stay."""

    def __init__(self, game: Game, most: int, seed: int) -> None:
        self.most = most
        self._source = np.random.default_rng(derive(seed, "check"))
        self._keys = np.zeros(0)
        self.words = np.zeros((0, game.words), dtype=np.uint64)
        self.phase = np.zeros(0, dtype=np.int32)
        self.truth, self.prediction = np.zeros(0), np.zeros(0)

    def add(self, samples: Samples, truth: Vector, prediction: Vector) -> None:
        """Let a batch go by."""
        keys = np.concatenate([self._keys, self._source.random(len(samples))])
        stay = np.sort(np.argsort(keys, kind="stable")[: self.most])
        self._keys = keys[stay]
        self.words = np.concatenate([self.words, samples.words])[stay]
        self.phase = np.concatenate([self.phase, samples.phase])[stay]
        self.truth = np.concatenate([self.truth, truth])[stay]
        self.prediction = np.concatenate([self.prediction, prediction])[stay]


def _searches(
    game: Game, weights: Weights, words: npt.NDArray[np.uint64], depth: int, concurrency: int, progress: Progress
) -> Vector:
    """What a search of this depth says of each position."""
    # A win that the search proves is worth what a won game is worth as a target.
    most = game.win / WIN_SHARE if game.win else float("inf")
    mine = threading.local()
    made: list[Searcher] = []
    out = np.zeros(len(words))

    def work(number: int) -> None:
        if not hasattr(mine, "searcher"):
            mine.searcher = Searcher(game, weights, _TABLE_BYTES)
            made.append(mine.searcher)
        position = words[number]
        if game.status(position) == OVER:
            value = float(game.result(position))
        else:
            mine.searcher.new_game()
            value = float(mine.searcher.think(position, Limit(depth=depth)).lines[0].score)
        out[number] = min(max(value, -most), most)

    def stop() -> None:
        for searcher in made:
            searcher.stop()

    for _ in on_threads(work, range(len(words)), concurrency, stop):
        progress.advance()
    return out
