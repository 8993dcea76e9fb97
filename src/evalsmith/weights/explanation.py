"""Where the evaluation of one position comes from: sums by feature and group, then term by term."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from evalsmith.games import Feature, Game, Position, find_game
from evalsmith.games.contract import PHASE, call_evaluate, call_position, call_terms
from evalsmith.games.evaluation import BOTH, DIFFERENCE, EACH, ENEMY, MOVER
from evalsmith.games.scores import with_unit
from evalsmith.run import InputError
from evalsmith.run.results import Result
from evalsmith.run.tables import TextTable
from evalsmith.weights.file import Weights, linear_only
from evalsmith.weights.named import load_weights
from evalsmith.weights.summing import Contribution, Pair, Sums, add_up

SHOWN = 25  # parts that are shown


@dataclass(frozen=True)
class Part:
    """One entry of the sum: ``value`` times the blended ``weight`` is ``part``, in the game's unit.

    ``index`` says what it is, with squares as the board names them; ``side`` whose it is, None where it is not one's.
    """

    term: str
    feature: str
    index: str
    value: int
    weight: float
    part: float
    side: str | None = None


@dataclass(frozen=True, repr=False)
class Explanation(Result):
    """The score for the mover, its parts, largest first, and their sums; parts add up to the score before rounding."""

    score: int
    phase: int
    parts: tuple[Part, ...]
    sums: Sums
    game: Game
    mover: str

    @property
    def rounding(self) -> float:
        """The score less the sum of its parts."""
        return float(self.score - self.sums.total)

    def table(self, rows: int = SHOWN) -> TextTable:
        """The largest parts, one a row."""
        sided = any(part.side for part in self.parts) and self.game.players > 1
        cells = tuple(
            (*((part.side or "",) if sided else ()), part.term, part.index, part.value, part.weight, part.part)
            for part in self.parts[:rows]
        )
        rest = len(self.parts) - rows
        more = (f"and {rest} smaller ones",) if rest > 0 else ()
        rounded = f"the parts add up to {float(self.sums.total):+.2f}, rounded {self.score:+d} {self.game.units}"
        whole = self.sums.total.denominator == 1
        exact = f"the parts add up to {self.score:+d} {self.game.units}"
        columns = (*(("side",) if sided else ()), "term", "is", "value", "weight", "part")
        return TextTable(columns, cells, (*more, exact if whole else rounded, self._sentence()))

    def _sentence(self) -> str:
        return f"score {with_unit(self.game, self.score)} for {self.mover}, who moves"

    def tables(self, rows: int = SHOWN) -> tuple[TextTable, ...]:
        """The sums, then the largest parts."""
        if not self.parts:
            return (TextTable((), (), ("no term of the evaluation occurs in this position", self._sentence())),)
        return self.sums.table(self.game.units), self.table(rows)

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith explain --json``."""
        return {
            "score": self.score,
            "unit": self.game.unit,
            "mover": self.mover,
            "rounding": self.rounding,
            "sums": self.sums.to_json(),
            "terms": [asdict(part) for part in self.parts],
        }


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


@dataclass(frozen=True)
class _Term:
    """What the kernel emitted: the number of the term, its index in a column and in its feature, and its value."""

    number: int
    index: int
    feature: Feature
    within: int
    value: int


