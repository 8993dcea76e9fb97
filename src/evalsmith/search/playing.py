"""Whole games inside one kernel: self-play, playouts and in-process matches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalsmith.compile import (
    Integers,
    Words,
    at,
    clock,
    driver,
    helper,
    integers_at,
    pointer,
    reals_at,
    volatile,
    words_at,
)
from evalsmith.games.contract import (
    CHANCE,
    FRESH,
    OVER,
    WORDS,
    check_of,
    key_of,
    mover_of,
    moves_of,
    play_into,
    repeated_in,
    result_of,
    reveal_into,
    status_of,
)
from evalsmith.games.game import Game, Position
from evalsmith.search.alphabeta.deepening import deepen, forget
from evalsmith.search.alphabeta.searcher import Searcher, longest_game
from evalsmith.search.alphabeta.slots import (
    CHECK_FLAGS,
    DEADLINE,
    HISTORY_LENGTH,
    KEYS,
    LINES,
    MOVETIME,
    NODES,
    NOISE,
    NOISE_PLIES,
    POSITIONS,
    PROBABILITIES,
    RANDOM,
    RANDOM_PLAYER,
    REPEATS,
    ROOT_MOVES,
    STOP,
)
from evalsmith.search.drawing import draw, draw_outcome
from evalsmith.search.limit import Limit
from evalsmith.search.values import repetition_value

# How a game ended.
BY_RULE, BY_REPETITION, BY_LENGTH, STOPPED = 0, 1, 2, 3
REASONS = ("rule", "repetition", "length", "stopped")
# What `_play_game` reports: how the game ended, the value for side 0, the first ply from which no move was noise …
_REASON, _RESULT, _QUIET_FROM, _HEAD = 0, 1, 2, 3
# … and of each side: nanoseconds in all, the longest move, nodes, searched moves.
_TIME, _LONGEST, _NODES, _MOVES, _PER_SIDE = 0, 1, 2, 3, 4
_NO_SCORE = 1 << 40  # of a move that no search chose


@helper("int64(integers, integers)")
def _choose(context: Integers, report: Integers) -> int:
    """The move of the side whose context this is, with its time and nodes added to the report."""
    moves = integers_at(context[ROOT_MOVES])
    lines = integers_at(context[LINES])
    count = moves_of(context, words_at(context[POSITIONS]), moves)
    lines[0] = _NO_SCORE
    if count == 1:
        return moves[0]
    if context[RANDOM_PLAYER] != 0:
        return moves[draw(context, RANDOM, count)]
    began = clock()
    if context[MOVETIME] > 0:
        context[DEADLINE] = began + context[MOVETIME]
    move = deepen(context)
    spent = clock() - began
    report[_TIME] += spent
    report[_LONGEST] = max(report[_LONGEST], spent)
    report[_NODES] += context[NODES]
    report[_MOVES] += 1
    return move


@driver("int64(int64[::1], int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1])", floats=True)
def _play_game(
    first: Integers, second: Integers, rows: Words, moves: Integers, scores: Integers, report: Integers
) -> int:
    """Play from rows[0] to the end; rows has space for two positions. Returns the number of moves and outcomes.

    ``moves`` gets moves and outcomes of chance, ``scores`` what the mover thought, or _NO_SCORE.
    """
    contexts = (pointer(first), pointer(second))
    here, below = pointer(rows), at(pointer(rows), first[WORDS])
    words = first[WORDS]
    forget(contexts[0])
    forget(contexts[1])
    for ply in range(len(moves) + 1):
        state = status_of(contexts[0], here)
        side = mover_of(contexts[0], here)
        report[_REASON], report[_RESULT] = BY_RULE, 0
        if state == OVER:
            value = result_of(contexts[0], here)
            report[_RESULT] = value if side == 0 else -value
            return ply
        if ply == len(moves):
            break
        if volatile(contexts[0], STOP) != 0 or volatile(contexts[1], STOP) != 0:
            report[_REASON] = STOPPED
            return ply
        if first[REPEATS] != 0:
            keys, flags = words_at(first[KEYS]), integers_at(first[CHECK_FLAGS])
            other_keys, other_flags = words_at(second[KEYS]), integers_at(second[CHECK_FLAGS])
            repeated = repeated_in(contexts[0], here, keys, flags, ply)
            if repeated != FRESH:
                value = repetition_value(contexts[0], repeated, 0)
                report[_REASON], report[_RESULT] = BY_REPETITION, value if side == 0 else -value
                return ply
            keys[ply], flags[ply] = key_of(contexts[0], here), check_of(contexts[0], here)
            other_keys[ply], other_flags[ply] = keys[ply], flags[ply]
        scores[ply] = _NO_SCORE
        if state == CHANCE:
            moves[ply] = draw_outcome(contexts[0], RANDOM, here, reals_at(contexts[0][PROBABILITIES]))
            reveal_into(contexts[0], here, moves[ply], below)
        else:
            context = contexts[0] if side == 0 else contexts[1]
            context[HISTORY_LENGTH] = ply
            root = words_at(context[POSITIONS])
            for i in range(words):
                root[i] = here[i]
            if ply < context[NOISE_PLIES] and draw(context, RANDOM, 1024) < context[NOISE]:
                legal = integers_at(context[ROOT_MOVES])
                moves[ply] = legal[draw(context, RANDOM, moves_of(context, root, legal))]
                report[_QUIET_FROM] = ply + 1
            else:
                moves[ply] = _choose(context, at(pointer(report), _HEAD + _PER_SIDE * side))
                scores[ply] = integers_at(context[LINES])[0]
            play_into(contexts[0], here, moves[ply], below)
        for i in range(words):
            here[i] = below[i]
    report[_REASON] = BY_LENGTH
    return len(moves)


@dataclass(frozen=True)
class SideReport:
    """What one side spent in a game."""

    seconds: float
    longest: float
    nodes: int
    moves: int


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: moves (and outcomes of chance), the movers' scores, how it ended, the value for side 0.

    A move that no search chose (forced, random, chance) has None for a score.
    From ply ``quiet_from`` on no move was noise, so the result is a playout of the positions from there on.
    ``final`` is where the game ended.
    """

    moves: tuple[int, ...]
    scores: tuple[int | None, ...]
    reason: str
    result: int
    quiet_from: int
    sides: tuple[SideReport, SideReport]
    final: Position

    @property
    def stopped(self) -> bool:
        """Whether it was broken off from outside."""
        return self.reason == REASONS[STOPPED]


