"""Which move is tried first: the stored one, the game's own order, killers, counter moves, history.

The game's own order decides; killers, the counter move and history tell moves of one order apart.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Words, helper, integers_at
from evalsmith.games.contract import MAX_MOVES, SLOTS, mover_of, order_of, slot_of
from evalsmith.search.alphabeta import techniques
from evalsmith.search.alphabeta.slots import (
    COUNTERS,
    HISTORY,
    KILLERS,
    MOVE_ROWS,
    PLAYED,
    SCORE_ROWS,
    TECHNIQUES,
)
from evalsmith.search.values import MAX_PLY

# Each of these is above the sum of those below it; history stays within ±_HISTORY_TOP.
_TABLE_MOVE, _ORDER_STEP, _KILLER, _COUNTER, _HISTORY_TOP = 1 << 60, 1 << 8, 1 << 15, 1 << 14, 1 << 13
_BONUS_TOP = 400


@helper("void(integers, words, int64, int64, int64)")
def score_moves(context: Integers, position: Words, ply: int, count: int, stored: int) -> None:
    """How early each move of this ply is to be tried."""
    moves = integers_at(context[MOVE_ROWS] + 8 * ply * context[MAX_MOVES])
    scores = integers_at(context[SCORE_ROWS] + 8 * ply * context[MAX_MOVES])
    killers = integers_at(context[KILLERS] + 16 * ply)
    used = context[TECHNIQUES]
    side = mover_of(context, position)
    history = integers_at(context[HISTORY] + 8 * side * context[SLOTS])
    counter = -1
    if used & techniques.COUNTERS != 0:
        previous = integers_at(context[PLAYED])[ply]
        if previous >= 0:
            counter = integers_at(context[COUNTERS] + 8 * side * context[SLOTS])[previous]
    for i in range(count):
        move = moves[i]
        if move == stored:
            scores[i] = _TABLE_MOVE
            continue
        score = 0
        if used & techniques.ORDER != 0:
            score = order_of(context, position, move) * _ORDER_STEP
        if used & techniques.HISTORY != 0:
            score += history[slot_of(context, position, move)]
        if move == killers[0] or move == killers[1]:
            score += _KILLER
        if move == counter:
            score += _COUNTER
        scores[i] = score


@helper("int64(integers, int64, int64, int64)")
def next_move(context: Integers, ply: int, first: int, count: int) -> int:
    """Bring the best of the moves from ``first`` on to the front, and give it."""
    moves = integers_at(context[MOVE_ROWS] + 8 * ply * context[MAX_MOVES])
    scores = integers_at(context[SCORE_ROWS] + 8 * ply * context[MAX_MOVES])
    best = first
    for i in range(first + 1, count):
        if scores[i] > scores[best]:
            best = i
    move, score = moves[best], scores[best]
    moves[best], scores[best] = moves[first], scores[first]
    moves[first], scores[first] = move, score
    return move


@helper("void(integers, int64, int64)", inline=True)
def _judge(history: Integers, slot: int, bonus: int) -> None:
    """Move a number of the history towards ±_HISTORY_TOP; the nearer it is, the less."""
    history[slot] += bonus - history[slot] * abs(bonus) // _HISTORY_TOP


@helper("void(integers, words, int64, int64, int64, int64)")
def reward(context: Integers, position: Words, ply: int, tried: int, depth: int, quiet: int) -> None:
    """Remember that move number ``tried`` of this ply refuted the position, and that those before it did not."""
    moves = integers_at(context[MOVE_ROWS] + 8 * ply * context[MAX_MOVES])
    move = moves[tried]
    used = context[TECHNIQUES]
    side = mover_of(context, position)
    if quiet != 0:
        if used & techniques.KILLERS != 0:
            killers = integers_at(context[KILLERS] + 16 * ply)
            if killers[0] != move:
                killers[1] = killers[0]
                killers[0] = move
        if used & techniques.COUNTERS != 0:
            previous = integers_at(context[PLAYED])[ply]
            if previous >= 0:
                integers_at(context[COUNTERS] + 8 * side * context[SLOTS])[previous] = move
    if used & techniques.HISTORY != 0:
        history = integers_at(context[HISTORY] + 8 * side * context[SLOTS])
        bonus = min(depth * depth, _BONUS_TOP)
        _judge(history, slot_of(context, position, move), bonus)
        for i in range(tried):
            _judge(history, slot_of(context, position, moves[i]), -bonus)


@helper("void(integers)")
def forget_moves(context: Integers) -> None:
    """Nothing is known of any move."""
    killers = integers_at(context[KILLERS])
    for i in range(2 * MAX_PLY):
        killers[i] = -1
    history, counters = integers_at(context[HISTORY]), integers_at(context[COUNTERS])
    for i in range(2 * context[SLOTS]):
        history[i] = 0
        counters[i] = -1
