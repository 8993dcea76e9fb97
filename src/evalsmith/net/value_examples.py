"""What the small net of alpha-beta learns from: positions of any dataset with results or scores, and their bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.engine.mcts.searcher import default_scale
from evalsmith.games import Game
from evalsmith.games.planes import Image, images_of, planes_of
from evalsmith.net.examples import won_of
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.run import InputError, derive
from evalsmith.weights import Weights
from evalsmith.weights.evaluating import evaluations

Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class ValueExamples:
    """Positions, what they are worth to the mover from -1 to 1, and what the linear weights say, in units of the scale.

    ``number`` tells games apart. ``linear`` is 0 where the net stands alone.
    """

    words: Words
    number: npt.NDArray[np.int64]
    worth: Floats
    linear: Floats

    def __len__(self) -> int:
        return len(self.words)

    def take(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> ValueExamples:
        """Some of the rows."""
        return ValueExamples(self.words[chosen], self.number[chosen], self.worth[chosen], self.linear[chosen])

    def split(self, share: float, seed: int) -> tuple[ValueExamples, ValueExamples | None]:
        """The examples without a share of their games, and those of these games; none where the share is too small."""
        games = np.unique(self.number)
        count = round(share * len(games))
        if count == 0 or count == len(games):
            return self, None
        out = np.isin(self.number, np.random.default_rng(derive(seed, "validation")).permutation(games)[:count])
        return self.take(~out), self.take(out)


def load_value_examples(
    game: Game,
    datasets: Sequence[Path],
    weights: Weights | None,
    scores: float,
    most: int | None,
    seed: int,
    *,
    quiet: bool = False,
) -> ValueExamples:
    """The positions of datasets that have a result or a score, ``most`` of them, with what ``weights`` say of them.

    Of all, or only of the ``quiet`` ones, where no noisy move improves on the evaluation: elsewhere the search decides.
    """
    parts, offset = [], 0
    for path in datasets:
        samples = load_dataset(path, game).read()
        known = (samples.result != UNKNOWN) | (samples.score != UNKNOWN)
        chosen = samples.take(known)
        if quiet and len(chosen):
            chosen = chosen.take(quiet_positions(game, chosen.words))
        if not len(chosen):
            raise InputError(f"{path} has no {'quiet ' if quiet else ''}positions with a result or a score")
        parts.append((chosen.words, chosen.game + offset, _worth(game, chosen, scores)))
        offset += int(chosen.game.max()) + 1
    words, number, worth = (np.concatenate(each) for each in zip(*parts, strict=True))
    if most is not None and most < len(words):
        kept = np.sort(np.random.default_rng(derive(seed, "positions")).permutation(len(words))[:most])
        words, number, worth = words[kept], number[kept], worth[kept]
    linear = np.zeros(len(words)) if weights is None else evaluations(game, weights, words) / default_scale(game)
    return ValueExamples(words, number, worth.astype(np.float32), linear.astype(np.float32))


def _worth(game: Game, samples: Samples, scores: float) -> npt.NDArray[np.float64]:
    """What positions are worth: the result, mixed with what a search said by a share of ``scores``."""
    result, score = won_of(game, samples.result), squashed(game, samples.score / default_scale(game))
    share = np.where(samples.score == UNKNOWN, 0.0, np.where(samples.result == UNKNOWN, 1.0, scores))
    found: npt.NDArray[np.float64] = (1 - share) * result + share * score
    return found


def squashed(game: Game, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Values in units of the scale on the curve of results, between -1 and 1."""
    found: npt.NDArray[np.float64] = np.tanh(values / 2)
    return found


class Bits:
    """Turns positions into what the net sees: bits of each view, and the bucket that they belong to."""

    def __init__(self, game: Game, buckets: int, most_bits: int, augment: bool) -> None:
        self.planes, self.buckets, self.most_bits = planes_of(game), buckets, most_bits
        self.images: tuple[Image, ...] = images_of(game) if augment else images_of(game)[:1]

    @property
    def views(self) -> int:
        """From how many sides the net looks."""
        return 1 if self.planes.enemy is None else 2

    def of(self, words: Words, image: int = 0) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """Views × positions × inputs of 0 and 1, and buckets; of an image of the positions."""
        rows = self.images[image].rows(words)
        bits = np.stack([bits_of(self.planes.pack(rows, enemy=view == 1)) for view in range(self.views)])
        counts = bits[0].sum(axis=1, dtype=np.int64)
        return bits, np.minimum(counts * self.buckets // self.most_bits, self.buckets - 1)


def bits_of(packed: Words) -> npt.NDArray[np.uint8]:
    """Packed planes as 0 and 1, in the order of a net's inputs."""
    return np.unpackbits(np.ascontiguousarray(packed).view(np.uint8), axis=1, bitorder="little")


def most_bits_of(game: Game, words: Words) -> int:
    """The most bits that the planes of some positions have."""
    packed = planes_of(game).pack(words)
    return max(1, int(np.bitwise_count(packed).sum(axis=1).max()))
