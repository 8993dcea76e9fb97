"""Alpha-beta for every game: principal variation search with a table, pruning, reductions and extensions.

Values are for the mover in the game's unit. The sign changes between parent and child only where the mover
does. A value that rests on finished games alone is stored as solved and ends the deepening: HORIZON counts
everything else a value can rest on. Chance is averaged over all outcomes, and takes no depth; at the horizon the
position before it is evaluated, as averaging evaluations there would cost as many times as much and find little.

``search`` decides whether the moves of a position must be searched at all, ``_search_moves`` goes through them, and
``search_move`` gives each the window that it deserves. What they share of one position is in its row of ``nodes``.
Whatever returns while ABORTED is set returns a number that nobody may use.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, at, helper, int64
from evalsmith.engine import values
from evalsmith.engine.alphabeta import (
    evaluation,
    late,
    limits,
    ordering,
    probcut,
    quiescence,
    repetition,
    sharing,
    slots,
    table,
    techniques,
)
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract
from evalsmith.games.scores import INFINITE
from evalsmith.weights.probcut import ERROR, PAIRS

_OPEN = INFINITE
_NULL_MOVE = -2  # in `previous`: a null move came before
_NO_VALUE = repetition.NO_VALUE
_NO_ENTRY = np.uint64(0)
_LATE_PRUNING = techniques.LATE_MOVES | techniques.EXCHANGE
_STATIC_PRUNING = techniques.NULL | techniques.FUTILITY | techniques.RAZORING | _LATE_PRUNING


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


@helper("int64(integers, words)", inline=True)
def _evaluate_leaf(context: Integers, position: Words) -> int:
    """The evaluation, as a value that rests on more than finished games."""
    context[slots.HORIZON] += 1
    return evaluation.static(context, position, contract.key_of(context, position))


@helper("int64(integers, uint64, int64, int64, int64, int64)", inline=True)
def _value_in_table(context: Integers, data: Word, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value that the table has for this depth and window, or _NO_VALUE."""
    if data == _NO_ENTRY or context[slots.TECHNIQUES] & techniques.CUTOFFS == 0:
        return _NO_VALUE
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


@helper("int64(integers, uint64)", inline=True)
def _move_in_table(context: Integers, data: Word) -> int:
    """The move to try first, or -1."""
    return table.move_in(data) if data != _NO_ENTRY and context[slots.TECHNIQUES] & techniques.TABLE_MOVE != 0 else -1


@helper("int64(integers, words, int64, int64, int64)", inline=True)
def _horizon(context: Integers, position: Words, ply: int, alpha: int, beta: int) -> int:
    """Quiescence, or the evaluation where the line is too long or the game has no noisy moves."""
    if context[slots.TECHNIQUES] & techniques.QUIESCENCE != 0 and ply < MAX_PLY - 2:
        return quiescence.quiesce(context, position, ply, alpha, beta)
    return _evaluate_leaf(context, position)


@helper("int64(integers, words, int64, int64)", floats=True)
def _average(context: Integers, position: Words, ply: int, depth: int) -> int:
    """The average over all outcomes of chance, each with an open window, since an average has no cut-offs."""
    if ply >= MAX_PLY - 2:
        return _evaluate_leaf(context, position)
    child, side = at(position, context[contract.WORDS]), contract.mover_of(context, position)
    probabilities = slots.probabilities(context, ply)
    average = 0.0
    for outcome in range(contract.chance_of(context, position, probabilities)):
        contract.reveal_into(context, position, outcome, child)
        if limits.must_stop(context) != 0:
            return 0
        slots.previous(context)[ply + 1] = -1
        value = search(context, child, ply + 1, depth, -_OPEN, int64(_OPEN))
        if context[slots.ABORTED] != 0:
            return 0
        sign = 1 if contract.mover_of(context, child) == side else -1
        average += probabilities[outcome] * float(sign * value)
    slots.line_lengths(context)[ply] = 0
    return int64(np.floor(average + 0.5))


