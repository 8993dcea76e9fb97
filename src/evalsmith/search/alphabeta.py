"""Alpha-beta for every game: iterative deepening, principal variation search, table, killers, history.

Values are for the mover in the game's unit. The sign changes between parent and child only where the mover
does. A value that rests on finished games alone is stored as solved and ends the deepening. Chance is
averaged over all outcomes, and takes no depth.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import (
    Integers,
    Words,
    at,
    clock,
    driver,
    helper,
    int64,
    integers_at,
    pointer,
    reals_at,
    volatile,
    words_at,
)
from evalsmith.games.contract import (
    CHANCE,
    DRAW,
    FRESH,
    HAS_CHANCE,
    MAX_MOVES,
    OVER,
    SLOTS,
    WIN,
    WIN_VALUE,
    WORDS,
    chance_of,
    check_of,
    evaluate_of,
    key_of,
    mover_of,
    moves_of,
    noisy_of,
    order_of,
    play_into,
    repeated_in,
    result_of,
    reveal_into,
    slot_of,
    status_of,
)
from evalsmith.search import table
from evalsmith.search.slots import (
    ABORTED,
    CHECK_FLAGS,
    CHECKS,
    DEADLINE,
    DEPTH_DONE,
    DEPTH_LIMIT,
    GENERATION,
    HISTORY,
    HISTORY_LENGTH,
    HORIZON,
    INFINITE,
    KEYS,
    KILLERS,
    LINE_HEAD,
    LINES,
    MAX_PLY,
    MOVE_ROWS,
    MULTIPV,
    NODE_LIMIT,
    NODES,
    POSITIONS,
    PROBABILITIES,
    PV,
    PV_LENGTH,
    QUIESCENT,
    REPEATS,
    ROOT_MOVES,
    SCORE_ROWS,
    SELDEPTH,
    SOFT_DEADLINE,
    SOLVED,
    STOP,
)

_POLL = 1023  # the clock and the stop flag are looked at once in so many nodes
# Ordering: the game's own order decides, then killers, then history, each below one step of the former.
_ORDER_STEP, _KILLER, _HISTORY_TOP = 1 << 16, 1 << 15, (1 << 15) - 1
_TABLE_MOVE = 1 << 60
# A recursive call must not get a literal: numba would then look for a version of the function that is not in its cache.
_OPEN = INFINITE


@helper("int64(integers, words, int64)")
def _finished(context: Integers, position: Words, ply: int) -> int:
    """The value of a finished game: sooner is better for the winner, later for the loser."""
    value = result_of(context, position)
    if context[WIN_VALUE] > 0:
        if value > 0:
            return value - ply
        if value < 0:
            return value + ply
    return value


@helper("int64(integers, int64, int64)")
def _moved_on(context: Integers, value: int, plies: int) -> int:
    """The same value seen from ``plies`` earlier: what is won or lost is that much further away.

    The table counts from the position, the search from the root.
    """
    win = context[WIN_VALUE]
    decided = win - min(2 * MAX_PLY, win // 2)
    if win > 0:
        if value > decided:
            return value - plies
        if value < -decided:
            return value + plies
    return value


@helper("int64(integers, words)")
def _static(context: Integers, position: Words) -> int:
    """The evaluation, kept below every value that a finished game can have."""
    win = context[WIN_VALUE]
    most = win - 2 * MAX_PLY - 1 if win > 4 * MAX_PLY else INFINITE - 1
    return min(max(evaluate_of(context, position), -most), most)


@helper("int64(integers)")
def _must_stop(context: Integers) -> int:
    """Count a node; 1 when a limit has struck."""
    nodes = context[NODES] + 1
    context[NODES] = nodes
    if nodes >= context[NODE_LIMIT] or (
        nodes & _POLL == 0
        and (volatile(context, STOP) != 0 or (context[DEADLINE] != 0 and clock() >= context[DEADLINE]))
    ):
        context[ABORTED] = 1
    return context[ABORTED]


@helper("void(integers, words, int64, int64, int64)")
def _score_moves(context: Integers, position: Words, ply: int, count: int, stored: int) -> None:
    """How early each move of this ply is to be tried."""
    moves = integers_at(context[MOVE_ROWS] + 8 * ply * context[MAX_MOVES])
    scores = integers_at(context[SCORE_ROWS] + 8 * ply * context[MAX_MOVES])
    killers = integers_at(context[KILLERS] + 16 * ply)
    history = integers_at(context[HISTORY] + 8 * mover_of(context, position) * context[SLOTS])
    for i in range(count):
        move = moves[i]
        if move == stored:
            scores[i] = _TABLE_MOVE
            continue
        score = order_of(context, position, move) * _ORDER_STEP + history[slot_of(context, position, move)]
        if move == killers[0] or move == killers[1]:
            score += _KILLER
        scores[i] = score


@helper("int64(integers, int64, int64, int64)")
def _next_move(context: Integers, ply: int, first: int, count: int) -> int:
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


@helper("void(integers, words, int64, int64, int64)")
def _reward(context: Integers, position: Words, ply: int, move: int, depth: int) -> None:
    """Remember a move that refuted the position."""
    killers = integers_at(context[KILLERS] + 16 * ply)
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    side = mover_of(context, position)
    history = integers_at(context[HISTORY] + 8 * side * context[SLOTS])
    slot = slot_of(context, position, move)
    history[slot] += depth * depth
    if history[slot] > _HISTORY_TOP:
        for i in range(context[SLOTS]):
            history[i] //= 2


@helper("void(integers, int64, int64)")
def _extend_line(context: Integers, ply: int, move: int) -> None:
    """The best line from here is this move and the best line below it."""
    lengths = integers_at(context[PV_LENGTH])
    line = integers_at(context[PV] + 8 * MAX_PLY * ply)
    below = integers_at(context[PV] + 8 * MAX_PLY * (ply + 1))
    length = min(lengths[ply + 1], MAX_PLY - 1)
    line[0] = move
    for i in range(length):
        line[i + 1] = below[i]
    lengths[ply] = length + 1


@helper("int64(integers, words, int64, int64, int64)")
def _quiesce(context: Integers, position: Words, ply: int, alpha: int, beta: int) -> int:
    """Play out the noisy moves until the position is quiet enough to be evaluated."""
    if ply > context[SELDEPTH]:
        context[SELDEPTH] = ply
    if status_of(context, position) == OVER:
        return _finished(context, position, ply)
    context[HORIZON] += 1
    best = -INFINITE
    if check_of(context, position) == 0 or ply >= MAX_PLY - 2:
        best = _static(context, position)
        if best >= beta or ply >= MAX_PLY - 2:
            return best
        alpha = max(alpha, best)
    moves = integers_at(context[MOVE_ROWS] + 8 * ply * context[MAX_MOVES])
    count = noisy_of(context, position, moves)
    _score_moves(context, position, ply, count, -1)
    below = at(position, context[WORDS])
    side = mover_of(context, position)
    for i in range(count):
        play_into(context, position, _next_move(context, ply, i, count), below)
        if _must_stop(context) != 0:
            return 0
        if mover_of(context, below) == side:
            value = _quiesce(context, below, ply + 1, alpha, beta)
        else:
            value = -_quiesce(context, below, ply + 1, -beta, -alpha)
        if context[ABORTED] != 0:
            return 0
        if value > best:
            best = value
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    return best


@helper("int64(integers, words, int64)")
def _repetition(context: Integers, position: Words, ply: int) -> int:
    """What the rules say of a position that came before in the game or in the line."""
    count = context[HISTORY_LENGTH] + ply
    return repeated_in(context, position, words_at(context[KEYS]), integers_at(context[CHECK_FLAGS]), count)


@helper("int64(integers, words, int64, int64, int64, int64)", floats=True)
def search(context: Integers, position: Words, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a position for its mover, within or beyond the window (fail-soft)."""
    lengths = integers_at(context[PV_LENGTH])
    lengths[ply] = 0
    if ply > context[SELDEPTH]:
        context[SELDEPTH] = ply
    state = status_of(context, position)
    if state == OVER:
        return _finished(context, position, ply)
    below = at(position, context[WORDS])
    side = mover_of(context, position)
    if state == CHANCE:
        # Every outcome with an open window: an average has no cut-offs.
        chances = reals_at(context[PROBABILITIES] + 8 * ply * context[HAS_CHANCE])
        outcomes = chance_of(context, position, chances)
        if ply >= MAX_PLY - 2:
            context[HORIZON] += 1
            return _static(context, position)
        average = 0.0
        for outcome in range(outcomes):
            reveal_into(context, position, outcome, below)
            if _must_stop(context) != 0:
                return 0
            value = search(context, below, ply + 1, depth, -_OPEN, int64(_OPEN))
            if mover_of(context, below) != side:
                value = -value
            if context[ABORTED] != 0:
                return 0
            average += chances[outcome] * float(value)
        lengths[ply] = 0
        return int64(np.floor(average + 0.5))
    key = key_of(context, position)
    checked = 0
    if context[CHECKS] != 0:
        checked = check_of(context, position)
    if context[REPEATS] != 0:
        if ply > 0:
            repeated = _repetition(context, position, ply)
            if repeated != FRESH:
                context[HORIZON] += 1
                if repeated == DRAW:
                    return 0
                return context[WIN_VALUE] - ply if repeated == WIN else ply - context[WIN_VALUE]
        keys, flags = words_at(context[KEYS]), integers_at(context[CHECK_FLAGS])
        keys[context[HISTORY_LENGTH] + ply] = key
        flags[context[HISTORY_LENGTH] + ply] = checked
    if checked != 0:
        depth += 1
    if ply >= MAX_PLY - 2:
        context[HORIZON] += 1
        return _static(context, position)
    if depth <= 0:
        if context[QUIESCENT] != 0:
            return _quiesce(context, position, ply, alpha, beta)
        context[HORIZON] += 1
        return _static(context, position)
    stored = -1
    data = table.probe(context, key)
    if data != np.uint64(0):
        stored = table.move_in(data)
        known = table.depth_in(data)
        if known >= depth:
            value = _moved_on(context, table.value_in(data), ply)
            bound = table.bound_in(data)
            if (
                (bound == table.EXACT)
                or (bound == table.LOWER and value >= beta)
                or (bound == table.UPPER and value <= alpha)
            ):
                if known < SOLVED:
                    context[HORIZON] += 1
                return value
    moves = integers_at(context[MOVE_ROWS] + 8 * ply * context[MAX_MOVES])
    count = moves_of(context, position, moves)
    _score_moves(context, position, ply, count, stored)
    horizon = context[HORIZON]
    best, best_move, lower = -INFINITE, -1, alpha
    for i in range(count):
        move = _next_move(context, ply, i, count)
        play_into(context, position, move, below)
        if _must_stop(context) != 0:
            return 0
        sign = 1 if mover_of(context, below) == side else -1
        value = 0
        if i > 0:  # prove with an empty window that the move is no better
            low = lower if sign > 0 else -lower - 1
            value = sign * search(context, below, ply + 1, depth - 1, low, low + 1)
            if context[ABORTED] != 0:
                return 0
        if i == 0 or (value > lower and value < beta):
            low, high = (lower, beta) if sign > 0 else (-beta, -lower)
            value = sign * search(context, below, ply + 1, depth - 1, low, high)
            if context[ABORTED] != 0:
                return 0
        if value > best:
            best, best_move = value, move
            if value > lower:
                lower = value
                _extend_line(context, ply, move)
                if value >= beta:
                    _reward(context, position, ply, move, depth)
                    break
    bound = table.LOWER if best >= beta else table.EXACT if best > alpha else table.UPPER
    reached = SOLVED if context[HORIZON] == horizon else min(depth, SOLVED - 1)
    kept = _moved_on(context, best, -ply)
    table.store(context, key, best_move if bound != table.UPPER else -1, kept, reached, bound)
    return best


