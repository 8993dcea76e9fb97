"""Where a game begins."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.games.board import Board
from evalsmith.games.game import Game, Position


@dataclass(frozen=True)
class Opening:
    """A start, and moves from it. ``text`` is the text of the start, unless that is the standard one."""

    start: Position
    moves: tuple[int, ...] = ()
    text: str | None = None

    def board(self, game: Game) -> Board:
        """A board after the moves; an illegal one is refused."""
        return Board(game, self.start, self.moves, start_text=self.text)

    def position(self, game: Game) -> Position:
        """The position after the moves, which are known to be legal."""
        position = self.start
        for move in self.moves:
            position = game.step(position, move)
        return position