@helper("int64(integers, words, uint64, int64, int64)", inline=True)
def _evaluate_node(context: Integers, position: Words, key: Word, ply: int, checked: int) -> int:
    """The static value of a position that is not in check, else -INFINITE; noted with whether it rises."""
    node, used = slots.nodes(context, ply), context[slots.TECHNIQUES]
    static = -INFINITE
    if checked == 0 and used & (_STATIC_PRUNING | techniques.IMPROVING) != 0:
        static = evaluation.static(context, position, key)
    node[slots.EVALUATION], node[slots.IMPROVING] = static, 1
    if used & techniques.IMPROVING != 0:
        before = slots.nodes(context, ply - 2) if ply >= 2 else node
        if checked != 0 or (before[slots.SIDE] == node[slots.SIDE] and static <= before[slots.EVALUATION] and ply >= 2):
            node[slots.IMPROVING] = 0
    return static


@helper("int64(integers, uint64, int64, int64)", inline=True)
def _refine(context: Integers, data: Word, ply: int, static: int) -> int:
    """The static value, or what the table knows better."""
    if data == _NO_ENTRY or context[slots.TECHNIQUES] & techniques.CUTOFFS == 0:
        return static
    value, bound = values.from_root(context, table.value_in(data), ply), table.bound_in(data)
    if abs(value) >= values.decided_above(context):
        return static
    better = (
        bound == table.EXACT or (bound == table.LOWER and value > static) or (bound == table.UPPER and value < static)
    )
    return value if better else static


