"""The end of the quiescence line: the quiet position that a position's captures lead to when both sides play well.

A small search of its own, with the game's ``noisy`` moves and hand-set weights. It stands pat where the mover is not in
check, and gives a position up when it would have to look more than LONGEST plies or NODES positions ahead.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Layout, Words, at, driver, helper, int64, pointer
from evalsmith.games import Game
from evalsmith.games.contract import (
    CONTEXT_SIZE,
    FIRST_FREE,
    MAX_MOVES,
    OVER,
    PLAYER,
    WORDS,
    check_of,
    evaluate_of,
    mover_of,
    noisy_of,
    order_of,
    play_into,
    result_of,
    status_of,
)
from evalsmith.weights import starting_weights

LONGEST = 24
NODES = 5_000
_FAR = 1 << 30

_layout = Layout(FIRST_FREE, CONTEXT_SIZE)
_COUNT = _layout.number()  # positions visited
_DEEPEST = _layout.number()  # the last ply that was reached

# A row for each ply.
_positions = _layout.rows("words", length_in=WORDS)
_ends = _layout.rows("words", length_in=WORDS)  # the position that the value of each ply rests on
_moves = _layout.rows("integers", length_in=MAX_MOVES)
_orders = _layout.rows("integers", length_in=MAX_MOVES)


@helper("void(words, words, int64)", inline=True)
def _copy(source: Words, target: Words, words: int) -> None:
    for i in range(words):
        target[i] = source[i]


@helper("int64(integers, int64, int64, int64)")
def _settle(context: Integers, ply: int, low: int, high: int) -> int:
    """The value of the position in row ``ply`` for its mover; what it rests on goes to row ``ply`` of the ends."""
    words = context[WORDS]
    here, end = _positions(context, ply), _ends(context, ply)
    _copy(here, end, words)
    context[_COUNT] += 1
    context[_DEEPEST] = max(context[_DEEPEST], ply)
    state = status_of(context, here)
    if state == OVER:
        return result_of(context, here)
    best = int64(-_FAR)
    last = ply == LONGEST or context[_COUNT] > NODES or state != PLAYER
    if last or check_of(context, here) == 0:
        best = evaluate_of(context, here)
        if last or best >= high:
            return best
        low = max(low, best)
    moves, orders = _moves(context, ply), _orders(context, ply)
    count = noisy_of(context, here, moves)
    if count == 0 and best == -_FAR:
        return evaluate_of(context, here)
    for i in range(count):
        orders[i] = order_of(context, here, moves[i])
    side = mover_of(context, here)
    below = at(here, words)
    for i in range(count):
        chosen = i
        for j in range(i + 1, count):
            if orders[j] > orders[chosen]:
                chosen = j
        move = moves[chosen]
        moves[chosen], orders[chosen] = moves[i], orders[i]
        play_into(context, here, move, below)
        if mover_of(context, below) == side:
            value = _settle(context, ply + 1, low, high)
        else:
            value = -_settle(context, ply + 1, -high, -low)
        if value > best:
            best = value
            _copy(at(end, words), end, words)
            low = max(low, value)
            if value >= high:
                break
    return best


@driver("void(int64[::1], uint64[:,::1], uint64[:,::1], int8[::1])")
def _settle_each(context: Integers, rows: Words, ends: Words, settled: Integers) -> None:
    """The end of the line from each row, and whether it was found."""
    row, words = pointer(context), context[WORDS]
    first, found = _positions(row), _ends(row)
    for i in range(rows.shape[0]):
        _copy(at(pointer(rows), i * words), first, words)
        context[_COUNT], context[_DEEPEST] = 0, 0
        _settle(row, int64(0), int64(-_FAR), int64(_FAR))
        _copy(found, at(pointer(ends), i * words), words)
        settled[i] = 1 if context[_COUNT] <= NODES and context[_DEEPEST] < LONGEST else 0


class Settler:
    """Follows the quiescence lines of many positions of one game."""

    def __init__(self, game: Game) -> None:
        self.context = game.context(evaluation=True)
        starting_weights(game).attach(self.context)
        for each in (_positions, _ends):
            each.allocate(self.context, LONGEST + 2)
        for each in (_moves, _orders):
            each.allocate(self.context, LONGEST + 1)

    def ends(self, rows: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
        """The position at the end of each line, and where one was found."""
        ends = np.empty(rows.shape, dtype=np.uint64)
        settled = np.zeros(len(rows), dtype=np.int8)
        _settle_each(self.context.row, np.ascontiguousarray(rows), ends, settled)
        return ends, settled.astype(np.bool_)
