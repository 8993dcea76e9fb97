"""The end of a game proven before it is searched, where the game has a solver that is quick enough.

The solver is asked at the root, once, with a share of what the search is allowed, so that a failure leaves time to
search. Its nodes count as the search's own, and its table is cleared with the search's: fixed nodes repeat to the move.
"""

from __future__ import annotations

from evalsmith.compile import Context, Integers, caller, clock, helper
from evalsmith.engine.alphabeta import slots, techniques
from evalsmith.engine.limit import MAX_DEPTH, NO_LIMIT
from evalsmith.games.finishing import (
    CLEAR,
    DEPTH,
    LENGTH,
    LINE,
    NODES,
    NODES_ALLOWED,
    NOT_TRIED,
    PROOF,
    PROVEN,
    SCORE,
    SIGNATURE,
    TIME_ALLOWED,
    WANTED,
)
from evalsmith.weights import Weights

_finish = caller(SIGNATURE)
LEAST_BYTES = 1 << 12


@helper("int64(integers)")
def finish(context: Integers) -> int:
    """Whether the root is proven: its score and best line are then those of line 0, and DEPTH_DONE reaches the end."""
    allowed = context[slots.NODE_LIMIT]
    until = max(context[slots.SOFT_DEADLINE], context[slots.FREE_DEADLINE])
    if context[slots.SOFT_DEADLINE] == 0:
        until = context[slots.DEADLINE]
    if (
        context[slots.TECHNIQUES] & techniques.SOLVER == 0
        or context[slots.FINISH] == 0
        or (allowed == NO_LIMIT and until == 0)
        or context[slots.DEPTH_LIMIT] != MAX_DEPTH
        or context[slots.MULTIPV] != 1
        or context[slots.ALLOWED_COUNT] != 0
    ):
        return 0
    request, share = slots.finish_request(context), context[slots.SOLVER_SHARE]
    request[WANTED] = PROOF
    request[NODES_ALLOWED] = allowed // 100 * share if allowed != NO_LIMIT else NO_LIMIT
    request[TIME_ALLOWED] = max(1, (until - clock()) // 100 * share) if until != 0 else 0
    answer = _finish(context[slots.FINISH], (slots.positions(context), slots.solver(context), request))
    if answer == NOT_TRIED:
        return 0
    context[slots.NODES] += request[NODES]
    if answer != PROVEN:
        return 0
    line, length = slots.lines(context), request[LENGTH]
    line[slots.LINE_SCORE], line[slots.LINE_DEPTH], line[slots.LINE_LENGTH] = request[SCORE], request[DEPTH], length
    for i in range(length):
        line[slots.LINE_MOVES + i] = request[LINE + i]
    context[slots.DEPTH_DONE] = context[slots.SELDEPTH] = request[DEPTH]
    return 1


@helper("void(integers)")
def forget_proofs(context: Integers) -> None:
    """Clear the solver's table."""
    if context[slots.FINISH] != 0:
        request = slots.finish_request(context)
        request[WANTED] = CLEAR
        _finish(context[slots.FINISH], (slots.positions(context), slots.solver(context), request))


def attach_finisher(context: Context, weights: Weights, table_bytes: int) -> None:
    """Give a context the solver of its game, where it has one, with a table of at most so many bytes."""
    finisher = weights.game.hook("finish")
    if finisher is None:
        return
    stop = context.row[slots.STOP : slots.STOP + 1]
    row = weights.engine_row
    solver = finisher.make(row, weights.game.terms_module, max(LEAST_BYTES, table_bytes), stop)
    context.bind(slots.FINISH, finisher.kernel)
    slots.solver.attach(context, solver.row)
    slots.finish_request.allocate(context)
    # The solver's arrays live as long as the context, and count as its work; the weights are there already.
    context.arrays |= {-1 - slot: array for slot, array in solver.arrays.items() if array is not row}
