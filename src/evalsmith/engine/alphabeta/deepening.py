"""The root of alpha-beta: iterative deepening, aspiration windows, several lines, what is reported while it runs."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, clock, driver, helper, pointer
from evalsmith.engine import values
from evalsmith.engine.alphabeta import evaluation, finishing, ordering, pvs, sharing, slots, table, techniques
from evalsmith.games import contract
from evalsmith.games.scores import INFINITE


@helper("void(integers, int64, int64)")
def _copy_line(context: Integers, source: int, target: int) -> None:
    """One line over another."""
    old, new = slots.lines(context, source), slots.lines(context, target)
    for i in range(slots.LINE_MOVES + old[slots.LINE_LENGTH]):
        new[i] = old[i]


@helper("void(integers, int64, int64)")
def _promote(context: Integers, place: int, first: int) -> None:
    """Bring the root move at ``place`` to ``first``; those between move back, each with its line."""
    moves = slots.root_moves(context)
    move = moves[place]
    for i in range(place, first, -1):
        moves[i] = moves[i - 1]
        if i < context[slots.MULTIPV]:
            _copy_line(context, i - 1, i)
    moves[first] = move


@helper("void(integers, int64, int64, int64)")
def _publish(context: Integers, number: int, value: int, depth: int) -> None:
    """The best line of the root becomes line ``number``."""
    line, found, length = slots.lines(context, number), slots.best_line(context), slots.line_lengths(context)[0]
    line[slots.LINE_SCORE], line[slots.LINE_DEPTH], line[slots.LINE_LENGTH] = value, depth, length
    for i in range(length):
        line[slots.LINE_MOVES + i] = found[i]


@helper("int64(integers, int64)")
def _place(context: Integers, move: int) -> int:
    """Where a root move stands now."""
    moves, i = slots.root_moves(context), 0
    while moves[i] != move:
        i += 1
    return i


@helper("int64(integers, int64, int64, int64, int64, int64)")
def _search_root(context: Integers, depth: int, first: int, count: int, alpha: int, beta: int) -> int:
    """The best value of the root moves from ``first`` on; its move is brought to ``first`` as soon as it is known.

    The lines stay with their moves, so that a search that is stopped here leaves lines of different moves. The table
    never cuts off here, so a move is always known. Where all moves are below the window, the old line stays.
    """
    root, moves = slots.positions(context), slots.root_moves(context)
    key = contract.key_of(context, root)
    best, lower = -INFINITE, alpha
    shared = sharing.is_worthwhile(context, depth) != 0
    deferred, left, turn = slots.deferred(context) if shared else moves, 0, first
    while turn < count + left:
        # Step 1. The next move. A deferred one is found by its number, since the best ones have changed places.
        i = turn if turn < count else _place(context, deferred[turn - count])
        move = moves[i]
        turn += 1

        # Step 2. A move that another thread is searching is deferred, once.
        task = sharing.task(key, move, depth) if shared and i > first else sharing.NO_TASK
        if task != sharing.NO_TASK and sharing.take(context, task, turn <= count) == 0:
            deferred[left] = move
            left += 1
            continue

        # Step 3. Search it.
        context[slots.CURRENT_MOVE], context[slots.CURRENT_NUMBER] = move, i + 1
        if pvs.play_move(context, root, 0, i - first, move) != 0:
            return best
        value = pvs.search_move(context, root, 0, depth, 0, lower, beta)
        if context[slots.ABORTED] != 0:
            return best
        sharing.release(context, task)

        # Step 4. A new best move comes first, with its line.
        best = max(best, value)
        if value > lower:
            lower = value
            pvs.extend_line(context, 0, move)
            _promote(context, i, first)
            _publish(context, first, value, depth)
            if value >= beta:
                return best
    return best


@helper("void(integers, int64, int64, int64, int64)")
def _search_line(context: Integers, depth: int, first: int, count: int, swing: int) -> None:
    """Find line number ``first``: in a window around its last value, which grows until it holds the new one."""
    expected = slots.lines(context, first)[slots.LINE_SCORE]
    low, high = -INFINITE, INFINITE
    # Values of less depth say too little about the next; a window is as much wider as the last two depths differed.
    margin, widest = context[slots.ASPIRATION_MARGIN] + swing, context[slots.ASPIRATION_WIDEST]
    if (
        context[slots.TECHNIQUES] & techniques.ASPIRATION != 0
        and depth >= context[slots.ASPIRATION_DEPTH]
        and margin < widest
        and abs(expected) < values.decided_above(context)
    ):
        low, high = expected - margin, expected + margin
    while True:
        value = _search_root(context, depth, first, count, low, high)
        if context[slots.ABORTED] != 0 or low < value < high:
            return
        margin *= 2
        if value <= low:
            if low == -INFINITE:
                return
            low = value - margin if margin < widest else -INFINITE
        else:
            if high == INFINITE:
                return
            high = value + margin if margin < widest else INFINITE


@helper("void(integers, int64)")
def _sort_lines(context: Integers, count: int) -> None:
    """The best line first: one that was found later may turn out better than those before it."""
    moves = slots.root_moves(context)
    spare = count  # behind the wanted lines there is room for one more
    for k in range(1, count):
        score, move, place = slots.lines(context, k)[slots.LINE_SCORE], moves[k], k
        _copy_line(context, k, spare)
        while place > 0 and slots.lines(context, place - 1)[slots.LINE_SCORE] < score:
            _copy_line(context, place - 1, place)
            moves[place] = moves[place - 1]
            place -= 1
        if place < k:
            _copy_line(context, spare, place)
            moves[place] = move


@helper("int64(integers, int64)")
def _allow(context: Integers, count: int) -> int:
    """Leave the root moves that may be chosen; how many they are."""
    moves, allowed, left = slots.root_moves(context), slots.allowed(context), 0
    if context[slots.ALLOWED_COUNT] == 0:
        return count
    for i in range(count):
        for j in range(context[slots.ALLOWED_COUNT]):
            if moves[i] == allowed[j]:
                moves[left] = moves[i]
                left += 1
                break
    return left


@helper("void(integers)")
def _note_root(context: Integers) -> None:
    """What the search of a move must know of the root, which counts for repetitions below it."""
    root, played = slots.positions(context), context[slots.HISTORY_LENGTH]
    node = slots.nodes(context)
    node[slots.SIDE], node[slots.CHECKED] = contract.mover_of(context, root), contract.check_of(context, root)
    node[slots.EVALUATION] = -INFINITE if node[slots.CHECKED] != 0 else values.static(context, root)
    node[slots.IMPROVING], node[slots.CUT] = 1, 0
    slots.previous(context)[0] = -1
    if context[slots.REPEATS] != 0:
        slots.keys(context)[played] = contract.key_of(context, root)
        slots.checks(context)[played] = contract.check_of(context, root)


@helper("int64(integers)")
def _begin(context: Integers) -> int:
    """Order the root moves and give each wanted line one, so that a move is always known; how many there are.

    The score of a line that no search reaches is the evaluation of the root.
    """
    root, moves = slots.positions(context), slots.root_moves(context)
    context[slots.NODES], context[slots.ABORTED], context[slots.DEPTH_DONE], context[slots.SELDEPTH] = 0, 0, 0, 0
    context[slots.CURRENT_MOVE], context[slots.CURRENT_NUMBER], context[slots.ROOT_DEPTH] = -1, 0, 1
    context[slots.GENERATION] = (context[slots.GENERATION] + 1) & 63
    if contract.status_of(context, root) == contract.OVER:
        return 0
    _note_root(context)
    count = _allow(context, contract.moves_of(context, root, moves))
    unordered = slots.moves(context)
    for i in range(count):
        unordered[i] = moves[i]
    data = table.probe(context, contract.key_of(context, root))
    table_move = table.move_in(data) if data != np.uint64(0) else -1
    ordering.score_moves(context, root, 0, count, table_move)
    for i in range(count):
        moves[i] = ordering.next_move(context, 0, i, count)
    score = values.static(context, root)
    for k in range(min(context[slots.MULTIPV], count)):
        line = slots.lines(context, k)
        line[slots.LINE_SCORE], line[slots.LINE_DEPTH], line[slots.LINE_LENGTH] = score, 0, 1
        line[slots.LINE_MOVES] = moves[k]
    return count


@helper("int64(integers, int64, int64, int64)", inline=True)
def _share(context: Integers, began: int, stable: int, loss: int) -> int:
    """How long a search that began at a moment may take before it begins another depth, in nanoseconds.

    A move that has been the best for some depths needs less than the share that it was given, one that has just become
    the best, or whose value falls, needs more.
    """
    share = context[slots.SOFT_DEADLINE] - began
    if context[slots.TECHNIQUES] & techniques.STABILITY == 0:
        return share
    hundredths = max(150 - 20 * stable, 60)
    if loss > context[slots.ASPIRATION_MARGIN]:
        hundredths += 50
    return share // 100 * hundredths


@helper("int64(integers)")
def deepen(context: Integers) -> int:
    """Search the position in row 0 deeper and deeper until a limit; the best move, or -1 when the game is over.

    What was found is in ``lines``, one line a wanted move, best first.
    """
    count = _begin(context)
    if count == 0:
        return -1
    moves, line = slots.root_moves(context), slots.lines(context)
    if finishing.finish(context) != 0:
        _promote(context, _place(context, line[slots.LINE_MOVES]), 0)
        return moves[0]
    swing, stable, began = 0, 0, clock()
    for depth in range(1, context[slots.DEPTH_LIMIT] + 1):
        # Step 1. Every wanted line, one after another, each without the moves of those before it.
        horizon, before, first = context[slots.HORIZON], line[slots.LINE_SCORE], moves[0]
        context[slots.ROOT_DEPTH] = depth
        for k in range(min(context[slots.MULTIPV], count)):
            _search_line(context, depth, k, count, swing)
            if context[slots.ABORTED] != 0:
                return moves[0]
        _sort_lines(context, min(context[slots.MULTIPV], count))
        context[slots.DEPTH_DONE] = depth

        # Step 2. Enough is known: the position is solved, or a deeper search would find no nearer win.
        value, win = line[slots.LINE_SCORE], context[contract.WIN_VALUE]
        swing = abs(value - before)
        if context[slots.HORIZON] == horizon or (win > 0 and (value >= win - depth or value <= depth - win)):
            break

        # Step 3. No time for another depth; a single move needs none.
        stable = stable + 1 if moves[0] == first else 0
        if context[slots.SOFT_DEADLINE] != 0 and (
            count == 1
            or clock() >= max(began + _share(context, began, stable, before - value), context[slots.FREE_DEADLINE])
        ):
            break
    return moves[0]


@helper("void(integers)")
def forget(context: Integers) -> None:
    """Begin a new game: nothing is known from the old one."""
    table.clear(context)
    finishing.forget_proofs(context)
    ordering.forget_moves(context)
    evaluation.forget(context)
    context[slots.GENERATION] = 0


@driver("int64(int64[::1])")
def think(context: Integers) -> int:
    """``deepen`` from Python."""
    return deepen(pointer(context))


@driver("void(int64[::1])")
def new_game(context: Integers) -> None:
    """``forget`` from Python."""
    forget(pointer(context))
