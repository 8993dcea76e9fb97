"""Alpha-beta for every game: principal variation search with a table, pruning, reductions and extensions.

Values are for the mover in the game's unit. The sign changes between parent and child only where the mover
does. A value that rests on finished games alone is stored as solved and ends the deepening: HORIZON counts
everything else a value can rest on. Chance is averaged over all outcomes, and takes no depth.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, at, helper, int64
from evalsmith.engine import values
from evalsmith.engine.alphabeta import limits, ordering, quiescence, sharing, slots, table, techniques
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract
from evalsmith.games.scores import INFINITE

_OPEN = INFINITE
_NULL_MOVE = -2  # in `previous`: a null move came before
_IID_DEPTH = 4
_NULL_DEPTH, _NULL_PLIES = 2, 3
_FUTILITY_DEPTH, _FUTILITY_MARGIN = 6, 100  # a whole unit a ply
_LATE_DEPTH, _LATE_MOVE = 3, 3
_HISTORY_STEP = 4096  # this much history is worth a ply of reduction
_NO_VALUE = INFINITE


@helper("void(integers, int64, int64)")
def extend_line(context: Integers, ply: int, move: int) -> None:
    """The best line from here is this move and the best line after it."""
    lengths = slots.line_lengths(context)
    line, rest = slots.best_line(context, ply), slots.best_line(context, ply + 1)
    length = min(lengths[ply + 1], MAX_PLY - 1)
    line[0] = move
    for i in range(length):
        line[i + 1] = rest[i]
    lengths[ply] = length + 1


@helper("int64(integers, words, uint64, int64, int64)", inline=True)
def _repeated(context: Integers, position: Words, key: Word, checked: int, ply: int) -> int:
    """What the rules say of a position that came before; one that did not is noted for those after it."""
    keys, checks = slots.keys(context), slots.checks(context)
    count = context[slots.HISTORY_LENGTH] + ply
    if ply > 0:
        repeated = contract.repeated_in(context, position, keys, checks, count)
        if repeated != contract.FRESH:
            return repeated
    keys[count], checks[count] = key, checked
    return contract.FRESH


@helper("int64(integers, words)", inline=True)
def _evaluate_leaf(context: Integers, position: Words) -> int:
    """The evaluation, as a value that rests on more than finished games."""
    context[slots.HORIZON] += 1
    return values.static(context, position)


@helper("int64(integers, uint64, int64, int64, int64, int64)", inline=True)
def _value_in_table(context: Integers, data: Word, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value that the table has for this depth and window, or _NO_VALUE."""
    known = table.depth_in(data)
    if known < depth:
        return _NO_VALUE
    value = values.from_root(context, table.value_in(data), ply)
    bound = table.bound_in(data)
    if bound == table.EXACT or (bound == table.LOWER and value >= beta) or (bound == table.UPPER and value <= alpha):
        if known < slots.SOLVED:
            context[slots.HORIZON] += 1
        return value
    return _NO_VALUE


@helper("int64(integers, words, int64, int64, int64, int64)")
def _reduction(context: Integers, position: Words, depth: int, tried: int, move: int, narrow: int) -> int:
    """How many plies less a late quiet move is worth; one that was good elsewhere is reduced less."""
    plies = slots.reductions(context, min(depth, slots.REDUCED_DEPTHS - 1))[min(tried, slots.REDUCED_MOVES - 1)]
    history = slots.history(context, contract.mover_of(context, position))
    plies -= history[contract.slot_of(context, position, move)] // _HISTORY_STEP
    plies = min(max(plies, 0), depth - 2)
    return plies - 1 if narrow == 0 and plies > 0 else plies


