"""The exact score of a board, for games that have a solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evalsmith.engine.analysis import BoardLike, cost, move_texts
from evalsmith.games import Game, find_game, game_names
from evalsmith.games.scores import spoken, with_unit
from evalsmith.run import InputError
from evalsmith.run.tables import TextTable
from evalsmith.weights import Weights, fitted_weights, load_weights

NO_WEIGHTS = "none"


@dataclass(frozen=True)
class Solved:
    """What a solve proved: the score for the side to move lies from ``lower`` to ``upper``, in the game's unit.

    ``solved`` says that the score is exact and ``pv`` is best play of both sides to the end of the game.
    """

    solved: bool
    lower: int
    upper: int
    pv: tuple[str, ...]
    game: Game
    nodes: int
    seconds: float

    @property
    def score(self) -> int | None:
        """The exact score; None if it was not proven."""
        return self.lower if self.lower == self.upper else None

    @property
    def bestmove(self) -> str | None:
        """The best move; None where the game is over or the move was not found."""
        return self.pv[0] if self.pv else None

    def table(self) -> TextTable:
        """The answer for a person."""
        spent = cost(self.nodes, self.seconds)
        if not self.solved:
            return TextTable((), (), (f"not solved: the score {between(self, self.game)}", spent))
        row = (self.bestmove or "the game is over", spoken(self.game, self.lower), " ".join(self.pv))
        return TextTable(("move", f"score ({self.game.whole_unit})", "line"), (row,), (spent,))

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table().html()

    def to_json(self) -> dict[str, Any]:
        """The answer as plain values."""
        return {
            "score": self.score,
            "unit": self.game.unit,
            "bestmove": self.bestmove,
            "pv": list(self.pv),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "solved": self.solved,
            "lower": self.lower,
            "upper": self.upper,
        }


def solve(
    board: BoardLike,
    *,
    weights: str | Weights | None = None,
    nodes: int | None = None,
    movetime: float | None = None,
    memory: int | None = None,
    watch: Callable[[str], None] | None = None,
) -> Solved:
    """Solve a position exactly, for games that have a solver (Othello).

    ``weights`` only order the moves: the score does not depend on them. The default is the game's fitted weights if it
    ships some; ``none`` is a lighter evaluation. The search gives up after ``nodes`` positions or ``movetime`` seconds;
    ``memory`` is the size of the solver's table in bytes.
    """
    game = board.game
    solver = game.hook("solve")
    if solver is None:
        able = ", ".join(name for name in game_names() if "solve" in find_game(name).hooks) or "none"
        raise InputError(f"{game.title} has no solver; games that have one: {able}")
    options: dict[str, Any] = {"nodes": nodes, "seconds": movetime, "watch": _watcher(game, watch)}
    chosen = _ordering(weights, game)
    if chosen is not None:
        options |= {"weights": chosen.engine_row, "terms": chosen.game.terms_module}
    if memory is not None:
        options["table_bytes"] = memory
    found = solver(board.position, **options)
    return Solved(
        solved=found.solved,
        lower=found.lower,
        upper=found.upper,
        pv=tuple(move_texts(game, board.position, found.line)),
        game=game,
        nodes=found.nodes,
        seconds=found.seconds,
    )


def _ordering(weights: str | Weights | None, game: Game) -> Weights | None:
    if weights is None:
        return fitted_weights(game)
    if weights == NO_WEIGHTS:
        return None
    return load_weights(weights, game) if isinstance(weights, str) else weights


def between(found: Any, game: Game) -> str:
    """What is known of a score."""
    if found.lower == found.upper:
        return f"is {with_unit(game, found.lower)}, the best moves are not known"
    return f"lies from {spoken(game, found.lower)} to {with_unit(game, found.upper)}"


def _watcher(game: Game, watch: Callable[[str], None] | None) -> Any:
    """Reports how far the solver is."""

    def report(progress: Any) -> None:
        assert watch is not None
        speed = progress.nodes / max(progress.seconds, 1e-9) / 1e6
        watch(f"{progress.nodes:,} nodes, {speed:.1f} million/s, the score {between(progress, game)}")

    return None if watch is None else report
