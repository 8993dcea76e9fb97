"""From bounds to an answer: the exact score of a position, a line of best moves, and the scores of a whole batch.

A guess of the score is moved, two discs at a time, until searches have proven that it is neither less nor more (MTD).
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import (
    Integers,
    Word,
    Words,
    driver,
    helper,
    lowest,
    pointer,
    popcount,
    scan,
)
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.endgame.exact import search
from evalsmith.games.othello.endgame.limits import halted
from evalsmith.games.othello.endgame.ordering import FAR, look_ahead, next_square
from evalsmith.games.othello.endgame.table import NO_SQUARE, move_in, probe
from evalsmith.games.othello.rules import CENTIDISC, PASS, flips, mobility

_0, _1 = np.uint64(0), np.uint64(1)
# The guess looks a ply ahead for every empty square above so many, and from a depth on for every second one: a good
# guess saves searches of a large tree, and a small tree is not worth more.
_GUESS_FROM, _GUESS_SLOWER, _GUESS_MOST = 9, 6, 9


@helper("void(integers, uint64, uint64)")
def _prove(context: Integers, mover: Word, enemy: Word) -> None:
    """Let LOWER and UPPER close in on the score for the mover, in discs; halted, they stay apart."""
    empties = 64 - popcount(mover | enemy)
    context[slots.LOWER], context[slots.UPPER] = -64, 64
    depth = max(0, empties - _GUESS_FROM)
    if depth > _GUESS_SLOWER:
        depth = min(_GUESS_MOST, (depth + _GUESS_SLOWER - 1) // 2)
    guess = look_ahead(context, mover, enemy, -FAR, FAR, depth)
    bound = min(64, max(-62, 2 * (guess // (2 * CENTIDISC))))
    while context[slots.LOWER] < context[slots.UPPER]:
        value = search(context, mover, enemy, bound - 1, empties)
        if halted(context) != 0:
            break
        if value >= bound:
            context[slots.LOWER] = value
            bound = value + 2
        else:
            context[slots.UPPER] = value
            bound = value


@helper("int64(integers, uint64, uint64, int64)")
def _best(context: Integers, mover: Word, enemy: Word, value: int) -> int:
    """A move that keeps the known score, the stored one if there is one; NO_SQUARE when halted."""
    empties = 64 - popcount(mover | enemy)
    data = probe(context, mover, enemy)
    known = move_in(data) if data != _0 else NO_SQUARE
    row = slots.moves(context, empties)
    free = mobility(mover, enemy)
    count, ranked = 0, 0
    while free != _0:
        row[count] = scan(free)
        if row[count] == known:
            row[count] = row[0]
            row[0] = known
            ranked = 1
        free ^= lowest(free)
        count += 1
    for i in range(count):
        square = next_square(context, mover, enemy, empties, ranked, i, count)
        disc = _1 << np.uint64(square)
        turned = flips(disc, mover, enemy)
        reply = search(context, enemy ^ turned, mover | turned | disc, -value, empties - 1)
        if halted(context) != 0:
            return NO_SQUARE
        if reply <= -value:
            return square
    return NO_SQUARE


@helper("int64(integers, uint64, uint64, integers)")
def solve_moves(row: Integers, mover: Word, enemy: Word, line: Integers) -> int:
    """Find the score, and a line of best moves; how long it is. Halted, the line is cut short."""
    _prove(row, mover, enemy)
    value = row[slots.LOWER]
    length = 0
    while halted(row) == 0:
        if mobility(mover, enemy) == _0:
            if mobility(enemy, mover) == _0:
                break
            line[length] = PASS
            mover, enemy = enemy, mover
        else:
            square = _best(row, mover, enemy, value)
            if square == NO_SQUARE:
                break
            line[length] = square
            disc = _1 << np.uint64(square)
            turned = flips(disc, mover, enemy)
            mover, enemy = enemy ^ turned, mover | turned | disc
        value = -value
        length += 1
    return length


@driver("int64(int64[::1], uint64[::1], int64[::1])")
def solve_line(context: Integers, position: Words, line: Integers) -> int:
    """``solve_moves`` from Python."""
    return solve_moves(pointer(context), position[0], position[1], pointer(line))


@driver("void(int64[::1], uint64[:, ::1], int64, int32[::1], uint8[::1])")
def solve_batch(context: Integers, positions: Words, most_empties: int, scores: Integers, solved: Integers) -> None:
    """The scores, in centidiscs, of the positions with at most so many empties; the others stay as they are."""
    row = pointer(context)
    for i in range(len(positions)):
        mover, enemy = positions[i, 0], positions[i, 1]
        if 64 - popcount(mover | enemy) <= most_empties:
            row[slots.GENERATION] += 1
            _prove(row, mover, enemy)
            if halted(row) != 0:
                break
            scores[i] = np.int32(CENTIDISC * row[slots.LOWER])
            solved[i] = np.uint8(1)
