"""What a game for one is worth that clears something: how much it clears, and how soon.

    utility = (cleared + u) / (left + 1)      u = p / (p + 20) when lost, else 1 − p / (p + 20)

``left`` is what there was to clear and ``p`` the number of moves, both counted from a base: the root, or one before it
whose tree is used on. So every cleared piece counts as much as the others, the end of the game as much as one of them,
and a quick win more than a slow one, a slow loss more than a quick one. The tree has values between -1 and 1: twice the
utility, less one.

Among games that all clear everything this utility hardly tells a quick one from a slow one. Where somebody, a net, says
how many moves a game will take from the base, values tell how much quicker than that it was:

    pace = (1 + tanh((expected − p) / 10)) / 2 when won, cleared / left − 1 when lost
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, caller, helper
from evalsmith.engine.drawing import draw, draw_outcome
from evalsmith.engine.mcts import slots
from evalsmith.games import contract

HALF_LIFE = 20.0  # moves after which the end of a game counts half
PACE = 10.0  # moves by which a won game is clearly quicker than another
MAX_IDLE = 20  # moves of a random game that clear nothing: then it is cut

_count = caller("int64(words)")


@helper("int64(integers, words)")
def left_in(context: Integers, position: Words) -> int:
    """What is left to clear."""
    return _count(context[slots.LEFT], (position,))


@helper("float64(float64, float64, float64, float64)", floats=True)
def utility(left: float, cleared: float, moves: float, won: float) -> float:
    """Between -1 and 1: of ``left`` pieces, so many cleared by so many moves; ``won`` is from 0 (lost) to 1."""
    late = moves / (moves + HALF_LIFE)
    ending = won * (1.0 - late) + (1.0 - won) * late
    return 2.0 * (cleared + ending) / (left + 1.0) - 1.0


@helper("float64(float64, float64, float64, float64, float64)", floats=True)
def pace(expected: float, left: float, cleared: float, moves: float, won: float) -> float:
    """Between -1 and 1: a won game by its moves against those expected, a lost one by the share that it cleared."""
    quick = 0.5 + 0.5 * float(np.tanh((expected - moves) / PACE))
    return won * quick + (1.0 - won) * (cleared / max(left, 1.0) - 1.0)


@helper("float64(integers, words)", floats=True)
def ended(context: Integers, position: Words) -> float:
    """What a finished game is worth, after as many moves as the path has."""
    won = 1.0 if contract.result_of(context, position) > 0 else 0.0
    base, left = context[slots.BASE_LEFT], left_in(context, position)
    moves = float(context[slots.LEAF_MOVES])
    if context[slots.EXPECTED] != 0:
        return pace(float(context[slots.EXPECTED]) / 1000.0, float(base), float(base - left), moves, won)
    return utility(float(base), float(base - left), moves, won)


@helper("float64(integers, words, words)", floats=True)
def clear_out(context: Integers, here: Words, there: Words) -> float:
    """Random moves from ``here`` to the end, or until nothing was cleared for long; what that is worth.

    Both rows are used up.
    """
    moves = slots.moves(context)
    base, used, idle = context[slots.BASE_LEFT], context[slots.LEAF_MOVES], 0
    left, won = left_in(context, here), 1.0
    while idle < MAX_IDLE:
        state = contract.status_of(context, here)
        if state == contract.OVER:
            won = 1.0 if contract.result_of(context, here) > 0 else 0.0
            break
        if state == contract.CHANCE:
            contract.reveal_into(context, here, draw_outcome(context, slots.RANDOM, here, slots.priors(context)), there)
        else:
            count = contract.moves_of(context, here, moves)
            contract.play_into(context, here, moves[draw(context, slots.RANDOM, count)], there)
            now = left_in(context, there)
            used, idle = used + 1, (idle + 1 if now == left else 0)
            left = now
        here, there = there, here
    return utility(float(base), float(base - left), float(used), won)
