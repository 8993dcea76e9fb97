"""Which moves look good before any was tried: the one place that knows where priors come from."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Reals, Words, at, helper, integers_at, reals_at, words_at
from evalsmith.games.contract import (
    OVER,
    WORDS,
    evaluate_of,
    mover_of,
    order_of,
    play_into,
    result_of,
    status_of,
)
from evalsmith.search.mcts.slots import (
    BY_ORDER,
    CONSTANTS,
    MOVES,
    POSITIONS,
    PRIOR,
    PRIOR_ROW,
    PRIORS,
    SLOPE,
    UNIFORM,
)

_LEAST = -10.0  # no move is thought to be less likely than e to this power, compared with the best: it may be the one


@helper("void(integers, words, int64, reals)", floats=True)
def _score_by_order(context: Integers, position: Words, count: int, scores: Reals) -> None:
    """What `order` says of the moves, in standard deviations, since games choose their own unit for it."""
    moves = integers_at(context[MOVES])
    mean, square = 0.0, 0.0
    for i in range(count):
        scores[i] = float(order_of(context, position, moves[i]))
        mean += scores[i] / count
    for i in range(count):
        square += (scores[i] - mean) ** 2 / count
    deviation = max(np.sqrt(square), 1e-9)
    for i in range(count):
        scores[i] = (scores[i] - mean) / deviation


@helper("void(integers, words, int64, reals)", floats=True)
def _score_by_evaluation(context: Integers, position: Words, count: int, scores: Reals) -> None:
    """What the evaluation says after each move; an advantage of ``scale`` makes a move e times as likely."""
    moves, below = integers_at(context[MOVES]), at(words_at(context[POSITIONS]), PRIOR_ROW * context[WORDS])
    mover, factor, best = mover_of(context, position), 2.0 * reals_at(context[CONSTANTS])[SLOPE], -1e300
    for i in range(count):
        play_into(context, position, moves[i], below)
        over = status_of(context, below) == OVER
        value = result_of(context, below) if over else evaluate_of(context, below)
        scores[i] = factor * float(value if mover_of(context, below) == mover else -value)
        best = max(best, scores[i])
    for i in range(count):
        scores[i] = max(scores[i] - best, _LEAST)


@helper("void(integers, words, int64)", floats=True)
def fill_priors(context: Integers, position: Words, count: int) -> None:
    """The share of each of the first ``count`` MOVES, into PRIORS; the shares sum to 1."""
    priors = reals_at(context[PRIORS])
    for i in range(count):
        priors[i] = 1.0 / count
    if context[PRIOR] == UNIFORM:
        return
    if context[PRIOR] == BY_ORDER:
        _score_by_order(context, position, count, priors)
    else:
        _score_by_evaluation(context, position, count, priors)
    total = 0.0
    for i in range(count):
        priors[i] = np.exp(priors[i])
        total += priors[i]
    for i in range(count):
        priors[i] /= total
