"""Quiescence: noisy moves are played out until a position is quiet enough to be evaluated."""

from __future__ import annotations

from evalsmith.compile import Integers, Words, at, clock, helper, integers_at, volatile
from evalsmith.games.contract import (
    MAX_MOVES,
    OVER,
    WORDS,
    capture_value_of,
    check_of,
    mover_of,
    noisy_of,
    play_into,
    status_of,
)
from evalsmith.games.scores import INFINITE
from evalsmith.search.alphabeta import techniques
from evalsmith.search.alphabeta.ordering import next_move, score_moves
from evalsmith.search.alphabeta.slots import (
    ABORTED,
    DEADLINE,
    HORIZON,
    MOVE_ROWS,
    NODE_LIMIT,
    NODES,
    PLAYED,
    SELDEPTH,
    STOP,
    TECHNIQUES,
)
from evalsmith.search.values import MAX_PLY, finished, static

_POLL = 1023  # the clock and the stop flag are looked at once in so many nodes
_DELTA_MARGIN = 200  # two whole units: what the evaluation may gain beside the gain of a move itself


@helper("int64(integers)")
def must_stop(context: Integers) -> int:
    """Count a node; 1 when a limit has struck."""
    nodes = context[NODES] + 1
    context[NODES] = nodes
    if nodes >= context[NODE_LIMIT] or (
        nodes & _POLL == 0
        and (volatile(context, STOP) != 0 or (context[DEADLINE] != 0 and clock() >= context[DEADLINE]))
    ):
        context[ABORTED] = 1
    return context[ABORTED]


@helper("int64(integers, words, int64, int64, int64)")
def quiesce(context: Integers, position: Words, ply: int, alpha: int, beta: int) -> int:
    """The value of a position by its noisy moves alone; who is not in check may stand pat."""
    if ply > context[SELDEPTH]:
        context[SELDEPTH] = ply
    if status_of(context, position) == OVER:
        return finished(context, position, ply)
    context[HORIZON] += 1
    best, stand = -INFINITE, INFINITE
    if check_of(context, position) == 0 or ply >= MAX_PLY - 2:
        best = static(context, position)
        if best >= beta or ply >= MAX_PLY - 2:
            return best
        stand = best + _DELTA_MARGIN
        alpha = max(alpha, best)
    moves = integers_at(context[MOVE_ROWS] + 8 * ply * context[MAX_MOVES])
    count = noisy_of(context, position, moves)
    integers_at(context[PLAYED])[ply] = -1
    score_moves(context, position, ply, count, -1)
    child = at(position, context[WORDS])
    side = mover_of(context, position)
    delta = stand < INFINITE and context[TECHNIQUES] & techniques.DELTA != 0
    for i in range(count):
        move = next_move(context, ply, i, count)
        if delta:
            most = stand + capture_value_of(context, position, move)
            if most <= alpha:
                best = max(best, most)
                continue
        play_into(context, position, move, child)
        if must_stop(context) != 0:
            return 0
        if mover_of(context, child) == side:
            value = quiesce(context, child, ply + 1, alpha, beta)
        else:
            value = -quiesce(context, child, ply + 1, -beta, -alpha)
        if context[ABORTED] != 0:
            return 0
        if value > best:
            best = value
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    return best
