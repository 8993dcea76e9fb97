"""Whether positions are quiet: nobody is in check, and no noisy move of the mover is better than none.

That is where the quiescence line of a position ends at the position itself (``quiescence.py``), but the line is not
needed to tell: of each noisy move only whether it beats standing pat, a search that asks yes or no. A position that
cannot be decided within the limits of the line counts as not quiet. Weights are the hand-set ones.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context, Integers, Words, at, driver, helper, int64, integers_at, load, pointer, words_at
from evalsmith.games import Game
from evalsmith.games.contract import (
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
from evalsmith.positions.selection.quiescence import LONGEST, NODES
from evalsmith.scale import cores, on_threads
from evalsmith.weights import starting_weights

_ROWS, _MOVES, _ORDERS, _COUNT, _GIVEN_UP = range(FIRST_FREE, FIRST_FREE + 5)
_CHUNK = 16_384  # positions that a thread decides in one call: a few hundredths of a second


@helper("int64(integers, int64, words)")
def _find_noisy(context: Integers, ply: int, here: Words) -> int:
    """The noisy moves of a position into row ``ply``, with their order; how many they are."""
    moves = at(integers_at(context[_MOVES]), ply * context[MAX_MOVES])
    orders = at(integers_at(context[_ORDERS]), ply * context[MAX_MOVES])
    count = noisy_of(context, here, moves)
    if count > 1:
        for i in range(count):
            orders[i] = order_of(context, here, moves[i])
    return count


@helper("int64(integers, int64, int64, int64)", inline=True)
def _next_move(context: Integers, ply: int, first: int, count: int) -> int:
    """The best of the moves from ``first`` on by their order, which changes places with the one there."""
    moves = at(integers_at(context[_MOVES]), ply * context[MAX_MOVES])
    orders = at(integers_at(context[_ORDERS]), ply * context[MAX_MOVES])
    chosen = first
    if count > 1:
        for i in range(first + 1, count):
            if orders[i] > orders[chosen]:
                chosen = i
    move = moves[chosen]
    moves[chosen], orders[chosen] = moves[first], orders[first]
    return move


@helper("int64(integers, int64, int64)")
def _reaches(context: Integers, ply: int, bound: int) -> int:
    """Whether the position in row ``ply`` is worth at least ``bound`` to its mover."""
    words = context[WORDS]
    here = at(words_at(context[_ROWS]), ply * words)
    context[_COUNT] += 1

    # Step 1. The game may be over, or the search at its limit.
    state = status_of(context, here)
    if state == OVER:
        return 1 if result_of(context, here) >= bound else 0
    if ply == LONGEST or context[_COUNT] > NODES:
        context[_GIVEN_UP] = 1
        return 0

    # Step 2. Standing pat may be enough; who is in check must move. After the first capture it hardly ever is, so
    # the evaluation waits until no move has refuted it.
    check = check_of(context, here) if state == PLAYER else int64(0)
    if check == 0 and ply > 1 and evaluate_of(context, here) >= bound:
        return 1

    # Step 3. Or one of the noisy moves is.
    count = _find_noisy(context, ply, here) if state == PLAYER else int64(0)
    side = mover_of(context, here)
    below = at(here, words)
    for i in range(count):
        play_into(context, here, _next_move(context, ply, i, count), below)
        if mover_of(context, below) == side:
            reached = _reaches(context, ply + 1, bound)
        else:
            reached = 1 - _reaches(context, ply + 1, 1 - bound)
        if context[_GIVEN_UP] != 0:
            return 0
        if reached != 0:
            return 1

    # Step 4. What waited; and a check without a move to look at is evaluated too.
    waited = check == 0 and ply == 1
    stuck = check != 0 and count == 0
    return 1 if (waited or stuck) and evaluate_of(context, here) >= bound else 0


@helper("int64(integers)")
def _is_quiet(context: Integers) -> int:
    """Whether the position in row 0 is quiet."""
    here = words_at(context[_ROWS])
    if check_of(context, here) != 0:
        return 0
    count = _find_noisy(context, int64(0), here)
    if count == 0 or status_of(context, here) != PLAYER:
        return 1
    context[_COUNT], context[_GIVEN_UP] = 1, 0
    side, stand = mover_of(context, here), evaluate_of(context, here)
    below = at(here, context[WORDS])
    for i in range(count):
        play_into(context, here, _next_move(context, int64(0), i, count), below)
        if mover_of(context, below) == side:
            better = _reaches(context, int64(1), stand + 1)
        else:
            better = 1 - _reaches(context, int64(1), -stand)
        if better != 0 or context[_GIVEN_UP] != 0:
            return 0
    return 1


@driver("void(int64[::1], uint64[:,::1], int8[::1])")
def _decide_each(context: Integers, rows: Words, quiet: Integers) -> None:
    """Whether each row is quiet."""
    row, words = pointer(context), context[WORDS]
    first = words_at(context[_ROWS])
    for i in range(rows.shape[0]):
        source = at(pointer(rows), i * words)
        for k in range(words):
            first[k] = source[k]
        quiet[i] = _is_quiet(row)


def quiet_positions(game: Game, words: npt.NDArray[np.uint64], threads: int | None = None) -> npt.NDArray[np.bool_]:
    """Which positions are quiet, on all cores unless ``threads`` says otherwise.

    A position is quiet where its mover is not in check and none of the game's noisy moves is worth more to it than
    standing pat, by quiescence with the hand-set weights. In a game without noisy moves and checks all are.
    """
    words = np.ascontiguousarray(words)
    quiet = np.zeros(len(words), dtype=np.int8)
    load(_decide_each)
    begins = range(0, len(words), _CHUNK)
    free = [_new_context(game) for _ in range(min(threads or cores(), len(begins)))]

    def decide(begin: int) -> None:
        context = free.pop()
        _decide_each(context.row, words[begin : begin + _CHUNK], quiet[begin : begin + _CHUNK])
        free.append(context)

    for _ in on_threads(decide, begins, len(free), lambda: None):  # a chunk under way ends by itself
        pass
    return quiet.astype(np.bool_)


def _new_context(game: Game) -> Context:
    """What one thread works with."""
    context = game.context(evaluation=True)
    starting_weights(game).attach(context)
    context.attach(_ROWS, np.zeros((LONGEST + 2) * game.words, dtype=np.uint64))
    context.attach(_MOVES, np.zeros((LONGEST + 1) * game.max_moves, dtype=np.int64))
    context.attach(_ORDERS, np.zeros((LONGEST + 1) * game.max_moves, dtype=np.int64))
    return context
