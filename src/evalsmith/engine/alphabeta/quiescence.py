"""Quiescence: noisy moves are played out until a position is quiet enough to be evaluated."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, at, helper
from evalsmith.engine import values
from evalsmith.engine.alphabeta import evaluation, limits, ordering, slots, table, techniques
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract
from evalsmith.games.scores import INFINITE

_NO_ENTRY = np.uint64(0)


@helper("int64(integers, words, int64, int64, int64)")
def quiesce(context: Integers, position: Words, ply: int, alpha: int, beta: int) -> int:
    """The value of a position by its noisy moves alone; a mover who is not in check may stand pat."""
    if ply > context[slots.SELDEPTH]:
        context[slots.SELDEPTH] = ply

    # Step 1. Finished games have their result.
    key = contract.key_of(context, position)
    table.approach(context, key)
    if contract.status_of(context, position) == contract.OVER:
        return values.finished(context, position, ply)
    context[slots.HORIZON] += 1

    # Step 2. The table, which may know the position better.
    first, start, checked = -1, alpha, contract.check_of(context, position)
    stored = context[slots.TECHNIQUES] & techniques.QUIESCENCE_TABLE != 0
    if stored:
        data = table.probe(context, key)
        if data != _NO_ENTRY:
            first = table.move_in(data)
            known, bound = values.from_root(context, table.value_in(data), ply), table.bound_in(data)
            if bound == table.EXACT or (known >= beta if bound == table.LOWER else known <= alpha):
                return known

    # Step 3. Stand pat: nobody has to capture. Who is in check has no such choice.
    best, reachable = -INFINITE, INFINITE
    if checked == 0 or ply >= MAX_PLY - 2:
        best, checked = evaluation.static(context, position, key), 0
        if best >= beta or ply >= MAX_PLY - 2:
            return best
        reachable = best + context[slots.DELTA_MARGIN]
        alpha = max(alpha, best)

    # Step 4. The noisy moves, in their order.
    moves = slots.moves(context, ply)
    count = contract.noisy_of(context, position, moves)
    slots.previous(context)[ply] = -1
    ordering.score_moves(context, position, ply, count, first)
    best_move = -1
    child = at(position, context[contract.WORDS])
    side = contract.mover_of(context, position)
    delta = reachable < INFINITE and context[slots.TECHNIQUES] & techniques.DELTA != 0
    exchange = checked == 0 and context[slots.TECHNIQUES] & techniques.EXCHANGE != 0
    for i in range(count):
        move = ordering.next_move(context, ply, i, count)

        # Step 5. Captures that cannot reach alpha, or that lose the exchange, are left out.
        if delta:
            bound = reachable + contract.capture_value_of(context, position, move)
            if bound <= alpha:
                best = max(best, bound)
                continue

        if exchange and contract.exchange_of(context, position, move, 0) == 0:
            continue

        # Step 6. Search the move.
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
            if value > alpha:
                alpha, best_move = value, move
            if alpha >= beta:
                break

    # Step 7. What was found is stored as a search of no depth.
    if stored:
        bound = table.LOWER if best >= beta else table.EXACT if best > start else table.UPPER
        table.store(context, key, best_move, values.from_root(context, best, -ply), 0, bound)
    return best
