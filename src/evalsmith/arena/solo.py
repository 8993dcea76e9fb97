"""Games for one: two players clear the same board with the same chances, and the better one wins.

Who clears it beats who does not. If both do, fewer moves (pills) win; if neither does, fewer things left (viruses).
A player that fails loses to one that does not, whatever was on its board.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evalsmith.arena.referee import Dropped, Opening, Spent
from evalsmith.arena.results.entry import Failed
from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.players.endings import BY_LENGTH, BY_RULE
from evalsmith.players.limit import GameClock
from evalsmith.players.seat import ILLEGAL, Failure, Seat, Situation
from evalsmith.search import Limit


@dataclass(frozen=True)
class Attempt:
    """One player's board: moves and outcomes, how many were its own, what is left, and whether all is cleared."""

    moves: tuple[int, ...]
    own_moves: int
    left: int
    cleared: bool
    reason: str
    failed: Failed | None
    spent: Spent
    scores: tuple[int | None, ...]
    final: Position
    broken: bool = False

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
    position, moves, history = opening.start, list(opening.moves), []
    for move in opening.moves:
        history.append(position)
        position = game.reveal(position, move) if game.status(position) == CHANCE else game.play(position, move)
    outcomes = _outcomes(game, opening, seed)
    clock, spent = GameClock(limit), Spent()
    scores: list[int | None] = []
    failed, reason, own, broken = None, BY_RULE, 0, False
    try:
        seat.begin(opening.start, 0)
        while game.status(position) != OVER:
            if stopped():
                raise Dropped
            if own >= game.max_plies:
                reason = BY_LENGTH
                break
            score = None
            if game.status(position) == CHANCE:
                move = outcomes(position)
                following = game.reveal(position, move)
            else:
                situation = Situation(opening.start, moves, position, history, (clock.left, None))
                choice = seat.choose(situation)
                spent.add(choice)
                clock.spend(choice.seconds)
                move, score, own = choice.move, choice.score, own + 1
                if choice.resigns:
                    reason = "resignation"
                    break
                if move not in game.moves(position):
                    raise Failure(ILLEGAL, f"move {move} in {game.format(position)}")
                following = game.play_unchecked(position, move)
            history.append(position)
            moves.append(move)
            scores.append(score)
            position = following
    except Failure as failure:
        failed, reason, broken = Failed(side, failure.reason, failure.detail, len(moves)), failure.reason, True
    try:
        if failed is None:
            seat.end()
    except Failure:  # after the last move, so it costs nothing
        broken = True
    cleared = failed is None and game.status(position) == OVER and game.result(position) > 0
    count = game.hook("remaining")
    left = int(count(position)) if count else int(not cleared)
    played = tuple(moves[len(opening.moves) :])
    return Attempt(played, own, left, cleared, reason, failed, spent, tuple(scores), position, broken)


def _outcomes(game: Game, opening: Opening, seed: int) -> Callable[[Position], int]:
    """What chance brings: the order that the start fixes, if it does, else draws that depend on the seed alone."""
    hook = game.hook("sequence")
    fixed: Sequence[int] = tuple(hook(opening.text)) if hook and opening.text and not opening.moves else ()
    source = random.Random(seed)
    order: Iterator[int] = iter(())

    def draw(position: Position) -> int:
        nonlocal order
        if fixed:
            following = next(order, None)
            if following is None:  # after the last they begin again
                order = iter(fixed)
                following = next(order)
            return following
        chances = [float(p) for p in game.chance(position)]
        return source.choices(range(len(chances)), weights=chances)[0]

    return draw


def compare(first: Attempt, second: Attempt) -> int:
    """1 if the first did better, −1 if the second, 0 if neither."""
    a, b = first.rank(), second.rank()
    if not a[0] and not b[0]:
        return 0
    return (a > b) - (a < b)
