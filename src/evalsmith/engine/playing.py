"""Whole games inside one kernel: self-play, playouts and in-process matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, at, clock, driver, helper, pointer, volatile
from evalsmith.engine import values
from evalsmith.engine.alphabeta import slots
from evalsmith.engine.alphabeta.deepening import deepen, forget
from evalsmith.engine.alphabeta.searcher import Searcher
from evalsmith.engine.drawing import draw, draw_outcome
from evalsmith.engine.limit import Limit
from evalsmith.games import contract
from evalsmith.games.board import DECLARATION
from evalsmith.games.game import Game, Position

# How a game ended.
BY_RULE, BY_REPETITION, BY_LENGTH, STOPPED, BY_DECLARATION = range(5)
REASONS = ("rule", "repetition", "length", "stopped", "declaration")
# What `_play_game` reports: how the game ended, the value for side 0, the first ply from which no move was noise …
_REASON, _RESULT, _QUIET_FROM, _HEAD = 0, 1, 2, 3
# … and of each side: nanoseconds in all, the longest move, nodes, searched moves.
_TIME, _LONGEST, _NODES, _MOVES, _PER_SIDE = 0, 1, 2, 3, 4
_NO_SCORE = 1 << 40  # of a move that no search chose


@helper("void(integers, words, words)", inline=True)
def _copy(context: Integers, source: Words, target: Words) -> None:
    """One position over another."""
    for i in range(context[contract.WORDS]):
        target[i] = source[i]


@helper("int64(integers, integers, words, int64)")
def _repeated(first: Integers, second: Integers, position: Words, ply: int) -> int:
    """What the rules say of a position that came before; one that did not is noted for both sides."""
    keys, checks = slots.keys(first), slots.checks(first)
    repeated = contract.repeated_in(first, position, keys, checks, ply)
    if repeated == contract.FRESH:
        keys[ply], checks[ply] = contract.key_of(first, position), contract.check_of(first, position)
        slots.keys(second)[ply], slots.checks(second)[ply] = keys[ply], checks[ply]
    return repeated


@helper("int64(integers, integers)")
def _choose(context: Integers, report: Integers) -> int:
    """The move of the side whose context this is, with its time and nodes added to the report."""
    moves = slots.root_moves(context)
    count = contract.moves_of(context, slots.positions(context), moves)
    if count == 1:
        return moves[0]
    if context[slots.RANDOM_PLAYER] != 0:
        return moves[draw(context, slots.RANDOM, count)]
    began = clock()
    if context[slots.MOVETIME] > 0:
        context[slots.DEADLINE] = began + context[slots.MOVETIME]
    move = deepen(context)
    spent = clock() - began
    report[_TIME] += spent
    report[_LONGEST] = max(report[_LONGEST], spent)
    report[_NODES] += context[slots.NODES]
    report[_MOVES] += 1
    return move


@helper("int64(integers, words, int64, int64, integers)")
def _move(context: Integers, position: Words, ply: int, side: int, report: Integers) -> int:
    """What a side plays: now and then noise, else its own choice. The first line has the score, or _NO_SCORE."""
    root = slots.positions(context)
    _copy(context, position, root)
    slots.lines(context)[slots.LINE_SCORE] = _NO_SCORE
    if ply < context[slots.NOISE_PLIES] and draw(context, slots.RANDOM, 1024) < context[slots.NOISE]:
        legal = slots.root_moves(context)
        report[_QUIET_FROM] = ply + 1
        return legal[draw(context, slots.RANDOM, contract.moves_of(context, root, legal))]
    return _choose(context, at(report, _HEAD + _PER_SIDE * side))


@driver("int64(int64[::1], int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1])", floats=True)
def _play_game(
    first: Integers, second: Integers, rows: Words, moves: Integers, scores: Integers, report: Integers
) -> int:
    """Play from rows[0] to the end; rows has space for two positions. Returns the number of moves and outcomes.

    What was played before is in the keys and checks of both contexts.

    ``moves`` gets moves and outcomes of chance, ``scores`` the mover's score, or _NO_SCORE.
    """
    contexts = (pointer(first), pointer(second))
    context, here = contexts[0], pointer(rows)
    child = at(here, first[contract.WORDS])
    earlier = first[slots.HISTORY_LENGTH]
    forget(contexts[0])
    forget(contexts[1])
    for ply in range(len(moves) + 1):
        # Step 1. The game may be over: by its rules, by its length, from outside, by repetition.
        status, side = contract.status_of(context, here), contract.mover_of(context, here)
        sign = 1 if side == 0 else -1
        report[_REASON], report[_RESULT] = BY_RULE, 0
        if status == contract.OVER:
            report[_RESULT] = sign * contract.result_of(context, here)
            return ply
        if ply == len(moves):
            break
        if volatile(contexts[0], slots.STOP) != 0 or volatile(contexts[1], slots.STOP) != 0:
            report[_REASON] = STOPPED
            return ply
        if first[slots.REPEATS] != 0:
            repeated = _repeated(contexts[0], contexts[1], here, earlier + ply)
            if repeated != contract.FRESH:
                report[_REASON] = BY_REPETITION
                report[_RESULT] = sign * values.repetition_value(context, repeated, 0)
                return ply

        # Step 2. Chance moves, or a player, who declares a game that is won so.
        if status == contract.CHANCE:
            scores[ply] = _NO_SCORE
            moves[ply] = draw_outcome(context, slots.RANDOM, here, slots.probabilities(context))
            contract.reveal_into(context, here, moves[ply], child)
        else:
            mover = contexts[0] if side == 0 else contexts[1]
            if contract.declared_in(context, here, first[slots.DECLARATION]) == contract.WIN:
                report[_REASON], report[_RESULT] = BY_DECLARATION, sign * first[contract.WIN_VALUE]
                return ply
            mover[slots.HISTORY_LENGTH] = earlier + ply
            moves[ply] = _move(mover, here, ply, side, pointer(report))
            scores[ply] = slots.lines(mover)[slots.LINE_SCORE]
            contract.play_into(context, here, moves[ply], child)
        _copy(context, child, here)
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
    row[slots.MOVETIME] = int(limit.seconds * 1e9) if limit.seconds else 0
    row[slots.RANDOM] = seed
    row[slots.RANDOM_PLAYER] = int(random)
    row[slots.NOISE] = round(1024 * noise)
    row[slots.NOISE_PLIES] = noise_plies


def play_game(
    game: Game,
    first: Searcher,
    second: Searcher,
    start: Position,
    *,
    history: Sequence[Position] = (),
    declaration: int = DECLARATION,
    max_steps: int | None = None,
) -> PlayedGame:
    """Play one game inside the kernel; side 0 is ``first``. Both may be the same searcher.

    ``history`` is what was played before ``start``, oldest first: it counts for repetitions and for the length.
    ``declaration`` is the rule by which wins are declared, as `Board` has it. A game that is not over after
    ``max_steps`` moves and outcomes ends by its length.

    Runs in the calling thread: long work calls it from a worker thread, and ``stop`` of either searcher ends it.
    """
    rows = np.zeros(2 * game.words, dtype=np.uint64)
    rows[: game.words] = start
    for searcher in (first, second):
        searcher.place(start, history)
        searcher.context.row[slots.DECLARATION] = declaration
    left = max(0, game.max_steps - len(history))
    left = left if max_steps is None else min(left, max_steps)
    moves, scores = np.zeros(left, dtype=np.int64), np.zeros(left, dtype=np.int64)
    report = np.zeros(_HEAD + 2 * _PER_SIDE, dtype=np.int64)
    plies = int(_play_game(first.context.row, second.context.row, rows, moves, scores, report))
    return PlayedGame(
        moves=tuple(moves[:plies].tolist()),
        scores=tuple(None if score == _NO_SCORE else score for score in scores[:plies].tolist()),
        reason=REASONS[int(report[_REASON])],
        result=int(report[_RESULT]),
        quiet_from=int(report[_QUIET_FROM]),
        sides=(_side_report(report, 0), _side_report(report, 1)),
        final=rows[: game.words],
    )


def _side_report(report: npt.NDArray[np.int64], side: int) -> SideReport:
    part = report[_HEAD + _PER_SIDE * side :].tolist()
    return SideReport(seconds=part[_TIME] / 1e9, longest=part[_LONGEST] / 1e9, nodes=part[_NODES], moves=part[_MOVES])
