"""The features of Othello's evaluation, and where the weights of each begin: patterns, counts of squares, parity."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games.evaluation import BOTH, Feature, Overview
from evalsmith.games.othello import patterns
from evalsmith.games.othello.patterns import PATTERNS
from evalsmith.games.othello.picture import pattern_svg
from evalsmith.games.othello.sums import PARITY_FEATURE, PATTERN_GROUP, count_features

COUNT = 65  # a count of squares is 0 … 64

ORIDS = [pattern.orids() for pattern in PATTERNS]
_sizes = [int(orids.max()) + 1 for orids in ORIDS] + [COUNT] * 4 + [2]
STARTS = np.concatenate([[0], np.cumsum(_sizes)]).astype(np.int64)
SIZE = int(STARTS[-1])
MOBILITY, ENEMY_MOBILITY, POTENTIAL, ENEMY_POTENTIAL, PARITY = (int(s) for s in STARTS[len(PATTERNS) : -1])


def _pattern_feature(number: int) -> Feature:
    pattern = PATTERNS[number]
    squares = pattern.places[0]
    first = np.unique(ORIDS[number], return_index=True)[1]

    def describe(orid: int) -> str:
        return patterns.instance_name(squares, int(first[orid]))

    def picture(orid: int) -> str:

        return pattern_svg(squares, [int(d) for d in patterns.digits_of(first[orid : orid + 1], len(squares))[0]])

    def overview(weights: npt.NDArray[np.int32]) -> Overview:
        by_instance = weights[ORIDS[number]]
        known = np.flatnonzero(by_instance)
        digits = patterns.digits_of(known, len(squares))
        matrix = np.full((8, 8), np.nan)
        for place, square in enumerate(squares):
            own, other = (by_instance[known][digits[:, place] == digit] for digit in (1, 2))
            if own.size and other.size:
                matrix[square // 8, square % 8] = (own.mean() - other.mean()) / 2
        ranks, files = sorted({s // 8 for s in squares}), sorted({s % 8 for s in squares})
        caption = "What a disc on each square is worth in this pattern, in centidiscs: half the mean weight of the "
        caption += "configurations with the mover's disc there, less half that of those with the enemy's; "
        caption += "configurations without a weight are left out."
        return Overview(
            matrix[np.ix_(ranks, files)],
            tuple(str(rank + 1) for rank in ranks),
            tuple("abcdefgh"[file] for file in files),
            caption,
        )

    return Feature(
        pattern.name,
        _sizes[number],
        describe=describe,
        picture=picture,
        overview=overview,
        group=PATTERN_GROUP,
        whose=BOTH,
    )


FEATURES = (
    *(_pattern_feature(number) for number in range(len(PATTERNS))),
    *count_features(COUNT),
    PARITY_FEATURE,
)
