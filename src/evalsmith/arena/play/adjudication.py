"""Ends a game before its rules do, where both sides agree on the result. Off by default."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.arena.settings import Adjudication
from evalsmith.games import Game, Position

DRAWN, RESIGNED, LONG, SOLVED, IMPASSE = (
    f"adjudication: {what}" for what in ("draw", "resign", "length", "solved", "impasse")
)

SOLVE_NODES = 20_000_000
"""The most nodes for one position: a few seconds, so that an event continues, and stops when it is asked to."""


_SOLVE_AGAIN = 2  # plies after which a position that was too hard is followed by a much easier one


@dataclass(frozen=True)
class Ruling:
    """A game that is ended early: the termination, and the value for side 0."""

    termination: str
    value: int


class Arbiter:
    """Watches one game."""

    def __init__(self, game: Game, rules: Adjudication) -> None:
        self.game, self.rules = game, rules
        # Moves in a row that said so, by side.
        self._level, self._lost, self._won = [0, 0], [0, 0], [0, 0]
        self._solve_from = rules.solve_from
        self._impasse = 0  # plies since when both sides could agree on one

    def hear(self, side: int, score: int | None) -> None:
        """What the mover said of its move; no score breaks every row."""
        rules = self.rules
        level = score is not None and rules.draw_score is not None and abs(score) <= rules.draw_score
        lost = score is not None and rules.resign_score is not None and score <= -rules.resign_score
        won = score is not None and rules.resign_score is not None and score >= rules.resign_score
        for row, said in ((self._level, level), (self._lost, lost), (self._won, won)):
            row[side] = row[side] + 1 if said else 0

    def rule(self, position: Position, ply: int) -> Ruling | None:
        """Whether the game ends here."""
        rules, game = self.rules, self.game
        if rules.draw_score is not None and ply >= rules.draw_after and min(self._level) >= rules.draw_moves:
            return Ruling(DRAWN, 0)
        for side in (0, 1):
            if rules.resign_score is None or min(self._lost[side], self._won[1 - side]) < rules.resign_moves:
                continue
            value = game.win or 1
            return Ruling(RESIGNED, -value if side == 0 else value)
        if self._solve_from is not None and ply >= self._solve_from:
            value = game.hook("solve")(position, nodes=SOLVE_NODES).score
            if value is not None:
                return Ruling(SOLVED, int(value) if game.mover(position) == 0 else -int(value))
            self._solve_from = ply + _SOLVE_AGAIN
        if rules.impasse is not None:
            counted = game.hook("impasse")(position)
            self._impasse = 0 if counted is None else self._impasse + 1
            if counted is not None and self._impasse > 2 * rules.impasse:
                return Ruling(IMPASSE, counted)
        if rules.max_plies is not None and ply >= rules.max_plies:
            return Ruling(LONG, 0)
        return None