@helper("void(integers, int64, int64)")
def _copy_line(context: Integers, source: int, target: int) -> None:
    """One line over another."""
    old = integers_at(context[LINES] + 8 * (LINE_HEAD + MAX_PLY) * source)
    new = integers_at(context[LINES] + 8 * (LINE_HEAD + MAX_PLY) * target)
    for i in range(LINE_HEAD + old[2]):
        new[i] = old[i]


@helper("int64(integers, int64, int64, int64)")
def _search_root(context: Integers, depth: int, first: int, count: int) -> int:
    """Search the root moves from ``first`` on; the best so far is brought to ``first`` as soon as it is known.

    The lines stay with their moves, so that a search that is stopped here leaves lines of different moves. The table
    never cuts off here, so a move is always known. Returns how many moves were finished.
    """
    root = words_at(context[POSITIONS])
    below = at(root, context[WORDS])
    moves = integers_at(context[ROOT_MOVES])
    lengths = integers_at(context[PV_LENGTH])
    line = integers_at(context[LINES] + 8 * (LINE_HEAD + MAX_PLY) * first)
    side = mover_of(context, root)
    if context[REPEATS] != 0:
        keys, flags = words_at(context[KEYS]), integers_at(context[CHECK_FLAGS])
        keys[context[HISTORY_LENGTH]] = key_of(context, root)
        flags[context[HISTORY_LENGTH]] = check_of(context, root)
    lower = -INFINITE
    for i in range(first, count):
        move = moves[i]
        play_into(context, root, move, below)
        if _must_stop(context) != 0:
            return i - first
        sign = 1 if mover_of(context, below) == side else -1
        value = 0
        if i > first:
            low = lower if sign > 0 else -lower - 1
            value = sign * search(context, below, 1, depth - 1, low, low + 1)
            if context[ABORTED] != 0:
                return i - first
        if i == first or value > lower:
            low, high = (lower, INFINITE) if sign > 0 else (-INFINITE, -lower)
            value = sign * search(context, below, 1, depth - 1, low, high)
            if context[ABORTED] != 0:
                return i - first
        if i == first or value > lower:
            lower = value
            _extend_line(context, 0, move)
            for j in range(i, first, -1):
                moves[j] = moves[j - 1]
                if j < context[MULTIPV]:
                    _copy_line(context, j - 1, j)
            moves[first] = move
            best = integers_at(context[PV])
            line[0], line[1], line[2] = value, depth, lengths[0]
            for j in range(lengths[0]):
                line[LINE_HEAD + j] = best[j]
    return count - first


