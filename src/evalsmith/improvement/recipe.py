"""What suits a kind of game where the user says nothing: how many games, how many nodes, and what is fitted to what.

Games with a margin are fitted by least squares to a mixture of results and search scores, games that are only won or
lost by Texel's method to the search scores of quiet positions. What was compared by matches is in
docs/measuring.md; the other numbers are what has worked so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from evalsmith.fit.settings import TuneSettings
from evalsmith.games import Game
from evalsmith.improvement.settings import ImproveSettings
from evalsmith.run import InputError
from evalsmith.weights import Layout, Weights

MANY_WEIGHTS = 1 << 20  # a layout that needs more games than others
FEW_WEIGHTS = 1000
SOLVED = 10  # the stage from which on a game's solver is asked


@dataclass(frozen=True)
class Candidate:
    """One way to fit: the penalty on changes, and the weight of a game's result beside the scores of its searches."""

    penalty: float
    result_share: float

    def __str__(self) -> str:
        return f"penalty {self.penalty:g}, result share {self.result_share:g}"


@dataclass(frozen=True)
class Recipe:
    """How one game is improved, with everything resolved."""

    game: Game
    games: int
    nodes: int
    penalty: tuple[float, ...]
    result_share: tuple[float, ...]
    solved: int | None = None  # the stage from which on values are exact; None where the game has no solver

    @property
    def by_margin(self) -> bool:
        """Whether values are fitted by least squares to margins."""
        return self.game.win == 0

    def candidates(self, best: Weights) -> tuple[Candidate, ...]:
        """The fits to try; searches of weights that are all zero say nothing, so results count alone there."""
        shares = self.result_share if best.values.any() else (1.0,)
        return tuple(Candidate(*pair) for pair in product(self.penalty, shares))

    def fit_settings(self, candidate: Candidate, seed: int) -> TuneSettings:
        """How one candidate is fitted."""
        plain = TuneSettings(penalty=candidate.penalty, seed=seed)
        if self.by_margin:
            # The values are made by `margin_values` before the fit; nearby stages are alike, so little tolerance.
            return replace(plain, target="label", window=4, tolerance=0.0005)
        if self.game.players == 1:
            return plain
        share = candidate.result_share
        target = {0.0: "score", 1.0: "result"}.get(share, "mix")
        return replace(plain, target=target, result_share=share)


def require_terms(game: Game) -> None:
    """Refuse a game that has no weights."""
    if not hasattr(game.terms_module, "evaluation") or not game.evaluation.features:
        raise InputError(
            f"{game.title} has no terms, so it has no weights to improve; give {game.terms_module.__name__} an "
            "evaluation with features"
        )


def recipe_for(game: Game, settings: ImproveSettings) -> Recipe:
    """What suits a game, with what the user says in its place."""
    layout = Layout.of(game)
    if game.win == 0:
        large = layout.size * len(layout.columns) > MANY_WEIGHTS
        chosen = Recipe(game, 10_000 if large else 6_000, 200 if large else 300, (100.0,), (0.5, 0.25))
    elif game.players == 1:
        chosen = Recipe(game, 500, 200, (1000.0,), (0.0,))
    else:
        # The result of a game is one bit for all its positions: it says something of few weights.
        few = layout.size * len(layout.columns) <= FEW_WEIGHTS
        chosen = Recipe(game, 4_000, 200 if few else 1_000, (10.0,), (0.0, 0.5) if few else (0.0,))
    return replace(
        chosen,
        games=settings.games or chosen.games,
        nodes=settings.nodes or chosen.nodes,
        penalty=settings.penalty or chosen.penalty,
        result_share=settings.result_share or chosen.result_share,
        solved=_solved(game, settings),
    )


def _solved(game: Game, settings: ImproveSettings) -> int | None:
    """The stage from which on games are solved."""
    if game.hook("solve_many") is None:
        if settings.solved is not None:
            raise InputError(f"{game.title} has no solver for many positions; leave out --solved")
        return None
    return SOLVED if settings.solved is None else settings.solved
