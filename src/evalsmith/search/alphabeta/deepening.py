"""The root of alpha-beta: iterative deepening, aspiration windows, several lines, what is told while it runs."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, at, clock, driver, helper, int64, integers_at, pointer, words_at
from evalsmith.games.contract import (
    OVER,
    WIN_VALUE,
    WORDS,
    check_of,
    key_of,
    mover_of,
    moves_of,
    play_into,
    slot_of,
    status_of,
)
from evalsmith.games.scores import INFINITE
from evalsmith.search.alphabeta import sharing, table, techniques
from evalsmith.search.alphabeta.ordering import forget_moves, next_move, score_moves
from evalsmith.search.alphabeta.pvs import extend_line, search
from evalsmith.search.alphabeta.quiescence import must_stop
from evalsmith.search.alphabeta.slots import (
    ABORTED,
    BUSY,
    CHECK_FLAGS,
    CURRENT_MOVE,
    CURRENT_NUMBER,
    DEFERRED,
    DEPTH_DONE,
    DEPTH_LIMIT,
    GENERATION,
    HISTORY_LENGTH,
    HORIZON,
    KEYS,
    LINE_HEAD,
    LINES,
    MOVE_ROWS,
    MULTIPV,
    NODES,
    ONLY,
    ONLY_COUNT,
    PLAYED,
    POSITIONS,
    PV,
    PV_LENGTH,
    REPEATS,
    ROOT_DEPTH,
    ROOT_MOVES,
    SELDEPTH,
    SOFT_DEADLINE,
    TECHNIQUES,
)
from evalsmith.search.values import MAX_PLY, decided_above

_LINE = LINE_HEAD + MAX_PLY
_ASPIRATION_DEPTH = 4  # values of less depth say too little about the next
_ASPIRATION_MARGIN = 20  # a fifth of a whole unit, and by how much the last two depths differed
_WIDEST = 2000  # a window that would be wider is open


@helper("void(integers, int64, int64)")
def _copy_line(context: Integers, source: int, target: int) -> None:
    """One line over another."""
    old = integers_at(context[LINES] + 8 * _LINE * source)
    new = integers_at(context[LINES] + 8 * _LINE * target)
    for i in range(LINE_HEAD + old[2]):
        new[i] = old[i]


@helper("int64(integers, int64, int64, int64, int64, int64)")
def _search_root(context: Integers, depth: int, first: int, count: int, alpha: int, beta: int) -> int:
    """The best value of the root moves from ``first`` on; its move is brought to ``first`` as soon as it is known.

    The lines stay with their moves, so that a search that is stopped here leaves lines of different moves. The table
    never cuts off here, so a move is always known. Where all moves are below the window, the old line stays.
    """
    root = words_at(context[POSITIONS])
    child = at(root, context[WORDS])
    moves = integers_at(context[ROOT_MOVES])
    lengths = integers_at(context[PV_LENGTH])
    previous = integers_at(context[PLAYED])
    line = integers_at(context[LINES] + 8 * _LINE * first)
    side = mover_of(context, root)
    if context[REPEATS] != 0:
        keys, flags = words_at(context[KEYS]), integers_at(context[CHECK_FLAGS])
        keys[context[HISTORY_LENGTH]] = key_of(context, root)
        flags[context[HISTORY_LENGTH]] = check_of(context, root)
    best, lower = -INFINITE, alpha
    shared = context[BUSY] != 0 and depth >= sharing.LEAST_DEPTH and context[TECHNIQUES] & techniques.PVS != 0
    deferred, left, turn = integers_at(context[DEFERRED]) if shared else moves, 0, first
    key = key_of(context, root)
    while turn < count + left:
        i = turn
        if turn >= count:  # found again by its move: the best ones have changed places
            i = first
            while moves[i] != deferred[turn - count]:
                i += 1
        move = moves[i]
        turn += 1
        mark = sharing.NO_TASK
        if shared and i > first:
            mark = sharing.task(key, move, depth)
            if turn <= count and sharing.is_taken(context, mark) != 0:
                deferred[left] = move
                left += 1
                continue
            sharing.take(context, mark)
        context[CURRENT_MOVE], context[CURRENT_NUMBER] = move, i + 1
        play_into(context, root, move, child)
        if must_stop(context) != 0:
            return best
        previous[1] = slot_of(context, root, move)
        sign = 1 if mover_of(context, child) == side else -1
        value = INFINITE
        if i > first and context[TECHNIQUES] & techniques.PVS != 0:
            low = lower if sign > 0 else -lower - 1
            value = sign * search(context, child, int64(1), depth - 1, low, low + 1)
            if context[ABORTED] != 0:
                return best
        if value == INFINITE or (value > lower and value < beta):
            low, high = (lower, beta) if sign > 0 else (-beta, -lower)
            value = sign * search(context, child, int64(1), depth - 1, low, high)
            if context[ABORTED] != 0:
                return best
        if mark != sharing.NO_TASK:
            sharing.release(context, mark)
        best = max(best, value)
        if value > lower:
            lower = value
            extend_line(context, 0, move)
            for j in range(i, first, -1):
                moves[j] = moves[j - 1]
                if j < context[MULTIPV]:
                    _copy_line(context, j - 1, j)
            moves[first] = move
            found = integers_at(context[PV])
            line[0], line[1], line[2] = value, depth, lengths[0]
            for j in range(lengths[0]):
                line[LINE_HEAD + j] = found[j]
            if value >= beta:
                return best
    return best


@helper("void(integers, int64, int64, int64, int64)")
def _search_line(context: Integers, depth: int, first: int, count: int, swing: int) -> None:
    """Find line number ``first``: in a window around its last value, which grows until it holds the new one."""
    expected = integers_at(context[LINES] + 8 * _LINE * first)[0]
    low, high = -INFINITE, INFINITE
    margin = _ASPIRATION_MARGIN + swing
    if (
        context[TECHNIQUES] & techniques.ASPIRATION != 0
        and depth >= _ASPIRATION_DEPTH
        and margin < _WIDEST
        and abs(expected) < decided_above(context)
    ):
        low, high = expected - margin, expected + margin
    while True:
        value = _search_root(context, depth, first, count, low, high)
        if context[ABORTED] != 0 or low < value < high:
            return
        margin *= 2
        if value <= low:
            if low == -INFINITE:
                return
            low = value - margin if margin < _WIDEST else -INFINITE
        else:
            if high == INFINITE:
                return
            high = value + margin if margin < _WIDEST else INFINITE


@helper("void(integers, int64)")
def _sort_lines(context: Integers, count: int) -> None:
    """The best line first: one that was found later may turn out better than those before it."""
    moves = integers_at(context[ROOT_MOVES])
    spare = count  # behind the wanted lines there is room for one more
    for k in range(1, count):
        score, move, place = integers_at(context[LINES] + 8 * _LINE * k)[0], moves[k], k
        _copy_line(context, k, spare)
        while place > 0 and integers_at(context[LINES] + 8 * _LINE * (place - 1))[0] < score:
            _copy_line(context, place - 1, place)
            moves[place] = moves[place - 1]
            place -= 1
        if place < k:
            _copy_line(context, spare, place)
            moves[place] = move


@helper("int64(integers, int64)")
def _allow(context: Integers, count: int) -> int:
    """Leave the root moves that may be chosen; how many they are."""
    moves, only, left = integers_at(context[ROOT_MOVES]), integers_at(context[ONLY]), 0
    if context[ONLY_COUNT] == 0:
        return count
    for i in range(count):
        for j in range(context[ONLY_COUNT]):
            if moves[i] == only[j]:
                moves[left] = moves[i]
                left += 1
                break
    return left


@helper("int64(integers)")
def _begin(context: Integers) -> int:
    """Order the root moves and give each wanted line one, so that a move is always known; how many there are."""
    root = words_at(context[POSITIONS])
    moves = integers_at(context[ROOT_MOVES])
    context[NODES], context[ABORTED], context[DEPTH_DONE], context[SELDEPTH] = 0, 0, 0, 0
    context[CURRENT_MOVE], context[CURRENT_NUMBER], context[ROOT_DEPTH] = -1, 0, 1
    context[GENERATION] = (context[GENERATION] + 1) & 63
    if status_of(context, root) == OVER:
        return 0
    count = _allow(context, moves_of(context, root, moves))
    first_rows = integers_at(context[MOVE_ROWS])
    for i in range(count):
        first_rows[i] = moves[i]
    integers_at(context[PLAYED])[0] = -1
    data = table.probe(context, key_of(context, root))
    stored = table.move_in(data) if data != np.uint64(0) else -1
    score_moves(context, root, 0, count, stored)
    for i in range(count):
        moves[i] = next_move(context, 0, i, count)
    lines = integers_at(context[LINES])
    for k in range(min(context[MULTIPV], count)):
        head = k * _LINE
        lines[head], lines[head + 1], lines[head + 2], lines[head + LINE_HEAD] = 0, 0, 1, moves[k]
    return count


@helper("int64(integers)")
def deepen(context: Integers) -> int:
    """Search the position in row 0 deeper and deeper until a limit; the best move, or -1 when the game is over.

    What was found stands in LINES, one line a wanted move, best first.
    """
    count = _begin(context)
    if count == 0:
        return -1
    moves, lines = integers_at(context[ROOT_MOVES]), integers_at(context[LINES])
    swing = 0
    for depth in range(1, context[DEPTH_LIMIT] + 1):
        horizon, before = context[HORIZON], lines[0]
        context[ROOT_DEPTH] = depth
        for k in range(min(context[MULTIPV], count)):
            _search_line(context, depth, k, count, swing)
            if context[ABORTED] != 0:
                return moves[0]
        _sort_lines(context, min(context[MULTIPV], count))
        context[DEPTH_DONE] = depth
        value, win = lines[0], context[WIN_VALUE]
        swing = abs(value - before)
        if context[HORIZON] == horizon or (win > 0 and (value >= win - depth or value <= depth - win)):
            break
        if context[SOFT_DEADLINE] != 0 and (count == 1 or clock() >= context[SOFT_DEADLINE]):
            break
    return moves[0]


@helper("void(integers)")
def forget(context: Integers) -> None:
    """Begin a new game: nothing is known from the old one."""
    table.clear(context)
    forget_moves(context)
    context[GENERATION] = 0


@driver("int64(int64[::1])")
def think(context: Integers) -> int:
    """``deepen`` from Python."""
    return deepen(pointer(context))


@driver("void(int64[::1])")
def new_game(context: Integers) -> None:
    """``forget`` from Python."""
    forget(pointer(context))
