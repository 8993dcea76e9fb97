"""When alpha-beta must stop: enough nodes, the time is up, or another thread says so."""

from __future__ import annotations

from evalsmith.compile import Integers, clock, helper, volatile
from evalsmith.engine.alphabeta import slots

_POLL = 1023  # the clock and the stop flag are looked at once in this many nodes, and one


@helper("int64(integers)")
def must_stop(context: Integers) -> int:
    """Count a node; 1 when a limit is reached."""
    nodes = context[slots.NODES] + 1
    context[slots.NODES] = nodes
    if nodes >= context[slots.NODE_LIMIT] or (
        nodes & _POLL == 0
        and (
            volatile(context, slots.STOP) != 0 or (context[slots.DEADLINE] != 0 and clock() >= context[slots.DEADLINE])
        )
    ):
        context[slots.ABORTED] = 1
    return context[slots.ABORTED]
