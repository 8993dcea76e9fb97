"""Which move to try first: few replies for the enemy, good squares, odd quadrants, and a look ahead where it pays.

Ranks are in centidiscs or so, because the look ahead is. Its evaluation is the caller's, where he gave weights, and
otherwise a light one of replies and of stable discs on the border.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import (
    Integers,
    Word,
    caller,
    helper,
    int64,
    lowest,
    popcount,
    scan,
    table,
)
from evalsmith.games.contract import SIGNATURES
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.endgame.last_squares import final, odd_quadrants
from evalsmith.games.othello.endgame.limits import halted
from evalsmith.games.othello.endgame.table import fetch
from evalsmith.games.othello.rules import CENTIDISC, flips, mobility
from evalsmith.games.othello.stability import stable_border

_0, _1 = np.uint64(0), np.uint64(1)
_CORNERS = np.uint64(0x8100000000000081)

# What a square, a reply of the enemy (a corner counts twice) and an odd quadrant are worth in a rank. Found by the
# number of nodes on positions with 17 to 24 empties; replies weigh more than in an evaluation, because few replies
# also make small trees.
_QUARTER = ((160, 55, 110, 95), (55, 40, 70, 80), (110, 70, 95, 90), (95, 80, 90, 0))
_squares = table(
    "othello.endgame_squares",
    np.array([_QUARTER[min(r, 7 - r)][min(f, 7 - f)] for r in range(8) for f in range(8)], dtype=np.int64),
)
_REPLY, _ODD = 128, 64

# The light evaluation: a reply, and a stable disc on the border.
_MOBILITY, _BORDER = 150, 100

# From so many empties on moves are looked at ahead, a ply more for every two empties, up to a limit that bounds the
# cost.
_LOOK_FROM, _LOOK_EVERY, _LOOK_MOST = 14, 2, 8
# How far behind the best a move may be before its exact place does not matter.
_MARGIN = 250

FAR = 1 << 20  # beyond every rank and evaluation
REFUTED = 64  # added to a square in a row of moves: the table knows that the move is not good enough

_evaluate = caller(SIGNATURES["evaluate"])


@helper("int64(uint64)", inline=True)
def weigh(moves: Word) -> int:
    """How many moves, corners twice."""
    return popcount(moves) + popcount(moves & _CORNERS)


@helper("int64(integers, uint64, uint64)")
def _assess(context: Integers, mover: Word, enemy: Word) -> int:
    """The evaluation for the mover, in centidiscs."""
    context[slots.NODES] += 1
    if context[slots.EVALUATE] != 0:
        position = slots.position(context)
        position[0], position[1] = mover, enemy
        return _evaluate(context[slots.EVALUATE], (position, slots.weights(context)))
    replies = weigh(mobility(mover, enemy)) - weigh(mobility(enemy, mover))
    border = popcount(stable_border(mover, enemy)) - popcount(stable_border(enemy, mover))
    return _MOBILITY * replies + _BORDER * border


@helper("int64(integers, int64, int64)", inline=True)
def pick(row: Integers, start: int, count: int) -> int:
    """The highest entry from ``start`` on; its place is taken by the entry at ``start``."""
    chosen = start
    for i in range(start + 1, count):
        if row[i] > row[chosen]:
            chosen = i
    entry = row[chosen]
    row[chosen] = row[start]
    return entry


@helper("int64(integers, uint64, uint64, int64, int64, int64)")
def look_ahead(context: Integers, mover: Word, enemy: Word, alpha: int, beta: int, depth: int) -> int:
    """The value of an alpha-beta search to a fixed depth, in centidiscs. Stopped, it returns at once."""
    if depth == 0:
        return _assess(context, mover, enemy)
    if halted(context) != 0:
        return 0
    context[slots.NODES] += 1
    free = mobility(mover, enemy)
    if free == _0:
        if mobility(enemy, mover) == _0:
            return CENTIDISC * final(mover, enemy)
        return -look_ahead(context, enemy, mover, -beta, -alpha, depth)
    row = slots.moves(context, slots.LOOK_ROWS + depth)
    count = 0
    while free != _0:
        disc = lowest(free)
        free ^= disc
        square = scan(disc)
        turned = flips(disc, mover, enemy)
        rank = int64(_squares()[square]) - _REPLY * weigh(mobility(enemy ^ turned, mover | turned | disc))
        row[count] = rank * 64 + square
        count += 1
    best = -FAR
    for i in range(count):
        disc = _1 << np.uint64(pick(row, i, count) & 63)
        turned = flips(disc, mover, enemy)
        value = -look_ahead(context, enemy ^ turned, mover | turned | disc, -beta, -max(alpha, best), depth - 1)
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@helper("void(integers, uint64, uint64, int64, int64, int64)")
def rank_moves(context: Integers, mover: Word, enemy: Word, empties: int, start: int, count: int) -> None:
    """Turn the squares of a row of moves, from ``start`` on, into entries rank · 64 + square."""
    row = slots.moves(context, empties)
    depth = min(_LOOK_MOST, (empties - _LOOK_FROM) // _LOOK_EVERY)
    odd = odd_quadrants(~(mover | enemy))
    best = -FAR
    for i in range(start, count):
        square = row[i] & 63
        if row[i] >= REFUTED:
            row[i] = -FAR * 64 + square
            continue
        disc = _1 << np.uint64(square)
        turned = flips(disc, mover, enemy)
        own, other = mover | turned | disc, enemy ^ turned
        fetch(context, other, own)
        rank = int64(_squares()[square]) - _REPLY * weigh(mobility(other, own))
        if disc & odd != _0:
            rank += _ODD
        if empties >= _LOOK_FROM:
            value = -look_ahead(context, other, own, -FAR, _MARGIN - best, depth)
            best = max(best, value)
            rank += value
        row[i] = rank * 64 + square


@helper("int64(integers, uint64, uint64, int64, int64, int64, int64)", inline=True)
def next_square(context: Integers, mover: Word, enemy: Word, empties: int, ranked: int, i: int, count: int) -> int:
    """The square of move number ``i``: from ``ranked`` on the best one left, by ranks that are found then."""
    row = slots.moves(context, empties)
    if i == ranked:
        rank_moves(context, mover, enemy, empties, i, count)
    return row[i] if i < ranked else pick(row, i, count) & 63