@helper("int64(integers)")
def deepen(context: Integers) -> int:
    """Search the position in row 0 deeper and deeper until a limit; the best move, or -1 when the game is over.

    What was found stands in LINES, one line a wanted move, best first.
    """
    root = words_at(context[POSITIONS])
    moves = integers_at(context[ROOT_MOVES])
    context[NODES], context[ABORTED], context[DEPTH_DONE], context[SELDEPTH] = 0, 0, 0, 0
    context[GENERATION] = (context[GENERATION] + 1) & 63
    count = 0
    if status_of(context, root) != OVER:
        count = moves_of(context, root, moves)
    if count == 0:
        return -1
    first_rows = integers_at(context[MOVE_ROWS])
    for i in range(count):
        first_rows[i] = moves[i]
    data = table.probe(context, key_of(context, root))
    stored = table.move_in(data) if data != np.uint64(0) else -1
    _score_moves(context, root, 0, count, stored)
    for i in range(count):
        moves[i] = _next_move(context, 0, i, count)
    lines = integers_at(context[LINES])
    for k in range(min(context[MULTIPV], count)):  # a move is known even when the first limit strikes at once
        head = k * (LINE_HEAD + MAX_PLY)
        lines[head], lines[head + 1], lines[head + 2], lines[head + LINE_HEAD] = 0, 0, 1, moves[k]
    for depth in range(1, context[DEPTH_LIMIT] + 1):
        horizon = context[HORIZON]
        for k in range(min(context[MULTIPV], count)):
            _search_root(context, depth, k, count)
            if context[ABORTED] != 0:
                return moves[0]
        context[DEPTH_DONE] = depth
        value, win = lines[0], context[WIN_VALUE]
        if context[HORIZON] == horizon or (win > 0 and (value >= win - depth or value <= depth - win)):
            break
        if context[SOFT_DEADLINE] != 0 and (count == 1 or clock() >= context[SOFT_DEADLINE]):
            break
    return moves[0]


@helper("void(integers)")
def forget(context: Integers) -> None:
    """Begin a new game: nothing is known from the old one."""
    table.clear(context)
    killers, history = integers_at(context[KILLERS]), integers_at(context[HISTORY])
    for i in range(2 * MAX_PLY):
        killers[i] = -1
    for i in range(2 * context[SLOTS]):
        history[i] = 0
    context[GENERATION] = 0


@driver("int64(int64[::1])")
def think(context: Integers) -> int:
    """``deepen`` from Python."""
    return deepen(pointer(context))


@driver("void(int64[::1])")
def new_game(context: Integers) -> None:
    """``forget`` from Python."""
    forget(pointer(context))
