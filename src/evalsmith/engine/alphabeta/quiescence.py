"""Quiescence: noisy moves are played out until a position is quiet enough to be evaluated."""

from __future__ import annotations

from evalsmith.compile import Integers, Words, at, helper
from evalsmith.engine import values
from evalsmith.engine.alphabeta import evaluation, limits, ordering, slots, techniques
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract
from evalsmith.games.scores import INFINITE


@helper("int64(integers, words, int64, int64, int64)")
def quiesce(context: Integers, position: Words, ply: int, alpha: int, beta: int) -> int:
    """The value of a position by its noisy moves alone; a mover who is not in check may stand pat."""
    if ply > context[slots.SELDEPTH]:
        context[slots.SELDEPTH] = ply

    # Step 1. Finished games have their result.
    if contract.status_of(context, position) == contract.OVER:
        return values.finished(context, position, ply)
    context[slots.HORIZON] += 1

    # Step 2. Stand pat: nobody has to capture. Who is in check has no such choice.
    best, reachable, checked = -INFINITE, INFINITE, 1
    if contract.check_of(context, position) == 0 or ply >= MAX_PLY - 2:
        best, checked = evaluation.static(context, position, contract.key_of(context, position)), 0
        if best >= beta or ply >= MAX_PLY - 2:
            return best
        reachable = best + context[slots.DELTA_MARGIN]
        alpha = max(alpha, best)

    # Step 3. The noisy moves, in their order.
    moves = slots.moves(context, ply)
    count = contract.noisy_of(context, position, moves)
    slots.previous(context)[ply] = -1
    ordering.score_moves(context, position, ply, count, -1)
    child = at(position, context[contract.WORDS])
    side = contract.mover_of(context, position)
    delta = reachable < INFINITE and context[slots.TECHNIQUES] & techniques.DELTA != 0
    exchange = checked == 0 and context[slots.TECHNIQUES] & techniques.EXCHANGE != 0
    for i in range(count):
        move = ordering.next_move(context, ply, i, count)

        # Step 4. Captures that cannot reach alpha, or that lose the exchange, are left out.
        if delta:
            bound = reachable + contract.capture_value_of(context, position, move)
            if bound <= alpha:
                best = max(best, bound)
                continue

        if exchange and contract.exchange_of(context, position, move, 0) == 0:
            continue

        # Step 5. Search the move.
        contract.play_into(context, position, move, child)
        if limits.must_stop(context) != 0:
            return 0
        if contract.mover_of(context, child) == side:
            value = quiesce(context, child, ply + 1, alpha, beta)
        else:
            value = -quiesce(context, child, ply + 1, -beta, -alpha)
        if context[slots.ABORTED] != 0:
            return 0
        if value > best:
            best = value
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    return best
