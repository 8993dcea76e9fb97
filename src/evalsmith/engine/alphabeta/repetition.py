"""Positions that come back: what the rules say of them, and those that need not wait for the rules."""

from __future__ import annotations

from evalsmith.compile import Integers, Word, Words, helper
from evalsmith.engine import values
from evalsmith.engine.alphabeta import slots, techniques
from evalsmith.games import contract
from evalsmith.games.scores import INFINITE

NO_VALUE = INFINITE  # of a position that did not come before


@helper("int64(integers, uint64, int64, int64)", inline=True)
def is_cycle(context: Integers, key: Word, checked: int, ply: int) -> int:
    """Whether the position came back since the root, and neither side gave check with every move in between."""
    keys, checks = slots.keys(context), slots.checks(context)
    now = context[slots.HISTORY_LENGTH] + ply
    own, other = checked, 1  # whether the mover was always in check, and whether the enemy was
    for back in range(2, ply + 1, 2):
        other &= checks[now - back + 1]
        if keys[now - back] == key:
            return 1 if own == 0 and other == 0 else 0
        own &= checks[now - back]
    return 0


@helper("int64(integers, words, uint64, int64, int64)", inline=True)
def worth(context: Integers, position: Words, key: Word, checked: int, ply: int) -> int:
    """What a position that came before is worth, or NO_VALUE for one that did not: it is noted for those after it."""
    if context[slots.REPEATS] == 0:
        return NO_VALUE
    keys, checks = slots.keys(context), slots.checks(context)
    count = context[slots.HISTORY_LENGTH] + ply
    repeated = contract.repeated_in(context, position, keys, checks, count)
    if repeated != contract.FRESH:
        context[slots.HORIZON] += 1
        return values.repetition_value(context, repeated, ply)
    if context[slots.TECHNIQUES] & techniques.CYCLES != 0 and is_cycle(context, key, checked, ply) != 0:
        context[slots.HORIZON] += 1
        return 0
    keys[count], checks[count] = key, checked
    return NO_VALUE
