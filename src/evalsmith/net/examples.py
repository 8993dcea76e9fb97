"""What a net learns from: positions of datasets with results and distributions, and batches of their images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evalsmith.engine.mcts.searcher import default_scale
from evalsmith.games import Game
from evalsmith.games.planes import Image, images_of, planes_of, play_each, share_alike, slots_of
from evalsmith.net.durations import Curve
from evalsmith.positions.samples import LINE_MOVE, LINE_SCORE, UNKNOWN, Samples
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.run import InputError, derive

Floats = npt.NDArray[np.float32]


class Batch(NamedTuple):
    """Planes, as 0 and 1, and what a net should say of them; counts below 0 and results of NaN are not known."""

    planes: npt.NDArray[np.uint8]
    won: Floats
    cleared: Floats
    duration: Floats
    moves: Floats


@dataclass(frozen=True)
class Examples:
    """Positions of one game with what is known of them; ``slots`` are -1 where a row has fewer moves.

    Where who played said what all moves are worth, ``others`` are these moves (-1 where a row has fewer) and ``after``
    how long games go on after them, as their scores tell.
    """

    game: Game
    words: npt.NDArray[np.uint64]
    number: npt.NDArray[np.int64]
    won: Floats
    cleared: Floats
    duration: Floats
    slots: npt.NDArray[np.int32]
    shares: Floats
    others: npt.NDArray[np.int32]
    after: Floats

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, game: Game, samples: Samples, where: str, scores: float = 0.0) -> Examples:
        """The samples that have a result and a distribution over moves.

        ``scores`` is the share of what scores tell in ``duration`` (`durations`).
        """
        known = (samples.result != UNKNOWN) & (samples.policy["move"] >= 0).any(axis=1)
        if not known.any():
            raise InputError(f"{where} has no positions with a result and a distribution over moves")
        chosen = samples.take(known)
        slots = slots_of(game, chosen.words, chosen.policy["move"])
        curve, duration = Curve(chosen), chosen.duration.astype(np.float32)
        told = curve(chosen.score)
        clear = (told >= 0) & (chosen.score != UNKNOWN) & (chosen.result > 0)
        duration[clear] = (1 - scores) * duration[clear] + scores * told[clear]
        others = chosen.lines[:, :, LINE_MOVE]
        after = np.maximum(curve(chosen.lines[:, :, LINE_SCORE]) - 1, 0) if curve.known else np.zeros(others.shape)
        return cls(
            game,
            chosen.words,
            chosen.game,
            won_of(game, chosen.result),
            chosen.cleared.astype(np.float32),
            duration,
            slots,
            np.where(slots >= 0, chosen.policy["share"], 0.0).astype(np.float32),
            others if curve.known else np.full_like(others, -1),
            after.astype(np.float32),
        )

    @classmethod
    def join(cls, parts: Sequence[Examples]) -> Examples:
        """Several sets, whose games stay apart."""
        wide, most = (max(getattr(part, name).shape[1] for part in parts) for name in ("slots", "others"))
        numbers, offset = [], 0
        for part in parts:
            numbers.append(part.number + offset)
            offset += int(part.number.max()) + 1

        def padded(array: Any, fill: int, width: int) -> Any:
            return np.pad(array, ((0, 0), (0, width - array.shape[1])), constant_values=fill)

        return cls(
            parts[0].game,
            np.concatenate([part.words for part in parts]),
            np.concatenate(numbers),
            np.concatenate([part.won for part in parts]),
            np.concatenate([part.cleared for part in parts]),
            np.concatenate([part.duration for part in parts]),
            np.concatenate([padded(part.slots, -1, wide) for part in parts]),
            np.concatenate([padded(part.shares, 0, wide) for part in parts]),
            np.concatenate([padded(part.others, -1, most) for part in parts]),
            np.concatenate([padded(part.after, 0, most) for part in parts]),
        )

    def split(self, share: float, seed: int) -> tuple[Examples, Examples | None]:
        """The examples without a share of their games, and those of these games; none where the share is too small."""
        games = np.unique(self.number)
        count = round(share * len(games))
        if count == 0 or count == len(games):
            return self, None
        held = np.random.default_rng(derive(seed, "validation")).permutation(games)[:count]
        out = np.isin(self.number, held)
        return self.take(~out), self.take(out)

    def take(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Examples:
        """Some of the rows."""
        names = ("words", "number", "won", "cleared", "duration", "slots", "shares", "others", "after")
        return Examples(self.game, *(getattr(self, name)[chosen] for name in names))


def won_of(game: Game, result: npt.NDArray[np.int32]) -> Floats:
    """Results between -1 and 1, on the curve of the search: shares of a won game, or squashed margins."""
    if game.win:
        return (result / game.win).astype(np.float32)
    return np.tanh(result / (2 * default_scale(game))).astype(np.float32)


def load_examples(game: Game, datasets: Sequence[Path], scores: float = 0.0) -> Examples:
    """The examples of some datasets."""
    parts = [Examples.of(game, load_dataset(path, game).read(), str(path), scores) for path in datasets]
    return Examples.join(parts)


class Batches:
    """Makes batches; the images of a game are found once."""

    def __init__(self, examples: Examples, augment: bool = True, alternatives: float = 0.0) -> None:
        self.examples, self.game, self.alternatives = examples, examples.game, alternatives
        self.planes = planes_of(self.game)
        self.images: tuple[Image, ...] = images_of(self.game) if augment else images_of(self.game)[:1]

    def draw(self, size: int, seed: int) -> Batch:
        """A batch of random rows under random images; the same seed gives the same batch.

        A share ``alternatives`` of it are positions after any of the moves whose scores are known.
        """
        source = np.random.default_rng(seed)
        rows = source.integers(len(self.examples), size=size)
        images = source.integers(len(self.images), size=size)
        if self.alternatives <= 0 or not self.examples.others.size:
            return self.make(rows, images)
        chosen = self.examples.others[rows]
        places = (source.random(size) * (chosen >= 0).sum(axis=1)).astype(np.int64)
        moves = chosen[np.arange(size), places]
        moves[round(self.alternatives * size) :] = -1
        return self.make(rows, images, moves, places)

    def make(
        self,
        rows: npt.NDArray[np.int64],
        images: npt.NDArray[np.int64] | None = None,
        moves: npt.NDArray[np.int32] | None = None,
        places: npt.NDArray[np.int64] | None = None,
    ) -> Batch:
        """The batch of these rows, each under the image of that number, and after a move where one is given.

        ``places`` are the places of these moves among the others of their rows; -1 is no move.
        """
        found = self.examples
        words, slots, shares = found.words[rows], found.slots[rows], found.shares[rows]
        won, cleared, duration = found.won[rows], found.cleared[rows], found.duration[rows]
        if moves is not None and places is not None:
            there = np.flatnonzero(moves >= 0)
            after, over = play_each(self.game, words[there], moves[there])
            there = there[~over]
            words[there], slots[there] = after[~over], -1
            won[there], cleared[there], duration[there] = np.nan, -1, found.after[rows[there], places[there]]
        if images is not None and len(self.images) > 1:
            words, slots = words.copy(), slots.copy()
            for number in np.unique(images):
                mine = images == number
                words[mine] = self.images[number].rows(words[mine])
                slots[mine] = np.where(slots[mine] >= 0, self.images[number].slots[slots[mine]], -1)
        policy = np.zeros((len(rows), self.game.slots), dtype=np.float32)
        named = slots >= 0
        np.add.at(policy, (np.nonzero(named)[0], slots[named]), shares[named])
        policy = share_alike(self.game, words, policy)
        planes = self.planes.unpack(self.planes.look(words))
        return Batch(planes, won, cleared, duration, policy)
