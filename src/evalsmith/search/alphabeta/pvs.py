"""Alpha-beta for every game: principal variation search with a table, pruning, reductions and extensions.

Values are for the mover in the game's unit. The sign changes between parent and child only where the mover
does. A value that rests on finished games alone is stored as solved and ends the deepening: HORIZON counts
everything else a value can rest on. Chance is averaged over all outcomes, and takes no depth.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, at, helper, int64, integers_at, reals_at, words_at
from evalsmith.games.contract import (
    CHANCE,
    FRESH,
    MAX_MOVES,
    MAX_OUTCOMES,
    OVER,
    SLOTS,
    WIN_VALUE,
    WORDS,
    capture_value_of,
    chance_of,
    check_of,
    key_of,
    mover_of,
    moves_of,
    null_move_into,
    play_into,
    repeated_in,
    reveal_into,
    slot_of,
    status_of,
)
from evalsmith.games.scores import INFINITE
from evalsmith.search.alphabeta import sharing, table, techniques
from evalsmith.search.alphabeta.ordering import next_move, reward, score_moves
from evalsmith.search.alphabeta.quiescence import must_stop, quiesce
from evalsmith.search.alphabeta.slots import (
    ABORTED,
    BUSY,
    CHECK_FLAGS,
    CHECKS,
    DEFERRED,
    HISTORY,
    HISTORY_LENGTH,
    HORIZON,
    KEYS,
    MOVE_ROWS,
    PLAYED,
    PROBABILITIES,
    PV,
    PV_LENGTH,
    REDUCED_DEPTHS,
    REDUCED_MOVES,
    REDUCTIONS,
    REPEATS,
    ROOT_DEPTH,
    SELDEPTH,
    SOLVED,
    TECHNIQUES,
)
from evalsmith.search.values import MAX_PLY, decided_above, finished, from_root, repetition_value, static

# A recursive call must not get a literal: numba would then look for a version of the function that is not in its cache.
_OPEN = INFINITE
_NULL = -2  # in PLAYED: a null move came before
_IID_DEPTH = 4
_NULL_DEPTH, _NULL_PLIES = 2, 3
_FUTILITY_DEPTH, _FUTILITY_MARGIN = 6, 100  # a whole unit a ply
_LATE_DEPTH, _LATE_MOVE = 3, 3
_HISTORY_STEP = 4096  # so much history is worth a ply of reduction


@helper("void(integers, int64, int64)")
def extend_line(context: Integers, ply: int, move: int) -> None:
    """The best line from here is this move and the best line after it."""
    lengths = integers_at(context[PV_LENGTH])
    line = integers_at(context[PV] + 8 * MAX_PLY * ply)
    child = integers_at(context[PV] + 8 * MAX_PLY * (ply + 1))
    length = min(lengths[ply + 1], MAX_PLY - 1)
    line[0] = move
    for i in range(length):
        line[i + 1] = child[i]
    lengths[ply] = length + 1


@helper("int64(integers, words, int64, int64, int64)")
def _reduction(context: Integers, position: Words, depth: int, tried: int, move: int) -> int:
    """How many plies less a late quiet move is worth; one that was good elsewhere is reduced less."""
    row = min(depth, REDUCED_DEPTHS - 1) * REDUCED_MOVES
    plies = integers_at(context[REDUCTIONS])[row + min(tried, REDUCED_MOVES - 1)]
    history = integers_at(context[HISTORY] + 8 * mover_of(context, position) * context[SLOTS])
    plies -= history[slot_of(context, position, move)] // _HISTORY_STEP
    return min(max(plies, 0), depth - 2)


@helper("int64(integers, words, int64, int64, int64, int64)", floats=True)
def search(context: Integers, position: Words, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a position for its mover, within or beyond the window (fail-soft)."""
    lengths = integers_at(context[PV_LENGTH])
    lengths[ply] = 0
    if ply > context[SELDEPTH]:
        context[SELDEPTH] = ply
    state = status_of(context, position)
    if state == OVER:
        return finished(context, position, ply)
    child = at(position, context[WORDS])
    side = mover_of(context, position)
    previous = integers_at(context[PLAYED])
    if state == CHANCE:
        # Every outcome with an open window: an average has no cut-offs.
        chances = reals_at(context[PROBABILITIES] + 8 * ply * context[MAX_OUTCOMES])
        outcomes = chance_of(context, position, chances)
        if ply >= MAX_PLY - 2:
            context[HORIZON] += 1
            return static(context, position)
        average = 0.0
        for outcome in range(outcomes):
            reveal_into(context, position, outcome, child)
            if must_stop(context) != 0:
                return 0
            previous[ply + 1] = -1
            value = search(context, child, ply + 1, depth, -_OPEN, int64(_OPEN))
            if mover_of(context, child) != side:
                value = -value
            if context[ABORTED] != 0:
                return 0
            average += chances[outcome] * float(value)
        lengths[ply] = 0
        return int64(np.floor(average + 0.5))
    used, win = context[TECHNIQUES], context[WIN_VALUE]
    if used & techniques.MATES != 0:
        alpha, beta = max(alpha, ply - win), min(beta, win - ply)
        if alpha >= beta:
            return alpha
    key = key_of(context, position)
    checked = 0
    if context[CHECKS] != 0:
        checked = check_of(context, position)
    if context[REPEATS] != 0:
        if ply > 0:
            count = context[HISTORY_LENGTH] + ply
            repeated = repeated_in(context, position, words_at(context[KEYS]), integers_at(context[CHECK_FLAGS]), count)
            if repeated != FRESH:
                context[HORIZON] += 1
                return repetition_value(context, repeated, ply)
        keys, flags = words_at(context[KEYS]), integers_at(context[CHECK_FLAGS])
        keys[context[HISTORY_LENGTH] + ply] = key
        flags[context[HISTORY_LENGTH] + ply] = checked
    extendable = ply < 2 * context[ROOT_DEPTH]  # extensions must end somewhere, and one a position is enough
    if checked != 0 and extendable and used & techniques.CHECKS != 0:
        depth += 1
        extendable = False
    if ply >= MAX_PLY - 2:
        context[HORIZON] += 1
        return static(context, position)
    if depth <= 0:
        if used & techniques.QUIESCENCE != 0:
            return quiesce(context, position, ply, alpha, beta)
        context[HORIZON] += 1
        return static(context, position)
    stored = -1
    data = table.probe(context, key)
    if data != np.uint64(0):
        if used & techniques.TABLE_MOVE != 0:
            stored = table.move_in(data)
        known = table.depth_in(data)
        if known >= depth and used & techniques.CUTOFFS != 0:
            value = from_root(context, table.value_in(data), ply)
            bound = table.bound_in(data)
            if (
                (bound == table.EXACT)
                or (bound == table.LOWER and value >= beta)
                or (bound == table.UPPER and value <= alpha)
            ):
                if known < SOLVED:
                    context[HORIZON] += 1
                return value
    narrow = beta - alpha == 1
    won = decided_above(context)
    guess = -INFINITE
    if checked == 0 and narrow and used & (techniques.NULL | techniques.FUTILITY) != 0 and abs(beta) < won:
        guess = static(context, position)
        if used & techniques.FUTILITY != 0 and depth <= _FUTILITY_DEPTH and guess - _FUTILITY_MARGIN * depth >= beta:
            context[HORIZON] += 1
            return guess
        if (
            used & techniques.NULL != 0
            and depth >= _NULL_DEPTH
            and guess >= beta
            and previous[ply] != _NULL
            and null_move_into(context, position, child) != 0
        ):
            if must_stop(context) != 0:
                return 0
            previous[ply + 1] = _NULL
            less = _NULL_PLIES + depth // 4 + min((guess - beta) // 200, 3)
            value = -search(context, child, ply + 1, depth - 1 - less, -beta, 1 - beta)
            if context[ABORTED] != 0:
                return 0
            if value >= beta:
                context[HORIZON] += 1
                return beta if value >= won else value
    if stored < 0 and not narrow and depth >= _IID_DEPTH and used & techniques.IID != 0:
        search(context, position, ply, depth - 2, alpha, beta)
        if context[ABORTED] != 0:
            return 0
        lengths[ply] = 0
        data = table.probe(context, key)
        if data != np.uint64(0):
            stored = table.move_in(data)
    moves = integers_at(context[MOVE_ROWS] + 8 * ply * context[MAX_MOVES])
    count = moves_of(context, position, moves)
    score_moves(context, position, ply, count, stored)
    if count == 1 and extendable and used & techniques.SINGLES != 0:
        depth += 1
    horizon = context[HORIZON]
    best, best_move, lower = -INFINITE, -1, alpha
    shared = context[BUSY] != 0 and depth >= sharing.LEAST_DEPTH and used & techniques.PVS != 0
    deferred = integers_at(context[DEFERRED] + 8 * ply * context[MAX_MOVES]) if shared else moves
    left, turn = 0, 0
    while turn < count + left:
        i = turn if turn < count else deferred[turn - count]
        move = next_move(context, ply, i, count) if turn < count else moves[i]
        turn += 1
        less = 0
        if i > 0 and checked == 0 and best > -won and used & (techniques.LMR | techniques.FUTILITY) != 0:
            late = i >= _LATE_MOVE and depth >= _LATE_DEPTH and used & techniques.LMR != 0
            futile = guess > -INFINITE and depth <= _FUTILITY_DEPTH and used & techniques.FUTILITY != 0
            if (late or futile) and capture_value_of(context, position, move) == 0:
                if late:
                    less = _reduction(context, position, depth, i, move)
                    if not narrow and less > 0:
                        less -= 1
                if futile:
                    most = guess + _FUTILITY_MARGIN * max(1, depth - less)
                    if most <= lower:
                        context[HORIZON] += 1
                        best = max(best, most)
                        continue
        mark = sharing.NO_TASK
        if shared and i > 0:
            mark = sharing.task(key, move, depth - less)
            if turn <= count and sharing.is_taken(context, mark) != 0:
                deferred[left] = i
                left += 1
                continue
            sharing.take(context, mark)
        play_into(context, position, move, child)
        if must_stop(context) != 0:
            return 0
        previous[ply + 1] = slot_of(context, position, move)
        sign = 1 if mover_of(context, child) == side else -1
        value = INFINITE
        if i > 0 and used & techniques.PVS != 0:  # prove with an empty window that the move is no better
            if less > 0 and context[CHECKS] != 0 and check_of(context, child) != 0:
                less = 0
            low = lower if sign > 0 else -lower - 1
            value = sign * search(context, child, ply + 1, depth - 1 - less, low, low + 1)
            if context[ABORTED] != 0:
                return 0
            if less > 0 and value > lower:
                value = sign * search(context, child, ply + 1, depth - 1, low, low + 1)
                if context[ABORTED] != 0:
                    return 0
        if value == INFINITE or (value > lower and value < beta):
            low, high = (lower, beta) if sign > 0 else (-beta, -lower)
            value = sign * search(context, child, ply + 1, depth - 1, low, high)
            if context[ABORTED] != 0:
                return 0
        if mark != sharing.NO_TASK:
            sharing.release(context, mark)
        if value > best:
            best, best_move = value, move
            if value > lower:
                lower = value
                extend_line(context, ply, move)
                if value >= beta:
                    quiet = 1 if capture_value_of(context, position, move) == 0 else 0
                    reward(context, position, ply, i, depth, quiet)
                    break
    bound = table.LOWER if best >= beta else table.EXACT if best > alpha else table.UPPER
    reached = SOLVED if context[HORIZON] == horizon else min(depth, SOLVED - 1)
    kept = from_root(context, best, -ply)
    table.store(context, key, best_move if bound != table.UPPER else -1, kept, reached, bound)
    return best
