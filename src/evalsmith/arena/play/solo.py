"""Games for one: two players clear the same board with the same chances, and the better one wins.

Who clears it beats who does not. If both do, fewer moves (pills) win; if neither does, fewer things left (viruses).
A player that fails loses to one that does not, whatever was on its board.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from evalsmith.arena.play.referee import Dropped
from evalsmith.arena.play.usage import usage_of
from evalsmith.arena.results.entry import Failed, SideUsage
from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.games.opening import Opening
from evalsmith.games.starts import words_of
from evalsmith.games.termination import BY_LENGTH, BY_RESIGNATION, BY_RULE
from evalsmith.players.limit import GameClock
from evalsmith.players.seat import Choice, Seat
from evalsmith.processes.failure import ILLEGAL, Failure


@dataclass(frozen=True)
class Attempt:
    """One player's board: moves and outcomes, how many were its own, what is left, and whether all is cleared.

    ``time`` is what its moves took in the game's own time, where the game has such.
    """

    moves: tuple[int, ...]
    own_moves: int
    left: int
    cleared: bool
    termination: str
    failed: Failed | None
    usage: SideUsage
    final: Position
    broken: bool = False
    time: int | None = None

    def rank(self) -> tuple[bool, bool, int]:
        """Larger is better."""
        return (self.failed is None, self.cleared, -self.own_moves if self.cleared else -self.left)


def play_alone(
    game: Game,
    seat: Seat,
    side: int,
    opening: Opening,
    limit: Limit,
    seed: int,
    stopped: Callable[[], bool] = lambda: False,
) -> Attempt:
    """Let one player play a board to its end; the same seed brings the same outcomes of chance to any player."""
    board, source, clock = opening.board(game), random.Random(seed), GameClock(limit)
    choices: list[Choice] = []
    failed, termination, broken = None, BY_RULE, False
    spent, time = words_of(game).spent, 0
    try:
        seat.begin(opening.start, 0)
        while board.status != OVER:
            if stopped():
                raise Dropped
            if len(choices) >= game.max_plies:
                termination = BY_LENGTH
                break
            if board.status == CHANCE:
                board.draw(source)
                continue
            board.clocks = (clock.left, None)
            choice = seat.choose(board)
            choices.append(choice)
            clock.spend(choice.seconds)
            if choice.resigns:
                termination = BY_RESIGNATION
                break
            before = board.position
            if not board.play(choice.move):
                raise Failure(ILLEGAL, f"move {choice.move} in {board.text}")
            if spent is not None:
                time += spent(before, choice.move)
    except Failure as failure:
        failed, termination, broken = Failed.of(side, failure, board.ply), failure.reason, True
    try:
        if failed is None:
            seat.end()
    except Failure:  # after the last move, so it costs nothing
        broken = True
    position = board.position
    cleared = failed is None and board.status == OVER and game.result(position) > 0
    count = game.hook("remaining")
    left = int(count(position)) if count else int(not cleared)
    return Attempt(
        moves=tuple(board.move_stack[len(opening.moves) :]),
        own_moves=len(choices),
        left=left,
        cleared=cleared,
        termination=termination,
        failed=failed,
        usage=usage_of(choices),
        final=position,
        broken=broken,
        time=None if spent is None else time,
    )


def compare(first: Attempt, second: Attempt) -> int:
    """1 if the first did better, −1 if the second, 0 if neither."""
    a, b = first.rank(), second.rank()
    if not a[0] and not b[0]:
        return 0
    return (a > b) - (a < b)
