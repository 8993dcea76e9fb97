"""When a solve must end unfinished: enough nodes, the time is up, or another thread says so."""

from __future__ import annotations

from evalsmith.compile import Integers, clock, helper, integers_at, volatile
from evalsmith.games.othello.endgame.slots import DEADLINE, HALTED, NEXT_LOOK, NODE_LIMIT, NODES, STOP

# Nodes between two looks at the clock and the stop flag: a fraction of a millisecond.
_EVERY = 1024


@helper("int64(integers)")
def _look(context: Integers) -> int:
    """Look at the limits, and remember it when one is reached."""
    if context[HALTED] != 0:
        return 1
    nodes = context[NODES]
    late = context[DEADLINE] != 0 and clock() >= context[DEADLINE]
    if nodes >= context[NODE_LIMIT] or late or volatile(integers_at(context[STOP]), 0) != 0:
        context[HALTED], context[NEXT_LOOK] = 1, 0
        return 1
    context[NEXT_LOOK] = min(nodes + _EVERY, context[NODE_LIMIT])
    return 0


@helper("int64(integers)", inline=True)
def halted(context: Integers) -> int:
    """Whether the solve must end; once true, always true."""
    if context[NODES] < context[NEXT_LOOK]:
        return 0
    return _look(context)
