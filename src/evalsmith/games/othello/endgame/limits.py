"""When a solve must end unfinished: enough nodes, the time is up, or another thread says so."""

from __future__ import annotations

from evalsmith.compile import Integers, clock, helper, volatile
from evalsmith.games.othello.endgame import slots

# Nodes between two looks at the clock and the stop flag: a fraction of a millisecond.
_EVERY = 1024


@helper("int64(integers)")
def _look(context: Integers) -> int:
    """Look at the limits, and remember it when one is reached."""
    if context[slots.HALTED] != 0:
        return 1
    nodes = context[slots.NODES]
    late = context[slots.DEADLINE] != 0 and clock() >= context[slots.DEADLINE]
    if nodes >= context[slots.NODE_LIMIT] or late or volatile(slots.stop(context), 0) != 0:
        context[slots.HALTED], context[slots.NEXT_LOOK] = 1, 0
        return 1
    context[slots.NEXT_LOOK] = min(nodes + _EVERY, context[slots.NODE_LIMIT])
    return 0


@helper("int64(integers)", inline=True)
def halted(context: Integers) -> int:
    """Whether the solve must end; once true, always true."""
    if context[slots.NODES] < context[slots.NEXT_LOOK]:
        return 0
    return _look(context)