def prepare(
    searcher: Searcher, limit: Limit, seed: int, *, random: bool = False, noise: float = 0.0, noise_plies: int = 0
) -> None:
    """Set how a searcher plays in the games that follow.

    ``noise`` is the share of moves before ply ``noise_plies`` that are random.
    """
    searcher.limit(Limit(depth=limit.depth, nodes=limit.nodes))
    row = searcher.context.row
    row[MOVETIME] = int(limit.seconds * 1e9) if limit.seconds else 0
    row[RANDOM] = seed
    row[RANDOM_PLAYER] = int(random)
    row[NOISE] = round(1024 * noise)
    row[NOISE_PLIES] = noise_plies


def play_game(game: Game, first: Searcher, second: Searcher, start: Position) -> PlayedGame:
    """Play one game inside the kernel; side 0 is ``first``. Both may be the same searcher.

    Runs in the calling thread: long work calls it from a worker thread, and ``stop`` of either searcher ends it.
    """
    rows = np.zeros(2 * game.words, dtype=np.uint64)
    rows[: game.words] = start
    moves = np.zeros(longest_game(game), dtype=np.int64)
    scores = np.zeros(longest_game(game), dtype=np.int64)
    report = np.zeros(_HEAD + 2 * _PER_SIDE, dtype=np.int64)
    plies = int(_play_game(first.context.row, second.context.row, rows, moves, scores, report))
    sides = []
    for side in range(2):
        part = report[_HEAD + _PER_SIDE * side :]
        sides.append(
            SideReport(float(part[_TIME]) / 1e9, float(part[_LONGEST]) / 1e9, int(part[_NODES]), int(part[_MOVES]))
        )
    return PlayedGame(
        tuple(moves[:plies].tolist()),
        tuple(None if score == _NO_SCORE else score for score in scores[:plies].tolist()),
        REASONS[int(report[_REASON])],
        int(report[_RESULT]),
        int(report[_QUIET_FROM]),
        (sides[0], sides[1]),
        rows[: game.words],
    )
