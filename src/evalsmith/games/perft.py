"""Perft: how many move sequences of a length there are, the proof of a move generator."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from evalsmith.compile import Integers, Layout, Words, at, driver, helper, pointer, volatile
from evalsmith.games.contract import (
    CHANCE,
    CONTEXT_SIZE,
    FIRST_FREE,
    MAX_MOVES,
    MAX_OUTCOMES,
    WORDS,
    chance_of,
    moves_of,
    play_into,
    reveal_into,
    status_of,
)
from evalsmith.games.game import Game, Position
from evalsmith.run import Progress, Silent
from evalsmith.scale import interruptible

_layout = Layout(FIRST_FREE, CONTEXT_SIZE)
LEAF = _layout.number()  # how a finished game counts
STOP = _layout.number()  # set from outside to stop at once
probabilities = _layout.rows("reals")  # of the outcomes of chance

MAX_DEPTH = 64


@dataclass(frozen=True)
class Perft:
    """The counts below each move of the root, and what they took."""

    divide: dict[str, int]
    nodes: int
    seconds: float


@helper("int64(integers, words, integers, words, integers, int64, int64)")
def _count(
    context: Integers, position: Words, buffer: Integers, below: Words, deeper: Integers, leaf: int, depth: int
) -> int:
    """Leaves below a position of a game without chance; the depth is at least 1."""
    count = moves_of(context, position, buffer)
    if count == 0:
        return leaf
    if depth == 1:
        return count
    if depth > 3 and volatile(context, STOP) != 0:
        return 0
    words, width = context[WORDS], context[MAX_MOVES]
    total = 0
    for i in range(count):
        play_into(context, position, buffer[i], below)
        total += _count(context, below, deeper, at(below, words), at(deeper, width), leaf, depth - 1)
    return total


@helper("int64(integers, words, integers, int64)", floats=True)
def _count_with_chance(context: Integers, position: Words, buffer: Integers, depth: int) -> int:
    """Leaves below a position of a game with chance; all outcomes are followed and take no ply."""
    if depth == 0:
        return 1
    below = at(position, context[WORDS])
    total = 0
    if status_of(context, position) == CHANCE:
        outcomes = chance_of(context, position, probabilities(context))
        for outcome in range(outcomes):
            reveal_into(context, position, outcome, below)
            total += _count_with_chance(context, below, buffer, depth)
        return total
    count = moves_of(context, position, buffer)
    if count == 0:
        return context[LEAF]
    if volatile(context, STOP) != 0:
        return 0
    for i in range(count):
        play_into(context, position, buffer[i], below)
        total += _count_with_chance(context, below, at(buffer, context[MAX_MOVES]), depth - 1)
    return total


@driver("int64(int64[::1], uint64[::1], int64[::1], int64)")
def _count_from(context: Integers, rows: Words, buffer: Integers, depth: int) -> int:
    row, position, moves = pointer(context), pointer(rows), pointer(buffer)
    if context[MAX_OUTCOMES] != 0:
        return _count_with_chance(row, position, moves, depth)
    if depth == 0:
        return 1
    below, deeper = at(position, context[WORDS]), at(moves, context[MAX_MOVES])
    return _count(row, position, moves, below, deeper, context[LEAF], depth)


def perft(game: Game, position: Position, depth: int, progress: Progress | None = None) -> Perft:
    """Count the leaves ``depth`` plies below ``position``, move by move of the root.

    Outcomes of chance are all followed and take no ply.
    """
    progress = progress or Silent()
    context = game.context()
    context.row[LEAF] = 1 if game.finished_is_leaf else 0
    probabilities.allocate(context, max(1, game.max_outcomes))
    rows = np.zeros((2 * depth + 2) * game.words, dtype=np.uint64)
    buffer = np.zeros((depth + 1) * game.max_moves, dtype=np.int64)
    began = time.perf_counter()

    def stop() -> None:
        context.row[STOP] = 1

    def below(start: Position, plies: int) -> int:
        rows[: game.words] = start
        return int(interruptible(lambda: _count_from(context.row, rows, buffer, plies), stop))

    divide: dict[str, int] = {}
    if depth > 0:
        for move in game.moves(position):
            divide[game.format_move(position, move)] = below(game.play_unchecked(position, move), depth - 1)
            progress.advance()
    nodes = sum(divide.values()) if divide else below(position, depth)
    return Perft(divide, nodes, time.perf_counter() - began)