def explain_position(weights: Weights, position: Position) -> Explanation:
    """The parts of the evaluation of a position by some weights."""
    linear_only(weights, "explanations take apart")
    game, layout = weights.game, weights.layout
    context = game.context(evaluation=True)
    weights.attach(context)
    phase = int(call_position(context.row, PHASE, position))
    first, second, share = layout.blend[phase]
    blended = (first,) if first == second else (first, second)
    late = Fraction(share, layout.scale)
    mover = game.mover(position)
    amounts = game.evaluation.amounts
    held = [amounts(position, side) for side in range(game.players)] if amounts and game.players == 2 else None
    found = list(_emitted(weights, context.row, position))
    parts, contributions = [], []
    for term in [*found, *_balanced(weights, found, held)]:
        exact = tuple(Fraction(int(weights.values[column, term.index])) for column in blended)
        weight = exact[0] if len(exact) == 1 else (1 - late) * exact[0] + late * exact[1]
        owner = _owner(term, mover, game)
        if term.number >= 0:
            parts.append(_part(game, position, term, weight, owner))
        total = tuple(term.value * one for one in exact)
        sides = _by_side(term, exact, mover, held) if game.players == 2 else None
        contributions.append((term.index, Contribution(_group(term.feature), term.feature.name, total, sides)))
    parts.sort(key=lambda part: -abs(part.part))
    contributions.sort(key=lambda one: one[0])
    columns = tuple(layout.columns[column] for column in blended)
    return Explanation(
        score=int(call_evaluate(context.row, position)),
        phase=phase,
        parts=tuple(parts),
        sums=add_up((one for _, one in contributions), columns, late, game.sides, mover),
        game=game,
        mover=game.sides[mover],
    )


def _emitted(weights: Weights, context: Any, position: Position) -> Iterator[_Term]:
    """The terms of a position in the order of the kernel."""
    game = weights.game
    index = np.zeros(game.max_terms, dtype=np.int32)
    value = np.zeros(game.max_terms, dtype=np.int16)
    for number in range(call_terms(context, position, index, value)):
        yield _Term(number, int(index[number]), *_feature_at(weights, int(index[number])), int(value[number]))


def _balanced(weights: Weights, found: list[_Term], held: list[Mapping[int, int]] | None) -> Iterator[_Term]:
    """What both sides have equally much of: no term, but the sums of the sides need it."""
    if held is None:
        return
    known = {term.index for term in found}
    for index, amount in held[0].items():
        feature, within = _feature_at(weights, index)
        if amount and index not in known and feature.whose == DIFFERENCE and amount == held[1][index]:
            yield _Term(-1, index, feature, within, 0)


def _feature_at(weights: Weights, index: int) -> tuple[Feature, int]:
    name, within = weights.layout.feature_at(index)
    return next(feature for feature in weights.game.evaluation.features if feature.name == name), within


def _group(feature: Feature) -> str:
    return feature.group or feature.name


def _owner(term: _Term, mover: int, game: Game) -> int | None:
    """The side whose a term is, where it is one's alone."""
    whose = term.feature.whose
    if game.players != 2 or whose in ("", BOTH, DIFFERENCE):
        return None
    enemy = whose == ENEMY or (whose == EACH and term.value < 0)
    return 1 - mover if enemy else mover


def _part(game: Game, position: Position, term: _Term, weight: Fraction, owner: int | None) -> Part:
    evaluation, feature = game.evaluation, term.feature
    name = evaluation.terms[term.number][0] if evaluation.terms else feature.name
    text = evaluation.locate(position, term.number) if evaluation.locate else None
    if text is None and owner is not None and feature.on_board is not None:
        text = feature.on_board(term.within, owner)
    return Part(
        name,
        feature.name,
        feature.describe(term.within) if text is None else text,
        term.value,
        float(weight),
        float(weight * term.value),
        None if owner is None else game.sides[owner],
    )


def _by_side(term: _Term, weights: Pair, mover: int, held: list[Mapping[int, int]] | None) -> tuple[Pair, ...] | None:
    """What a term is worth to each side, as that side sees it; None where it is about both or nobody says."""
    whose, value = term.feature.whose, term.value
    own, enemy = 0, 0
    if whose == DIFFERENCE and held is not None:
        own, enemy = held[mover][term.index], held[1 - mover][term.index]
    elif whose == MOVER or (whose == EACH and value > 0):
        own = value
    elif whose in (ENEMY, EACH):
        enemy = -value
    else:
        return None
    by_mover = tuple(own * one for one in weights), tuple(enemy * one for one in weights)
    return by_mover if mover == 0 else by_mover[::-1]
