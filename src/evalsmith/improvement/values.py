"""What the positions of self-play are worth in a game with a margin: exact values, scores of searches, results.

A position near the end has the exact value that the game's solver found, where it has one. Every other is worth a
mixture of two things: the score of the search that chose its move, and the value of the rest of the game, which is the
first exact value after it, or else the result. A position before a random move has the score alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.positions.samples import EXACT, PLAYOUT, REPORTED, UNKNOWN, Samples

Column = npt.NDArray[np.int32]


def margin_values(game: Game, samples: Samples, result_share: float) -> Samples:
    """The samples that have a value, with it as their label."""
    samples = samples.take(np.lexsort((samples.ply, samples.game)))
    rest = carried_back(samples)
    exact = samples.label == EXACT
    searched = (samples.label == REPORTED) & (result_share < 1)
    # An evaluation may promise more than there is to win.
    score = samples.score.clip(-game.margin, game.margin)
    mixed = np.rint(result_share * rest + (1 - result_share) * score).astype(np.int32)
    value = np.where(searched, np.where(rest == UNKNOWN, score, mixed), rest)
    value = np.where(exact, samples.score, value).astype(np.int32)
    label = np.where(exact, EXACT, PLAYOUT).astype(np.int8)
    return replace(samples, score=value, label=label).take(value != UNKNOWN)


def carried_back(samples: Samples) -> Column:
    """What the rest of each game is worth to the mover: its first exact value, else its result; UNKNOWN without one.

    The samples are in the order of games and plies. Whether two positions of a game have the same mover shows in
    their results, which are for the mover; of a drawn game it does not show, and there the result stays.
    """
    rows = np.arange(len(samples))
    after = np.minimum.accumulate(np.where(samples.label == EXACT, rows, len(rows))[::-1])[::-1]
    found = np.minimum(after, len(rows) - 1)
    known = (samples.result != UNKNOWN) & (samples.result != 0)
    there = (after < len(rows)) & known & (samples.game[found] == samples.game)
    sign = np.sign(samples.result) * np.sign(samples.result[found])
    return np.where(there, samples.score[found] * sign, samples.result).astype(np.int32)
