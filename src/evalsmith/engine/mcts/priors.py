"""Which moves look good before any was tried: the one place that knows where priors come from."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Reals, Words, helper
from evalsmith.engine.mcts import slots
from evalsmith.games import contract

_MIN_SCORE = (
    -10.0
)  # no move is thought to be less likely than e to this power, compared with the best: it may be the one


@helper("void(integers, words, int64, reals)", floats=True)
def _score_by_order(context: Integers, position: Words, count: int, scores: Reals) -> None:
    """What `order` says of the moves, in standard deviations, since games choose their own unit for it."""
    moves = slots.moves(context)
    mean, square = 0.0, 0.0
    for i in range(count):
        scores[i] = float(contract.order_of(context, position, moves[i]))
        mean += scores[i] / count
    for i in range(count):
        square += (scores[i] - mean) ** 2 / count
    deviation = max(np.sqrt(square), 1e-9)
    for i in range(count):
        scores[i] = (scores[i] - mean) / deviation


@helper("void(integers, words, int64, reals)", floats=True)
def _score_by_evaluation(context: Integers, position: Words, count: int, scores: Reals) -> None:
    """What the evaluation says after each move; an advantage of ``scale`` makes a move e times as likely."""
    moves, child = slots.moves(context), slots.positions(context, slots.PRIOR_ROW)
    mover, factor, best = contract.mover_of(context, position), 2.0 * slots.constants(context)[slots.SLOPE], -1e300
    for i in range(count):
        contract.play_into(context, position, moves[i], child)
        over = contract.status_of(context, child) == contract.OVER
        value = contract.result_of(context, child) if over else contract.evaluate_of(context, child)
        scores[i] = factor * float(value if contract.mover_of(context, child) == mover else -value)
        best = max(best, scores[i])
    for i in range(count):
        scores[i] = max(scores[i] - best, _MIN_SCORE)


@helper("void(integers, words, int64)", floats=True)
def fill_priors(context: Integers, position: Words, count: int) -> None:
    """The share of each of the first ``count`` MOVES, into PRIORS; the shares sum to 1."""
    priors = slots.priors(context)
    for i in range(count):
        priors[i] = 1.0 / count
    if context[slots.PRIOR] == slots.UNIFORM:
        return
    if context[slots.PRIOR] == slots.BY_ORDER:
        _score_by_order(context, position, count, priors)
    else:
        _score_by_evaluation(context, position, count, priors)
    total = 0.0
    for i in range(count):
        priors[i] = np.exp(priors[i])
        total += priors[i]
    for i in range(count):
        priors[i] /= total
