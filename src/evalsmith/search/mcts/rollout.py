"""What a position is worth to Monte Carlo tree search: by its rules, by its evaluation, or by a random game.

Values are for side 0 and lie between -1 and 1; bounds are in 1/65536 of the game's unit.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, helper, integers_at, reals_at, words_at
from evalsmith.games.contract import (
    CHANCE,
    FRESH,
    OVER,
    PLAYER,
    WIN_VALUE,
    evaluate_of,
    mover_of,
    moves_of,
    play_into,
    repeated_in,
    result_of,
    reveal_into,
    status_of,
)
from evalsmith.search.drawing import draw, draw_outcome
from evalsmith.search.mcts.slots import (
    CENTRE,
    CHECK_FLAGS,
    CONSTANTS,
    HISTORY_LENGTH,
    KEYS,
    MOVES,
    OPEN,
    PRIORS,
    RANDOM,
    REPEATS,
    ROLLOUT_PLIES,
    SLOPE,
    UNIT,
    UNKNOWN,
)
from evalsmith.search.values import repetition_value


@helper("int64(integers)", inline=True)
def most(context: Integers) -> int:
    """The bound of a node of which nothing is known: a won game, or more than any margin."""
    return context[WIN_VALUE] * UNIT if context[WIN_VALUE] > 0 else OPEN


@helper("float64(integers, int64)", floats=True)
def worth(context: Integers, bound: int) -> float:
    """A proven value between -1 and 1: its share of a won game, or the squashed margin."""
    if context[WIN_VALUE] > 0:
        return float(bound) / (float(context[WIN_VALUE]) * UNIT)
    return float(np.tanh(float(bound) / UNIT * reals_at(context[CONSTANTS])[SLOPE]))


@helper("int64(integers, words, int64)")
def judge(context: Integers, position: Words, ply: int) -> int:
    """The bound of a position in which the game is over, by rule or by repetition; else UNKNOWN."""
    sign = 1 if mover_of(context, position) == 0 else -1
    state = status_of(context, position)
    if state == OVER:
        return sign * result_of(context, position) * UNIT
    if context[REPEATS] != 0 and state == PLAYER:
        count = context[HISTORY_LENGTH] + ply
        repeated = repeated_in(context, position, words_at(context[KEYS]), integers_at(context[CHECK_FLAGS]), count)
        if repeated != FRESH:
            return sign * repetition_value(context, repeated, 0) * UNIT
    return UNKNOWN


@helper("float64(integers, words, words)", floats=True)
def roll_out(context: Integers, here: Words, there: Words) -> float:
    """Random moves from ``here``, then the evaluation, or the result of a game that ended. Both rows are used up."""
    moves = integers_at(context[MOVES])
    left = context[ROLLOUT_PLIES]
    while True:
        state = status_of(context, here)
        sign = 1 if mover_of(context, here) == 0 else -1
        if state == OVER:
            return worth(context, sign * result_of(context, here) * UNIT)
        if left <= 0:
            value = sign * evaluate_of(context, here) - context[CENTRE]
            return float(np.tanh(float(value) * reals_at(context[CONSTANTS])[SLOPE]))
        if state == CHANCE:
            reveal_into(context, here, draw_outcome(context, RANDOM, here, reals_at(context[PRIORS])), there)
        else:
            play_into(context, here, moves[draw(context, RANDOM, moves_of(context, here, moves))], there)
            left -= 1
        here, there = there, here
