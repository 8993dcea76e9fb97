"""Ending a game before its rules do, where both sides agree on what would come. Off unless asked for."""

from __future__ import annotations

from dataclasses import dataclass, fields

from evalsmith.games import Game, Position
from evalsmith.run import InputError

DRAWN, RESIGNED, LONG, SOLVED = (f"adjudication: {what}" for what in ("draw", "resign", "length", "solved"))

SOLVE_NODES = 20_000_000
"""The most that one position may cost: seconds, so that an event goes on, and ends when it is told to."""


@dataclass(frozen=True)
class Adjudication:
    """When a game is ended early. Scores are in the game's unit; None switches a rule off.

    A draw after ``draw_moves`` moves of each side in a row with scores within ±``draw_score``, and not before
    ``draw_after`` plies. A loss after ``resign_moves`` moves of each side in a row that both say so by
    ``resign_score``. A draw after ``max_plies`` plies. The exact value from ply ``solve_from`` on, for games with a
    solver, as soon as that finds it within SOLVE_NODES; until then the game goes on. Plies count from the start of the
    record, the opening among them.
    """

    draw_score: int | None = None
    draw_moves: int = 8
    draw_after: int = 40
    resign_score: int | None = None
    resign_moves: int = 4
    max_plies: int | None = None
    solve_from: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and value < (1 if field.name in ("draw_moves", "resign_moves", "max_plies") else 0):
                raise InputError(f"adjudication: {field.name} must not be {value}")

    def check(self, game: Game) -> None:
        """Refuse what the game has no means for."""
        if self.solve_from is not None and game.hook("solve") is None:
            raise InputError(f"{game.title} has no solver, so its games cannot be ended by one")


_SOLVE_AGAIN = 2  # plies after which a position that was too hard is followed by a much easier one


@dataclass(frozen=True)
class Ruling:
    """A game that is ended: the reason, and the value for side 0."""

    reason: str
    value: int


class Arbiter:
    """Watches one game."""

    def __init__(self, game: Game, rules: Adjudication) -> None:
        self.game, self.rules = game, rules
        # Moves in a row that said so, by side.
        self._level, self._lost, self._won = [0, 0], [0, 0], [0, 0]
        self._solve_from = rules.solve_from

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
        if rules.max_plies is not None and ply >= rules.max_plies:
            return Ruling(LONG, 0)
        return None
