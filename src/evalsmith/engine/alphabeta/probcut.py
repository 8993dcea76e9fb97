"""ProbCut: what a shallow search must find so that a deep one would very likely be beyond the window.

The parameters come with the weights (`weights.probcut`): for a stage of the game and a depth, pairs of a shallow depth
and of a line deep = slope · shallow + offset, with the error around it. `pvs` searches, this module does the sums.
"""

from __future__ import annotations

from evalsmith.compile import Context, Integers, Words, helper
from evalsmith.engine.alphabeta import slots
from evalsmith.games import contract
from evalsmith.weights.probcut import DEPTHS, ERROR, OFFSET, PAIRS, SLOPE, UNIT, ProbCut

_STAGE = DEPTHS * PAIRS  # entries of a stage


@helper("integers(integers, words, int64, int64)", inline=True)
def pair_of(context: Integers, position: Words, depth: int, number: int) -> Integers:
    """The entry of a pair: the first number is the shallow depth, -1 where there is no such pair."""
    stage = slots.probcut_stages(context)[contract.phase_of(context, position)]
    return slots.probcut_pairs(context, stage * _STAGE + min(depth, DEPTHS - 1) * PAIRS + number)


@helper("int64(integers, integers, int64)", inline=True)
def least_above(context: Integers, pair: Integers, beta: int) -> int:
    """The shallow value from which on the deep one is above beta with the wanted confidence."""
    margin = context[slots.PROBCUT_CONFIDENCE] * pair[ERROR] // 100
    return -((-(beta + margin - pair[OFFSET]) * UNIT) // pair[SLOPE])


@helper("int64(integers, integers, int64)", inline=True)
def most_below(context: Integers, pair: Integers, alpha: int) -> int:
    """The shallow value up to which the deep one is below alpha with the wanted confidence."""
    margin = context[slots.PROBCUT_CONFIDENCE] * pair[ERROR] // 100
    return ((alpha - margin - pair[OFFSET]) * UNIT) // pair[SLOPE]


def attach_probcut(context: Context, found: ProbCut, phases: int) -> None:
    """Give a context the parameters, for a blend table of so many phases."""
    slots.probcut_stages.attach(context, found.phase_stages(phases))
    slots.probcut_pairs.attach(context, found.table().reshape(-1))
