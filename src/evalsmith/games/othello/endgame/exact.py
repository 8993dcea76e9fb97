"""The exact search: is a position worth more than ``alpha`` discs? From many empty squares down to the last four."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, helper, lowest, popcount, scan
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.endgame.last_squares import final, last, odd_quadrants
from evalsmith.games.othello.endgame.limits import halted
from evalsmith.games.othello.endgame.ordering import REFUTED, next_square, pick, weigh
from evalsmith.games.othello.endgame.table import NO_SQUARE, fetch, lower_in, move_in, probe, store, upper_in
from evalsmith.games.othello.rules import flips, mobility
from evalsmith.games.othello.stability import most

_0, _1 = np.uint64(0), np.uint64(1)

# Up to so many empties the table costs more time than it saves.
FEW = 6
# From so many empties on the table is asked about all children first; with fewer that takes longer than it saves.
_CHILDREN_FROM = 10
# Stable discs are counted when alpha is at least twice the empties less this: below, they rarely reach it.
_FEW_STABLE, _MANY_STABLE = 16, 60
# Replies count more than an odd quadrant in the order of the last moves.
_REPLY, _ODD = 2, 1


@helper("int64(integers, uint64, uint64, int64, int64)")
def _few(context: Integers, mover: Word, enemy: Word, alpha: int, empties: int) -> int:
    """A few empty squares: few replies and odd quadrants order the moves."""
    if empties <= 4:
        return last(context, mover, enemy, alpha, empties)
    context[slots.NODES] += 1
    free = mobility(mover, enemy)
    if free == _0:
        if mobility(enemy, mover) == _0:
            return final(mover, enemy)
        return -_few(context, enemy, mover, -alpha - 1, empties)
    if alpha >= 2 * empties - _FEW_STABLE:
        bound = most(mover, enemy)
        if bound <= alpha:
            return bound
    odd = odd_quadrants(~(mover | enemy))
    row = slots.moves(context, empties)
    count = 0
    while free != _0:
        disc = lowest(free)
        free ^= disc
        turned = flips(disc, mover, enemy)
        rank = -_REPLY * weigh(mobility(enemy ^ turned, mover | turned | disc))
        if disc & odd != _0:
            rank += _ODD
        row[count] = rank * 64 + scan(disc)
        count += 1
    best = -slots.INFINITE
    for i in range(count):
        disc = _1 << np.uint64(pick(row, i, count) & 63)
        turned = flips(disc, mover, enemy)
        best = max(best, -_few(context, enemy ^ turned, mover | turned | disc, -alpha - 1, empties - 1))
        if best > alpha:
            break
    return best


@helper("void(integers, uint64, uint64, uint64)", inline=True)
def _fetch_children(context: Integers, mover: Word, enemy: Word, free: Word) -> None:
    """Have the entries of all children fetched at once: memory is slow, but not one by one."""
    while free != _0:
        disc = lowest(free)
        free ^= disc
        turned = flips(disc, mover, enemy)
        fetch(context, enemy ^ turned, mover | turned | disc)


@helper("int64(integers, uint64, uint64, uint64, int64, int64, int64)", inline=True)
def _list_moves(context: Integers, mover: Word, enemy: Word, free: Word, alpha: int, empties: int, known: int) -> int:
    """Write the moves, ``known`` first, with those that the table refutes marked.

    The lower bound above ``alpha`` that one of the children gives, or -INFINITE.
    """
    row, count = slots.moves(context, empties), 0
    if empties >= _CHILDREN_FROM:
        _fetch_children(context, mover, enemy, free)
    while free != _0:
        disc = lowest(free)
        free ^= disc
        row[count] = scan(disc)
        if empties >= _CHILDREN_FROM:
            turned = flips(disc, mover, enemy)
            data = probe(context, enemy ^ turned, mover | turned | disc)
            if data != _0:
                if -upper_in(data) > alpha:
                    return -upper_in(data)
                if -lower_in(data) <= alpha:
                    row[count] += REFUTED
        if scan(disc) == known:
            row[count] = row[0]
            row[0] = known
        count += 1
    return -slots.INFINITE


@helper("int64(integers, uint64, uint64, int64, int64)")
def search(context: Integers, mover: Word, enemy: Word, alpha: int, empties: int) -> int:
    """A bound of the score: a lower one if it is above ``alpha``, an upper one otherwise.

    The work goes from cheap to dear: the table, stable discs, the children in the table, the stored move, and only
    then the ranks of all others. Stopped, it returns at once and stores nothing.
    """
    # Step 1. The last squares need no table.
    if empties <= FEW:
        return _few(context, mover, enemy, alpha, empties)
    if halted(context) != 0:
        return alpha
    context[slots.NODES] += 1

    # Step 2. Passes, and finished games.
    free = mobility(mover, enemy)
    if free == _0:
        if mobility(enemy, mover) == _0:
            return final(mover, enemy)
        return -search(context, enemy, mover, -alpha - 1, empties)

    # Step 3. The table: a bound that answers the question, or the move to try first.
    known, data = NO_SQUARE, probe(context, mover, enemy)
    if data != _0:
        if lower_in(data) > alpha:
            return lower_in(data)
        if upper_in(data) <= alpha:
            return upper_in(data)
        known = move_in(data)

    # Step 4. Stable discs of the enemy may already be too many.
    if alpha >= 2 * empties - _MANY_STABLE:
        bound = most(mover, enemy)
        if bound <= alpha:
            return bound

    # Step 5. The moves, and their children in the table: one may answer the question.
    bound = _list_moves(context, mover, enemy, free, alpha, empties, known)
    if bound > alpha:
        return bound
    row, count = slots.moves(context, empties), popcount(free)
    ranked = 1 if known != NO_SQUARE and row[0] == known else 0

    # Step 6. Every move, the one from the table first; the others are ranked when it did not suffice.
    best, move = -slots.INFINITE, NO_SQUARE
    for i in range(count):
        square = next_square(context, mover, enemy, empties, ranked, i, count)
        disc = _1 << np.uint64(square)
        turned = flips(disc, mover, enemy)
        value = -search(context, enemy ^ turned, mover | turned | disc, -alpha - 1, empties - 1)
        if halted(context) != 0:
            return alpha
        if value > best:
            best, move = value, square
            if best > alpha:
                break

    # Step 7. Store the bound.
    lower, upper = (best, 64) if best > alpha else (-64, best)
    store(context, mover, enemy, empties, lower, upper, move)
    return best
