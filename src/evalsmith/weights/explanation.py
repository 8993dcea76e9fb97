"""Where the evaluation of one position comes from, term by term."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import numpy as np

from evalsmith.games import Game, Position, find_game
from evalsmith.games.contract import PHASE, call_evaluate, call_position, call_terms
from evalsmith.run import InputError
from evalsmith.run.tables import TextTable
from evalsmith.weights.file import Weights
from evalsmith.weights.named import load_weights

SHOWN = 25  # parts that are shown


@dataclass(frozen=True)
class Part:
    """One entry of the sum: ``value`` times the blended ``weight`` is ``part``, in the game's unit."""

    term: str
    feature: str
    index: str
    value: int
    weight: float
    part: float


@dataclass(frozen=True, repr=False)
class Explanation:
    """The score for the mover and its parts, largest first; the parts add up to the score before rounding."""

    score: int
    phase: int
    parts: tuple[Part, ...]
    units: str
    mover: str

    def table(self, rows: int = SHOWN) -> TextTable:
        """The largest parts, one a row."""
        cells = tuple((part.term, part.index, part.value, part.weight, part.part) for part in self.parts[:rows])
        rest = len(self.parts) - rows
        more = (f"and {rest} smaller ones",) if rest > 0 else ()
        score = f"score {self.score:+d} {self.units} for {self.mover}, who moves"
        return TextTable(("term", "is", "value", "weight", "part"), cells, (*more, score))

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.table().html()


class HasPosition(Protocol):
    """A board: a game and a position of it."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def position(self) -> Position:
        """The position."""


def explain(
    board: HasPosition | Game | str, position: Position | str | None = None, weights: Weights | str | Path | None = None
) -> Explanation:
    """Break down the evaluation of a position, term by term.

    ``board`` is a board, or a game with an optional ``position`` (default: the start). The default of ``weights`` is
    what our search uses.

        explain("othello", weights="hand-set")
    """
    if isinstance(board, str | Game):
        game = find_game(board) if isinstance(board, str) else board
        here = game.start() if position is None else game.parse(position) if isinstance(position, str) else position
    else:
        if position is not None:
            raise InputError("a board has a position of its own; give a game to explain another")
        game, here = board.game, board.position
    chosen = weights if isinstance(weights, Weights) else load_weights(weights or "self", game)
    return explain_position(chosen, here)


def explain_position(weights: Weights, position: Position) -> Explanation:
    """The parts of the evaluation of a position by some weights."""
    game, layout = weights.game, weights.layout
    evaluation = game.evaluation
    context = game.context(evaluation=True)
    weights.attach(context)
    index = np.zeros(game.max_terms, dtype=np.int32)
    value = np.zeros(game.max_terms, dtype=np.int16)
    count = call_terms(context.row, position, index, value)
    phase = int(call_position(context.row, PHASE, position))
    first, second, share = layout.blend[phase]
    describe = {feature.name: feature.describe for feature in evaluation.features}
    parts = []
    for i in range(count):
        feature, within = layout.feature_at(int(index[i]))
        exact = Fraction(
            (layout.scale - share) * int(weights.values[first, index[i]])
            + share * int(weights.values[second, index[i]]),
            layout.scale,
        )
        term = evaluation.terms[i][0] if evaluation.terms else feature
        amount = int(value[i])
        parts.append(Part(term, feature, describe[feature](within), amount, float(exact), float(exact * amount)))
    parts.sort(key=lambda part: -abs(part.part))
    return Explanation(
        score=int(call_evaluate(context.row, position)),
        phase=phase,
        parts=tuple(parts),
        units=game.units,
        mover=game.sides[game.mover(position)],
    )
