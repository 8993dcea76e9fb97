"""Our own search, or random moves, at the board: in this process, with a clock if there is one."""

from __future__ import annotations

import random
import time

from evalsmith.engine import Limit, MctsSearcher, Searcher
from evalsmith.engine.clock import OVERHEAD, Budget, Clock, Lateness, allot, allot_budget
from evalsmith.engine.warming import warm
from evalsmith.games import Position
from evalsmith.games.board import Board
from evalsmith.players.kinds import Thinker
from evalsmith.players.limit import PlayLimit, moves_to_go, play_limit
from evalsmith.players.seat import Choice
from evalsmith.players.spec import Player
from evalsmith.processes.failure import TIME, Failure
from evalsmith.run import derive

_LEAST = 0.001  # seconds
_USUAL_MOVES = 20.0  # own moves still to come, where the game does not say


class OwnSeat:
    """A search in this process. Its kernels are loaded, or compiled, before the first clock runs."""

    label = ""

    def __init__(self, player: Player, limit: Limit, seed: int) -> None:
        self.name, self.game = player.name, player.game
        self.limit: PlayLimit = play_limit(player.limit or limit)
        self._seed, self._games, self._own_moves, self._side = seed, 0, 0, 0
        self._searcher: Searcher | MctsSearcher | Thinker | None = None
        self._moves_left = self.game.hook("moves_left")
        self._lateness = Lateness()
        if player.random:
            return
        if player.added is not None:
            self._searcher = player.added.make(seed)
            self._searcher.think(self.game.start(), Limit(nodes=1))
            return
        self._searcher = player.tree_searcher(seed) if player.method == "mcts" else player.searcher(self.limit, seed)
        warm(self.game, self._searcher)
        self._share(Board(self.game))

    def begin(self, start: Position, side: int) -> None:
        """Forget the last game."""
        self._games += 1
        self._own_moves, self._side = 0, side
        if self._searcher is not None:
            self._searcher.new_game()

    def choose(self, board: Board) -> Choice:
        """Declare a won game, or search within the limit; random moves depend on seed, game and ply alone."""
        began = time.perf_counter()
        if board.wins_by_declaration:
            choice = Choice(-1, time.perf_counter() - began, self.game.win, declares=True)
        elif self._searcher is None:
            source = random.Random(derive(self._seed, "random", self._games, board.ply))
            choice = Choice(source.choice(self.game.moves(board.position)), time.perf_counter() - began)
        else:
            limit = self._share(board)
            history = board.history if self.game.has_repetition else ()
            thought = self._searcher.think(board.position, _since(began, limit), history=history)
            best, seconds = thought.lines[0], time.perf_counter() - began
            self._lateness.note(limit.seconds, seconds)
            choice = Choice(best.move, seconds, best.score, thought.depth, thought.nodes, thought.seconds)
        self._own_moves += 1
        allowed = self._allowed(board)
        if allowed is not None and choice.seconds > allowed + self.limit.margin:
            late = choice.seconds - allowed
            raise Failure(TIME, f"{late:.3f} s late, {self.limit.margin:g} s allowed", late)
        return choice

    @property
    def delay(self) -> float:
        """How late its moves came of late, in seconds, beyond the time that they had."""
        return self._lateness.seen

    def expect_delay(self, seconds: float) -> None:
        """Hold back from the first move on what the last game has shown of this machine."""
        self._lateness.expect(seconds)

    def _left(self, board: Board) -> float:
        left = board.clocks[self._side] if self._side < len(board.clocks) else None
        return self.limit.start if left is None else left

    def _allowed(self, board: Board) -> float | None:
        times = [self.limit.seconds] if self.limit.seconds is not None else []
        if self.limit.timed:
            times.append(self._left(board) + self.limit.byoyomi)
        return min(times, default=None)

    def _share(self, board: Board) -> Limit:
        """The limit for this move."""
        limit = self.limit
        if not limit.timed:
            # What a move may come late is allowed; only more than that is held back of its seconds.
            late = max(0.0, self._lateness.overhead - OVERHEAD - self.limit.margin / 2)
            seconds = None if limit.seconds is None else max(limit.seconds / 2, limit.seconds - late)
            return Limit(limit.depth, limit.nodes, seconds)
        left = self._left(board)
        if limit.budget is not None:
            expected = self._moves_left(board.position) if self._moves_left else _USUAL_MOVES
            share = allot_budget(Budget(left), expected, self._lateness.overhead, self._lateness.seen)
        else:
            clock = Clock(left, limit.increment, moves_to_go(limit, self._own_moves), limit.byoyomi)
            share = allot(clock, self._lateness.overhead)
        hard = share.hard if limit.seconds is None else min(share.hard, limit.seconds)
        return Limit(limit.depth, limit.nodes, hard, min(share.soft, hard), min(share.free, hard))

    def end(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Give the memory back."""
        self._searcher = None

    def bytes_used(self) -> int | None:
        """The table or tree and the work arrays, in bytes: what ``memory`` bounds."""
        return 0 if self._searcher is None else self._searcher.memory.bounded


def _since(began: float, limit: Limit) -> Limit:
    """What is left of the seconds of a limit that counts from ``began``: to look for a declaration takes some too."""
    if limit.seconds is None:
        return limit
    spent = time.perf_counter() - began
    soft = None if limit.soft_seconds is None else max(_LEAST, limit.soft_seconds - spent)
    return Limit(limit.depth, limit.nodes, max(_LEAST, limit.seconds - spent), soft)
