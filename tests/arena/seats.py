"""Seats for tests: they move as they are told, or fail as they are told."""

from __future__ import annotations

import random
from collections.abc import Callable

from evalsmith.games import Game, Position
from evalsmith.games.board import Board
from evalsmith.players.seat import Choice
from evalsmith.processes.failure import Failure


class MockSeat:
    """Moves at random, unless ``act`` gives the choice, raises, or returns None."""

    def __init__(
        self,
        game: Game,
        name: str = "mock",
        seed: int = 1,
        act: Callable[[Board], Choice | None] = lambda _: None,
        seconds: float = 0.0,
        score: int | None = None,
    ) -> None:
        self.game, self.name, self.act = game, name, act
        self.seconds, self.score = seconds, score
        self.source = random.Random(seed)
        self.begun: list[int] = []
        self.ended = self.closed = 0
        self.fail_at: dict[str, Failure] = {}
        self.boards: list[Board] = []

    def begin(self, start: Position, side: int) -> None:
        self.begun.append(side)
        if "begin" in self.fail_at:
            raise self.fail_at["begin"]

    def choose(self, board: Board) -> Choice:
        self.boards.append(board.copy())
        choice = self.act(board)
        if choice is not None:
            return choice
        move = self.source.choice(self.game.moves(board.position))
        return Choice(move, self.seconds, self.score)

    def end(self) -> None:
        self.ended += 1
        if "end" in self.fail_at:
            raise self.fail_at["end"]

    def close(self) -> None:
        self.closed += 1

    def bytes_used(self) -> int | None:
        return 1000


def failing(reason: str, detail: str = "", after: int = 0) -> Callable[[Board], Choice | None]:
    """Fail once so many plies were played."""

    def act(board: Board) -> Choice | None:
        if board.ply >= after:
            raise Failure(reason, detail)
        return None

    return act