@helper("int64(integers, words, int64, int64, int64, int64)", floats=True)
def search(context: Integers, position: Words, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a position for its mover, within or beyond the window (fail-soft)."""
    lengths = slots.line_lengths(context)
    lengths[ply] = 0
    if ply > context[slots.SELDEPTH]:
        context[slots.SELDEPTH] = ply

    # Step 1. Finished games have their result.
    status = contract.status_of(context, position)
    if status == contract.OVER:
        return values.finished(context, position, ply)
    child = at(position, context[contract.WORDS])
    side = contract.mover_of(context, position)
    previous = slots.previous(context)

    # Step 2. Chance: the average over all outcomes, each with an open window, since an average has no cut-offs.
    if status == contract.CHANCE:
        if ply >= MAX_PLY - 2:
            return _evaluate_leaf(context, position)
        probabilities = slots.probabilities(context, ply)
        average = 0.0
        for outcome in range(contract.chance_of(context, position, probabilities)):
            contract.reveal_into(context, position, outcome, child)
            if limits.must_stop(context) != 0:
                return 0
            previous[ply + 1] = -1
            value = search(context, child, ply + 1, depth, -_OPEN, int64(_OPEN))
            if context[slots.ABORTED] != 0:
                return 0
            sign = 1 if contract.mover_of(context, child) == side else -1
            average += probabilities[outcome] * float(sign * value)
        lengths[ply] = 0
        return int64(np.floor(average + 0.5))

    # Step 3. Mate-distance pruning: no line from here can beat a win that is nearer.
    used = context[slots.TECHNIQUES]
    if used & techniques.MATES != 0:
        win = context[contract.WIN_VALUE]
        alpha, beta = max(alpha, ply - win), min(beta, win - ply)
        if alpha >= beta:
            return alpha

    # Step 4. Repetitions are worth what the rules say.
    key = contract.key_of(context, position)
    checked = contract.check_of(context, position) if context[slots.CHECKS] != 0 else 0
    if context[slots.REPEATS] != 0:
        repeated = _repeated(context, position, key, checked, ply)
        if repeated != contract.FRESH:
            context[slots.HORIZON] += 1
            return values.repetition_value(context, repeated, ply)

    # Step 5. Check extension: a check is answered one ply deeper. Extensions must end somewhere, and one a position
    # is enough.
    extendable = ply < 2 * context[slots.ROOT_DEPTH]
    if checked != 0 and extendable and used & techniques.CHECKS != 0:
        depth += 1
        extendable = False

    # Step 6. The horizon: quiescence, or the evaluation where the line is too long or the game has no noisy moves.
    if depth <= 0 or ply >= MAX_PLY - 2:
        if used & techniques.QUIESCENCE != 0 and ply < MAX_PLY - 2:
            return quiescence.quiesce(context, position, ply, alpha, beta)
        return _evaluate_leaf(context, position)

    # Step 7. The transposition table: a value that is deep enough ends the search, a move is tried first.
    table_move = -1
    data = table.probe(context, key)
    if data != np.uint64(0):
        if used & techniques.TABLE_MOVE != 0:
            table_move = table.move_in(data)
        if used & techniques.CUTOFFS != 0:
            value = _value_in_table(context, data, ply, depth, alpha, beta)
            if value != _NO_VALUE:
                return value

    # Step 8. The static value, where pruning may rely on it: no check, an empty window, nothing decided.
    narrow = beta - alpha == 1
    won = values.decided_above(context)
    static = -INFINITE
    if checked == 0 and narrow and used & (techniques.NULL | techniques.FUTILITY) != 0 and abs(beta) < won:
        static = values.static(context, position)

    # Step 9. Futility of the opponent: the mover is too far ahead for the plies that are left.
    if (
        static >= beta
        and depth <= _FUTILITY_DEPTH
        and used & techniques.FUTILITY != 0
        and static - _FUTILITY_MARGIN * depth >= beta
    ):
        context[slots.HORIZON] += 1
        return static

    # Step 10. Null move: a position that is still good enough after passing is not searched.
    if (
        static >= beta
        and depth >= _NULL_DEPTH
        and used & techniques.NULL != 0
        and previous[ply] != _NULL_MOVE
        and contract.null_move_into(context, position, child) != 0
    ):
        if limits.must_stop(context) != 0:
            return 0
        previous[ply + 1] = _NULL_MOVE
        less = _NULL_PLIES + depth // 4 + min((static - beta) // 200, 3)
        value = -search(context, child, ply + 1, depth - 1 - less, -beta, 1 - beta)
        if context[slots.ABORTED] != 0:
            return 0
        if value >= beta:
            context[slots.HORIZON] += 1
            return beta if value >= won else value  # a win found after passing is not proven

    # Step 11. Internal iterative deepening: a shallower search finds the move to try first.
    if table_move < 0 and not narrow and depth >= _IID_DEPTH and used & techniques.IID != 0:
        search(context, position, ply, depth - 2, alpha, beta)
        if context[slots.ABORTED] != 0:
            return 0
        lengths[ply] = 0
        data = table.probe(context, key)
        if data != np.uint64(0):
            table_move = table.move_in(data)

    # Step 12. The moves and their order; a single one is searched one ply deeper.
    moves = slots.moves(context, ply)
    count = contract.moves_of(context, position, moves)
    ordering.score_moves(context, position, ply, count, table_move)
    if count == 1 and extendable and used & techniques.SINGLES != 0:
        depth += 1
    horizon = context[slots.HORIZON]
    best, best_move, lower = -INFINITE, -1, alpha
    reducible = checked == 0 and depth >= _LATE_DEPTH and used & techniques.LMR != 0
    prunable = static > -INFINITE and depth <= _FUTILITY_DEPTH and used & techniques.FUTILITY != 0
    shared = context[slots.SHARES] != 0 and depth >= sharing.MIN_DEPTH and used & techniques.PVS != 0
    deferred = slots.deferred(context, ply) if shared else moves
    left, turn = 0, 0
    while turn < count + left:
        # Step 13. The next move; after the last one, those that were deferred.
        i = turn if turn < count else deferred[turn - count]
        move = ordering.next_move(context, ply, i, count) if turn < count else moves[i]
        turn += 1

        # Step 14. Late quiet moves are reduced, and left out near the horizon where they cannot reach the window.
        less = 0
        late = reducible and i >= _LATE_MOVE
        if i > 0 and (late or prunable) and best > -won and contract.capture_value_of(context, position, move) == 0:
            if late:
                less = _reduction(context, position, depth, i, move, 1 if narrow else 0)
            if prunable:
                bound = static + _FUTILITY_MARGIN * max(1, depth - less)
                if bound <= lower:
                    context[slots.HORIZON] += 1
                    best = max(best, bound)
                    continue

        # Step 15. A move that another thread is searching is deferred, once.
        task = sharing.NO_TASK
        if shared and i > 0:
            task = sharing.task(key, move, depth - less)
            if turn <= count and sharing.is_taken(context, task) != 0:
                deferred[left] = i
                left += 1
                continue
            sharing.take(context, task)

        # Step 16. Play the move.
        contract.play_into(context, position, move, child)
        if limits.must_stop(context) != 0:
            return 0
        previous[ply + 1] = contract.slot_of(context, position, move)
        sign = 1 if contract.mover_of(context, child) == side else -1

        # Step 17. Every move but the first must prove with an empty window that it is better, reduced at first.
        value = _NO_VALUE
        if i > 0 and used & techniques.PVS != 0:
            if less > 0 and context[slots.CHECKS] != 0 and contract.check_of(context, child) != 0:
                less = 0
            low = lower if sign > 0 else -lower - 1
            value = sign * search(context, child, ply + 1, depth - 1 - less, low, low + 1)
            if context[slots.ABORTED] != 0:
                return 0
            if less > 0 and value > lower:
                value = sign * search(context, child, ply + 1, depth - 1, low, low + 1)
                if context[slots.ABORTED] != 0:
                    return 0

        # Step 18. The first move, and one that proved better, get the full window.
        if value == _NO_VALUE or (value > lower and value < beta):
            low, high = (lower, beta) if sign > 0 else (-beta, -lower)
            value = sign * search(context, child, ply + 1, depth - 1, low, high)
            if context[slots.ABORTED] != 0:
                return 0
        if task != sharing.NO_TASK:
            sharing.release(context, task)

        # Step 19. A new best move; one that reaches beta refutes the position, and is remembered for its kin.
        if value > best:
            best, best_move = value, move
            if value > lower:
                lower = value
                extend_line(context, ply, move)
                if value >= beta:
                    quiet = 1 if contract.capture_value_of(context, position, move) == 0 else 0
                    ordering.reward(context, position, ply, i, depth, quiet)
                    break

    # Step 20. Store what was found; solved, if nothing but finished games decided it.
    bound = table.LOWER if best >= beta else table.EXACT if best > alpha else table.UPPER
    reached = slots.SOLVED if context[slots.HORIZON] == horizon else min(depth, slots.SOLVED - 1)
    stored = values.from_root(context, best, -ply)
    table.store(context, key, best_move if bound != table.UPPER else -1, stored, reached, bound)
    return best
