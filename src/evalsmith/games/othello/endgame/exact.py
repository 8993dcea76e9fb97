"""The exact search: is a position worth more than ``alpha`` discs? From many empty squares down to the last four."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, helper, lowest, scan
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.endgame.last_squares import final, last, odd_quadrants
from evalsmith.games.othello.endgame.limits import halted
from evalsmith.games.othello.endgame.ordering import REFUTED, pick, rank_moves, weigh
from evalsmith.games.othello.endgame.table import NO_SQUARE, lower_in, move_in, probe, store, upper_in
from evalsmith.games.othello.rules import flips, mobility
from evalsmith.games.othello.stability import most

_0, _1 = np.uint64(0), np.uint64(1)

# Up to so many empties the table costs more time than it saves.
FEW = 5
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
    known = NO_SQUARE
    data = probe(context, mover, enemy)
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

    # Step 5. The children in the table: one may answer the question, others are known to be refuted.
    row = slots.moves(context, empties)
    count, ranked = 0, 0
    while free != _0:
        disc = lowest(free)
        free ^= disc
        row[count] = scan(disc)
        if empties > FEW + 1:
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
            ranked = 1
        count += 1

    # Step 6. Every move, the one from the table first; the others are ranked when it did not suffice.
    best, move = -slots.INFINITE, NO_SQUARE
    for i in range(count):
        if i == ranked:
            rank_moves(context, mover, enemy, empties, i, count)
        square = row[i] if i < ranked else pick(row, i, count) & 63
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
    if best > alpha:
        store(context, mover, enemy, empties, best, 64, move)
    else:
        store(context, mover, enemy, empties, -64, best, move)
    return best
