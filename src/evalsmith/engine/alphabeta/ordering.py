"""Which move is tried first: the stored one, the game's own order, killers, counter moves, history.

The game's own order decides; killers, the counter move and history tell moves of one order apart.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Words, helper
from evalsmith.engine.alphabeta import slots, techniques
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract

# Each of these is above the sum of those below it; history stays within ±HISTORY_LIMIT, which is below them all.
_TABLE_MOVE, _ORDER_STEP, _KILLER, _COUNTER = 1 << 60, 1 << 8, 1 << 15, 1 << 14


@helper("int64(integers, words, int64)")
def history_of(context: Integers, position: Words, move: int) -> int:
    """How well a move did before."""
    side = contract.mover_of(context, position)
    return slots.history(context, side)[contract.slot_of(context, position, move)]


@helper("void(integers, words, int64, int64, int64)")
def score_moves(context: Integers, position: Words, ply: int, count: int, table_move: int) -> None:
    """How early each move of this ply is to be tried."""
    moves = slots.moves(context, ply)
    scores = slots.scores(context, ply)
    killers = slots.killers(context, ply)
    used = context[slots.TECHNIQUES]
    side = contract.mover_of(context, position)
    history = slots.history(context, side)
    counter = -1
    if used & techniques.COUNTERS != 0:
        previous = slots.previous(context)[ply]
        if previous >= 0:
            counter = slots.counters(context, side)[previous]
    for i in range(count):
        move = moves[i]
        if move == table_move:
            scores[i] = _TABLE_MOVE
            continue
        score = 0
        if used & techniques.ORDER != 0:
            score = contract.order_of(context, position, move) * _ORDER_STEP
        if used & techniques.HISTORY != 0:
            score += history[contract.slot_of(context, position, move)]
        if move == killers[0] or move == killers[1]:
            score += _KILLER
        if move == counter:
            score += _COUNTER
        scores[i] = score


@helper("int64(integers, int64, int64, int64)")
def next_move(context: Integers, ply: int, first: int, count: int) -> int:
    """Bring the best of the moves from ``first`` on to the front, and give it."""
    moves = slots.moves(context, ply)
    scores = slots.scores(context, ply)
    best = first
    for i in range(first + 1, count):
        if scores[i] > scores[best]:
            best = i
    move, score = moves[best], scores[best]
    moves[best], scores[best] = moves[first], scores[first]
    moves[first], scores[first] = move, score
    return move


@helper("void(integers, int64, int64, int64)", inline=True)
def _judge(history: Integers, slot: int, bonus: int, top: int) -> None:
    """Move a number of the history towards ±top; the nearer it is, the less."""
    history[slot] += bonus - history[slot] * abs(bonus) // top


@helper("void(integers, words, int64, int64, int64)")
def reward(context: Integers, position: Words, ply: int, tried: int, depth: int) -> None:
    """Remember that move number ``tried`` of this ply refuted the position, and that those before it did not."""
    moves = slots.moves(context, ply)
    move = moves[tried]
    used = context[slots.TECHNIQUES]
    side = contract.mover_of(context, position)
    quiet = contract.capture_value_of(context, position, move) == 0
    if quiet:
        if used & techniques.KILLERS != 0:
            killers = slots.killers(context, ply)
            if killers[0] != move:
                killers[1] = killers[0]
                killers[0] = move
        if used & techniques.COUNTERS != 0:
            previous = slots.previous(context)[ply]
            if previous >= 0:
                slots.counters(context, side)[previous] = move
    if used & techniques.HISTORY != 0:
        history = slots.history(context, side)
        bonus = min(context[slots.HISTORY_STEP] * depth * depth, context[slots.HISTORY_BONUS])
        top = context[slots.HISTORY_MAX]
        if quiet:
            _judge(history, contract.slot_of(context, position, move), bonus, top)
        for i in range(tried):
            if contract.capture_value_of(context, position, moves[i]) == 0:
                _judge(history, contract.slot_of(context, position, moves[i]), -bonus, top)


@helper("void(integers)")
def forget_moves(context: Integers) -> None:
    """Nothing is known of any move."""
    killers = slots.killers(context)
    for i in range(2 * MAX_PLY):
        killers[i] = -1
    history, counters = slots.history(context), slots.counters(context)
    for i in range(2 * context[contract.SLOTS]):
        history[i] = 0
        counters[i] = -1