@helper("int64(integers, words, int64, int64, int64, int64)", inline=True)
def _try_null_move(context: Integers, position: Words, ply: int, depth: int, static: int, beta: int) -> int:
    """A value of at least beta, where the position is still good enough after passing, or _NO_VALUE."""
    child, previous = at(position, context[contract.WORDS]), slots.previous(context)
    if previous[ply] == _NULL_MOVE or contract.null_move_into(context, position, child) == 0:
        return _NO_VALUE
    if limits.must_stop(context) != 0:
        return 0
    previous[ply + 1] = _NULL_MOVE
    slots.nodes(context, ply + 1)[slots.CUT] = 1 - slots.nodes(context, ply)[slots.CUT]
    ahead = min((static - beta) // context[slots.NULL_STEP], context[slots.NULL_MAX])
    less = context[slots.NULL_PLIES] + depth // context[slots.NULL_DIVISOR] + ahead
    value = -search(context, child, ply + 1, depth - 1 - less, -beta, 1 - beta)
    if context[slots.ABORTED] != 0:
        return 0
    if value < beta:
        return _NO_VALUE
    context[slots.HORIZON] += 1
    return beta if value >= values.decided_above(context) else value  # a win found after passing is not proven


@helper("int64(integers, words, int64, int64, int64, int64)", inline=True)
def _prune(context: Integers, position: Words, ply: int, depth: int, static: int, beta: int) -> int:
    """A value of at least beta for a position whose static value is, or _NO_VALUE where its moves must be searched."""
    used = context[slots.TECHNIQUES]

    # Futility of the opponent: the mover is too far ahead for the plies that are left.
    left = depth - slots.nodes(context, ply)[slots.IMPROVING] if used & techniques.IMPROVING != 0 else depth
    if (
        depth <= context[slots.FUTILITY_DEPTH]
        and used & techniques.FUTILITY != 0
        and static - context[slots.FUTILITY_MARGIN] * left >= beta
    ):
        context[slots.HORIZON] += 1
        return static

    # Null move: a position that is still good enough after passing is not searched.
    if depth >= context[slots.NULL_DEPTH] and used & techniques.NULL != 0:
        return _try_null_move(context, position, ply, depth, static, beta)
    return _NO_VALUE


@helper("int64(integers, words, int64, int64, int64, int64)")
def _probcut(context: Integers, position: Words, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Alpha or beta, where a shallow search makes it likely enough that a deep one is beyond; or _NO_VALUE."""
    if depth < context[slots.PROBCUT_DEPTH] or abs(beta) >= values.decided_above(context):
        return _NO_VALUE
    key, static = slots.node_keys(context)[ply], values.static(context, position)
    for number in range(PAIRS):
        pair = probcut.pair_of(context, position, depth, number)
        shallow, guard = pair[0], context[slots.PROBCUT_GUARD] * pair[ERROR] // 100
        if shallow < 0:
            break
        found, bound = _NO_VALUE, probcut.least_above(context, pair, beta)
        if static >= bound - guard and search(context, position, ply, shallow, bound - 1, bound) >= bound:
            found = beta
        bound = probcut.most_below(context, pair, alpha)
        tried = found == _NO_VALUE and static <= bound + guard and context[slots.ABORTED] == 0
        if tried and search(context, position, ply, shallow, bound, bound + 1) <= bound:
            found = alpha
        if context[slots.ABORTED] != 0:
            return 0
        slots.node_keys(context)[ply], slots.line_lengths(context)[ply] = key, 0
        if found != _NO_VALUE:
            context[slots.HORIZON] += 1
            _store(context, ply, min(depth, slots.SOLVED - 1), found, -1, alpha, beta)
            return found
    return _NO_VALUE


@helper("int64(integers, words, int64, int64, int64, int64)", inline=True)
def _find_move(context: Integers, position: Words, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The move to try first by a shallower search, or -1."""
    search(context, position, ply, depth - context[slots.IID_PLIES], alpha, beta)
    slots.line_lengths(context)[ply] = 0
    data = table.probe(context, slots.node_keys(context)[ply])
    return table.move_in(data) if data != _NO_ENTRY else -1


@helper("int64(integers, words, int64, int64, int64)", inline=True)
def play_move(context: Integers, position: Words, ply: int, number: int, move: int) -> int:
    """Play a move, the one with this number, for ``search_move``; 1 when a limit is reached."""
    child, node = at(position, context[contract.WORDS]), slots.nodes(context, ply)
    contract.play_into(context, position, move, child)
    if limits.must_stop(context) != 0:
        return 1
    slots.previous(context)[ply + 1] = contract.slot_of(context, position, move)
    node[slots.NUMBER] = number
    node[slots.SIGN] = 1 if contract.mover_of(context, child) == node[slots.SIDE] else -1
    return 0


@helper("int64(integers, words, int64, int64, int64, int64, int64)", inline=True)
def search_move(context: Integers, position: Words, ply: int, depth: int, less: int, lower: int, beta: int) -> int:
    """The value of the move that was played last, for who made it; ``less`` is by how many plies it is reduced."""
    child, node, next_node = (
        at(position, context[contract.WORDS]),
        slots.nodes(context, ply),
        slots.nodes(context, ply + 1),
    )
    sign = node[slots.SIGN]

    # Every move but the first must prove with an empty window that it is better, reduced at first.
    if node[slots.NUMBER] > 0 and context[slots.TECHNIQUES] & techniques.PVS != 0:
        if less > 0 and context[slots.CHECKS] != 0 and contract.check_of(context, child) != 0:
            less = 0
        low = lower if sign > 0 else -lower - 1
        next_node[slots.CUT] = 1
        value = sign * search(context, child, ply + 1, depth - 1 - less, low, low + 1)
        if less > 0 and value > lower and context[slots.ABORTED] == 0:
            next_node[slots.CUT] = 1 - node[slots.CUT]
            value = sign * search(context, child, ply + 1, depth - 1, low, low + 1)
        if value <= lower or value >= beta or context[slots.ABORTED] != 0:
            return value

    # The first move, and one that proved better, get the full window.
    low, high = (lower, beta) if sign > 0 else (-beta, -lower)
    next_node[slots.CUT] = 1 - node[slots.CUT] if high - low == 1 else 0
    return sign * search(context, child, ply + 1, depth - 1, low, high)


@helper("void(integers, int64, int64, int64, int64, int64, int64)", inline=True)
def _store(context: Integers, ply: int, reached: int, best: int, move: int, alpha: int, beta: int) -> None:
    """Put the value of a position into the table, and the move where it is more than the first one tried."""
    bound = table.LOWER if best >= beta else table.EXACT if best > alpha else table.UPPER
    stored = values.from_root(context, best, -ply)
    table.store(context, slots.node_keys(context)[ply], move if bound != table.UPPER else -1, stored, reached, bound)


@helper("int64(integers, words, int64, int64, int64, int64, int64)", inline=True)
def _search_moves(context: Integers, position: Words, ply: int, depth: int, alpha: int, beta: int, first: int) -> int:
    """The best value of the moves, with move ``first`` tried first; what was found is stored."""
    # Step 1. The moves and their order; a single one is searched one ply deeper.
    moves, node, used = slots.moves(context, ply), slots.nodes(context, ply), context[slots.TECHNIQUES]
    count = contract.moves_of(context, position, moves)
    ordering.score_moves(context, position, ply, count, first)
    if count == 1 and node[slots.EXTENDABLE] != 0 and used & techniques.SINGLES != 0:
        depth += 1
    key, horizon, won = slots.node_keys(context)[ply], context[slots.HORIZON], values.decided_above(context)
    best, best_move, lower = -INFINITE, -1, alpha
    reducible = node[slots.CHECKED] == 0 and depth >= context[slots.LMR_DEPTH] and used & techniques.LMR != 0
    prunable = (
        node[slots.STATIC] > -INFINITE and depth <= context[slots.FUTILITY_DEPTH] and used & techniques.FUTILITY != 0
    )
    skippable = node[slots.STATIC] > -INFINITE and used & _LATE_PRUNING != 0
    shared = sharing.is_worthwhile(context, depth) != 0
    deferred, left, turn = slots.deferred(context, ply) if shared else moves, 0, 0
    enough = late.enough(context, ply, depth) if skippable else count
    while turn < count + left:
        # Step 2. The next move; after the last one, those that were deferred. Where all quiet ones that are left are
        # skipped, their order does not matter.
        i = turn if turn < count else deferred[turn - count]
        ordered = turn < count and i < enough
        move = ordering.next_move(context, ply, i, count) if ordered else moves[i]
        turn += 1

        # Step 3. Late quiet moves are reduced, and left out near the horizon where they cannot reach the window.
        less = 0
        reduced = reducible and i >= context[slots.LMR_MOVES]
        if i > 0 and (reduced or prunable or skippable) and best > -won:
            quiet = 1 if contract.capture_value_of(context, position, move) == 0 else 0
            if quiet != 0:
                less = (
                    late.reduction(context, position, ply, depth, i, move, 1 if beta - alpha == 1 else 0)
                    if reduced
                    else 0
                )
                bound = node[slots.STATIC] + context[slots.FUTILITY_MARGIN] * max(1, depth - less)
                if prunable and bound <= lower:
                    context[slots.HORIZON] += 1
                    best = max(best, bound)
                    continue
            if skippable and late.skips(context, position, ply, depth, i, move, quiet, less) != 0:
                context[slots.HORIZON] += 1
                if quiet != 0:  # it may well keep what is there, whatever the moves before it lost
                    best = max(best, min(lower, node[slots.STATIC]))
                continue

        # Step 4. A move that another thread is searching is deferred, once.
        task = sharing.task(key, move, depth - less) if shared and i > 0 else sharing.NO_TASK
        if task != sharing.NO_TASK and sharing.take(context, task, turn <= count) == 0:
            deferred[left] = i
            left += 1
            continue

        # Step 5. Search it.
        if play_move(context, position, ply, i, move) != 0:
            return 0
        value = search_move(context, position, ply, depth, less, lower, beta)
        if context[slots.ABORTED] != 0:
            return 0
        sharing.release(context, task)

        # Step 6. A new best move; one that reaches beta refutes the position, and is remembered for its kin.
        if value > best:
            best, best_move = value, move
            if value > lower:
                lower = value
                extend_line(context, ply, move)
                if value >= beta:
                    ordering.reward(context, position, ply, i, depth)
                    break

    # Step 7. Store what was found; solved, if nothing but finished games decided it.
    reached = slots.SOLVED if context[slots.HORIZON] == horizon else min(depth, slots.SOLVED - 1)
    _store(context, ply, reached, best, best_move, alpha, beta)
    return best


@helper("int64(integers, words, int64, int64, int64, int64)")
def search(context: Integers, position: Words, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a position for its mover, within or beyond the window (fail-soft)."""
    slots.line_lengths(context)[ply] = 0
    context[slots.SELDEPTH] = max(context[slots.SELDEPTH], ply)

    # Step 1. Finished games have their result, chance the average of its outcomes while there is depth left.
    key = contract.key_of(context, position)
    table.approach(context, key)
    status = contract.status_of(context, position)
    if status == contract.OVER:
        return values.finished(context, position, ply)
    if status == contract.CHANCE:
        return _average(context, position, ply, depth) if depth > 0 else _evaluate_leaf(context, position)

    # Step 2. Mate-distance pruning: no line from here can beat a win that is nearer.
    used, win = context[slots.TECHNIQUES], context[contract.WIN_VALUE]
    if used & techniques.MATES != 0:
        alpha, beta = max(alpha, ply - win), min(beta, win - ply)
        if alpha >= beta:
            return alpha

    # Step 3. Repetitions are worth what the rules say.
    checked = contract.check_of(context, position) if context[slots.CHECKS] != 0 else 0
    value = repetition.worth(context, position, key, checked, ply)
    if value != _NO_VALUE:
        return value

    # Step 4. Check extension: one ply deeper. Extensions must end somewhere, and one a position is enough.
    extendable = ply < 2 * context[slots.ROOT_DEPTH]
    if checked != 0 and extendable and used & techniques.CHECKS != 0:
        depth, extendable = depth + 1, False

    # Step 5. The horizon.
    if depth <= 0 or ply >= MAX_PLY - 2:
        return _horizon(context, position, ply, alpha, beta)

    # Step 6. The transposition table: a value that is deep enough ends the search, a move is tried first.
    node = slots.nodes(context, ply)
    data = table.probe(context, key)
    value, table_move = _value_in_table(context, data, ply, depth, alpha, beta), _move_in_table(context, data)
    if value != _NO_VALUE:
        return value

    # Step 7. Pruning, where nothing is decided and no exact value is asked for: the mover is so far ahead that beta is
    # safe, or so far behind that only noisy moves could help.
    node[slots.SIDE], node[slots.CHECKED] = contract.mover_of(context, position), checked
    static = _evaluate_node(context, position, key, ply, checked)
    if beta - alpha != 1 or abs(beta) >= values.decided_above(context):
        static = -INFINITE
    if static > -INFINITE:
        static = _refine(context, data, ply, static)
        if static >= beta:
            value = _prune(context, position, ply, depth, static, beta)
            if value != _NO_VALUE:
                return value
        elif (
            depth <= context[slots.RAZOR_DEPTH]
            and used & techniques.RAZORING != 0
            and static + context[slots.RAZOR_MARGIN] * depth <= alpha
        ):
            before = slots.previous(context)[ply]  # quiescence forgets it
            value = _horizon(context, position, ply, alpha, beta)
            if context[slots.ABORTED] != 0 or value <= alpha:
                return value
            slots.previous(context)[ply] = before

    # Step 8. ProbCut: a shallow search makes it likely that a deep one is beyond the window.
    slots.node_keys(context)[ply] = key
    if used & techniques.PROBCUT != 0 and beta - alpha == 1 and checked == 0:
        value = _probcut(context, position, ply, depth, alpha, beta)
        if value != _NO_VALUE:
            return value
        if table_move < 0:  # the shallow search may have found one
            table_move = _move_in_table(context, table.probe(context, key))

    # Step 9. Internal iterative deepening: a shallower search finds the move to try first; elsewhere depth is reduced.
    if table_move < 0:
        if beta - alpha != 1 and depth >= context[slots.IID_DEPTH] and used & techniques.IID != 0:
            table_move = _find_move(context, position, ply, depth, alpha, beta)
            if context[slots.ABORTED] != 0:
                return 0
        elif depth >= context[slots.IIR_DEPTH] and used & techniques.IIR != 0:
            depth -= 1

    # Step 10. The moves.
    node[slots.STATIC], node[slots.EXTENDABLE] = static, extendable
    return _search_moves(context, position, ply, depth, alpha, beta, table_move)
