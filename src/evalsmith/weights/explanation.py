"""Where the evaluation of one position comes from, term by term."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from evalsmith.games import Position
from evalsmith.games.contract import PHASE, call_evaluate, call_position, call_terms
from evalsmith.weights.file import Weights


@dataclass(frozen=True)
class Part:
    """One entry of the sum: ``value`` times the blended ``weight`` is ``part``, in the game's unit."""

    term: str
    feature: str
    index: str
    value: int
    weight: float
    part: float


@dataclass(frozen=True)
class Explanation:
    """The score for the mover and its parts, largest first; the parts add up to the score before rounding."""

    score: int
    phase: int
    parts: tuple[Part, ...]


def explain(weights: Weights, position: Position) -> Explanation:
    """Take the evaluation of a position apart."""
    game, layout = weights.game, weights.layout
    evaluation = game.evaluation
    context = game.context(evaluation=True)
    weights.attach(context)
    index = np.zeros(game.max_terms, dtype=np.int32)
    value = np.zeros(game.max_terms, dtype=np.int16)
    count = call_terms(context.row, position, index, value)
    phase = int(call_position(context.row, PHASE, position))
    first, second, share = layout.blend[phase]
    describe = {feature.name: feature.describe for feature in evaluation.features}
    parts = []
    for i in range(count):
        feature, within = layout.feature_at(int(index[i]))
        exact = Fraction(
            (layout.scale - share) * int(weights.values[first, index[i]])
            + share * int(weights.values[second, index[i]]),
            layout.scale,
        )
        term = evaluation.terms[i][0] if evaluation.terms else feature
        amount = int(value[i])
        parts.append(Part(term, feature, describe[feature](within), amount, float(exact), float(exact * amount)))
    parts.sort(key=lambda part: -abs(part.part))
    return Explanation(int(call_evaluate(context.row, position)), phase, tuple(parts))
