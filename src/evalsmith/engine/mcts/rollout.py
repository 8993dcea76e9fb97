"""What a position is worth to Monte Carlo tree search: by its rules, by its evaluation, or by a random game.

Values are for side 0 and lie between -1 and 1; bounds are in 1/65536 of the game's unit.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, helper, int64
from evalsmith.engine.drawing import draw, draw_outcome
from evalsmith.engine.mcts import blocks, slots
from evalsmith.engine.mcts.utility import clear_out, ended
from evalsmith.engine.values import repetition_value
from evalsmith.games import contract


@helper("int64(integers)", inline=True)
def max_bound(context: Integers) -> int:
    """The bound of a node of which nothing is known: a won game, or more than any margin."""
    return context[contract.WIN_VALUE] * blocks.UNIT if context[contract.WIN_VALUE] > 0 else blocks.OPEN


@helper("float64(integers, int64)", floats=True)
def worth(context: Integers, bound: int) -> float:
    """A proven value between -1 and 1: its share of a won game, or the squashed margin."""
    if context[contract.WIN_VALUE] > 0:
        return float(bound) / (float(context[contract.WIN_VALUE]) * blocks.UNIT)
    return float(np.tanh(float(bound) / blocks.UNIT * slots.constants(context)[slots.SLOPE]))


@helper("int64(integers, words, int64)", floats=True)
def judge(context: Integers, position: Words, ply: int) -> int:
    """The bound of a position in which the game is over, by rule or by repetition; else blocks.UNKNOWN."""
    sign = 1 if contract.mover_of(context, position) == 0 else -1
    state = contract.status_of(context, position)
    if state == contract.OVER:
        if context[slots.LEFT] != 0:
            return int64(ended(context, position) * float(max_bound(context)))
        return sign * contract.result_of(context, position) * blocks.UNIT
    if context[slots.REPEATS] != 0 and state == contract.PLAYER:
        count = context[slots.HISTORY_LENGTH] + ply
        repeated = contract.repeated_in(context, position, slots.keys(context), slots.checks(context), count)
        if repeated != contract.FRESH:
            return sign * repetition_value(context, repeated, 0) * blocks.UNIT
    return blocks.UNKNOWN


@helper("float64(integers, words, words)", floats=True)
def roll_out(context: Integers, here: Words, there: Words) -> float:
    """Random moves from ``here``, then the evaluation, or the result of a game that ended. Both rows are used up."""
    if context[slots.LEFT] != 0:
        return clear_out(context, here, there)
    moves = slots.moves(context)
    left = context[slots.ROLLOUT_PLIES]
    while True:
        state = contract.status_of(context, here)
        sign = 1 if contract.mover_of(context, here) == 0 else -1
        if state == contract.OVER:
            return worth(context, sign * contract.result_of(context, here) * blocks.UNIT)
        if left <= 0:
            value = sign * contract.evaluate_of(context, here) - context[slots.CENTRE]
            return float(np.tanh(float(value) * slots.constants(context)[slots.SLOPE]))
        if state == contract.CHANCE:
            contract.reveal_into(context, here, draw_outcome(context, slots.RANDOM, here, slots.priors(context)), there)
        else:
            contract.play_into(
                context, here, moves[draw(context, slots.RANDOM, contract.moves_of(context, here, moves))], there
            )
            left -= 1
        here, there = there, here
