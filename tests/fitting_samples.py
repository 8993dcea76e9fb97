"""Samples whose true values are known, because known weights made them; and random matrices."""

from __future__ import annotations

import random

import numpy as np
import scipy.sparse

from evalsmith.engine import evaluate
from evalsmith.fit.squares.matrix import Matrix
from evalsmith.games import CHANCE, OVER, Game
from evalsmith.positions.samples import UNKNOWN, Replayer, Samples
from evalsmith.weights import Weights, starting_weights


def random_weights(game: Game, seed: int, most: int = 300) -> Weights:
    shape = starting_weights(game).values.shape
    return Weights(game, np.random.default_rng(seed).integers(-most, most + 1, shape, dtype=np.int32), "true")


def random_samples(game: Game, games: int, seed: int = 1) -> Samples:
    """The positions of random games, without values."""
    choose, replayer, parts = random.Random(seed), Replayer(game), []
    for number in range(games):
        position, moves = game.start(), []
        while (status := game.status(position)) != OVER:
            if status == CHANCE:
                moves.append(choose.randrange(len(game.chance(position))))
                position = game.reveal(position, moves[-1])
            else:
                moves.append(choose.choice(game.moves(position)))
                position = game.play(position, moves[-1])
        parts.append(replayer.samples(number, game.start(), moves, None))
    return Samples.join(parts, game.words)


def valued(game: Game, samples: Samples, weights: Weights, times: int = 1) -> Samples:
    """The same samples with the evaluation of these weights as their scores, ``times`` as large."""
    scores = [times * evaluate(game, weights, row) for row in samples.words]
    unknown = np.full(len(samples), UNKNOWN, dtype=np.int32)
    return Samples(samples.words, samples.game, samples.ply, samples.phase, unknown, np.array(scores, dtype=np.int32))


def random_matrix(rows: int, unknowns: int, seed: int, *, factors: bool, repeats: bool = True) -> Matrix:
    """Rows of any length, empty ones too; an unknown may stand in a row more than once."""
    source = np.random.default_rng(seed)
    lengths = source.integers(0, min(9, unknowns + 1), rows)
    index = [source.choice(unknowns, length, replace=repeats) for length in lengths]
    count = int(lengths.sum())
    return Matrix(
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.concatenate([*index, []]).astype(np.int32),
        source.normal(size=count).astype(np.float32) if factors else np.zeros(0, dtype=np.float32),
        unknowns,
    )


def as_scipy(matrix: Matrix) -> scipy.sparse.csr_matrix:
    factor = matrix.factor if matrix.factor.size else np.ones(len(matrix.index), dtype=np.float32)
    parts = (factor.astype(np.float64), matrix.index, matrix.start)
    return scipy.sparse.csr_matrix(parts, shape=(len(matrix), matrix.unknowns))
