"""Who chooses the moves of many games at once: a net with its search, or somebody without a net.

A pilot is asked for all games that wait for a move, and answers with what it says of each. A net evaluates the leaves
of all games in one batch. Without a net play UCB1 with random games, the tree search with the linear evaluation, or any
player of ours, whose values of all moves become a distribution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from evalsmith.engine import Limit, MctsSearcher
from evalsmith.engine.mcts.searcher import RootMove
from evalsmith.engine.mcts.together import LeafTree, absorb_leaves, grow_together
from evalsmith.engine.mcts.utility import PACE
from evalsmith.games import Game
from evalsmith.games.board import Board
from evalsmith.net.inference import NetEvaluator
from evalsmith.players import Player
from evalsmith.run import InputError, derive
from evalsmith.weights import Weights

ROLLOUTS, WEIGHTS = "rollouts", "weights"
FIRST = (ROLLOUTS, WEIGHTS)
_TEACHER_TABLE = 1 << 18  # bytes, cleared before every move
_TOLD_VISITS = 3  # a mean of fewer is hardly more than the net's own word
_STEEP = 0.98  # beyond it, the pace is flat: it no longer tells durations apart
_VISITS = 1_000_000  # what a whole distribution is divided into
UCB1 = 0.7  # of values from -1 to 1; the 2·√2 of the theory visits all moves alike until there are 100,000 simulations


@dataclass(frozen=True)
class Noise:
    """Dirichlet noise at the root: this share of the priors, from a distribution with this concentration."""

    share: float = 0.0
    concentration: float = 0.3


class Waiting(Protocol):
    """A game that waits for a move."""

    board: Board
    number: int
    moves_made: int


class Pilot(Protocol):
    """Chooses moves for many games."""

    def search(self, games: Sequence[Waiting]) -> list[tuple[RootMove, ...]]:
        """What the tree says of every game's position: moves with visits, best first."""

    def forget(self, number: int) -> None:
        """The game of that number is over."""


class NetPilot:
    """A net and PUCT; one tree a game, which is used on after its moves."""

    def __init__(
        self,
        game: Game,
        evaluate: NetEvaluator,
        simulations: int,
        *,
        width: int = 1,
        exploration: float | None = None,
        noise: Noise = Noise(),
        seed: int = 1,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.game, self.evaluate, self.simulations = game, evaluate, simulations
        self.width, self.exploration, self.noise, self.seed = width, exploration, noise, seed
        self.stopped = stopped
        self._trees: dict[int, LeafTree] = {}
        self._free: list[LeafTree] = []
        self._placed: dict[int, int] = {}

    def tree(self, number: int) -> LeafTree:
        """The tree of a game."""
        if number not in self._trees:
            made = self._free.pop() if self._free else LeafTree(
                self.game, width=self.width, exploration=self.exploration, simulations=self.simulations
            )  # fmt: skip
            made.new_game()
            self._trees[number] = made
        return self._trees[number]

    def search(self, games: Sequence[Waiting]) -> list[tuple[RootMove, ...]]:
        """Grow the trees of all games together."""
        trees = []
        expected = self.evaluate.expect(np.stack([one.board.position for one in games])).tolist()
        for one, wanted in zip(games, expected, strict=True):
            tree, moves = self.tree(one.number), one.moves_made
            tree.place(one.board.position, one.board.history if self.game.has_repetition else (),
                       moves - self._placed.get(one.number, moves), wanted)  # fmt: skip
            self._placed[one.number] = moves
            trees.append(tree)
        if self.noise.share > 0:
            self._add_noise(games, trees)
        grow_together(trees, self.evaluate, self.simulations, self.stopped)
        said = [tree.moves() for tree in trees]
        if self.game.players == 2:
            return said
        return [tell_durations(moves, wanted) for moves, wanted in zip(said, expected, strict=True)]

    def _add_noise(self, games: Sequence[Waiting], trees: Sequence[LeafTree]) -> None:
        """Noise for each root, which first gets its edges if it is new; a game's noise depends on its own seed."""
        new = [tree.open_leaves(1) for tree in trees if not tree.expanded]
        if opened := [context for contexts in new for context in contexts]:
            absorb_leaves(self.game, opened, self.evaluate)
        for one, tree in zip(games, trees, strict=True):
            source = np.random.default_rng(derive(self.seed, "noise", one.number, one.board.ply))
            count = len(tree.moves())
            tree.mix_noise(source.dirichlet(np.full(max(count, 1), self.noise.concentration)), self.noise.share)

    def forget(self, number: int) -> None:
        """Keep the memory of the tree for another game."""
        if number in self._trees:
            self._free.append(self._trees.pop(number))
        self._placed.pop(number, None)


def tell_durations(said: Sequence[RootMove], expected: float) -> tuple[RootMove, ...]:
    """Moves of a game for one, with scores that the search gives them: minus the moves to the end, in hundredths.

    A value is how much quicker than ``expected`` the game goes on (`evalsmith.engine.mcts.utility.pace`); so values of
    different positions do not compare, and these scores do.
    """
    told = ((one, _told(one, expected)) for one in said)
    return tuple(one if score is None else replace(one, score=score) for one, score in told)


def _told(one: RootMove, expected: float) -> int | None:
    """None where too few simulations went there, or where the game is over by then."""
    if one.proven or one.visits < _TOLD_VISITS:
        return None
    quicker = PACE * math.atanh(max(-_STEEP, min(_STEEP, 2 * one.value - 1)))
    return round(-100 * max(expected - quicker, 0.0))


class SearchPilot:
    """A search without a net, one game after another: random games (UCB1), or the linear evaluation (PUCT)."""

    def __init__(self, game: Game, how: str, simulations: int, weights: Weights | None = None, seed: int = 1) -> None:
        self.game, self.simulations, self.seed = game, simulations, seed
        self._searcher = rollout_searcher(game, seed) if how == ROLLOUTS else MctsSearcher(game, weights, seed=seed)

    def search(self, games: Sequence[Waiting]) -> list[tuple[RootMove, ...]]:
        """Think about each game; what it finds depends on the game's number and ply alone."""
        found = []
        for one in games:
            self._searcher.seed = derive(self.seed, "search", one.number, one.board.ply) >> 2
            self._searcher.new_game()
            history = one.board.history if self.game.has_repetition else ()
            self._searcher.think(one.board.position, Limit(nodes=self.simulations), history=history)
            found.append(self._searcher.moves())
        return found

    def forget(self, number: int) -> None:
        """Nothing is kept."""


class PlayerPilot:
    """A player of ours, one game after another: shares of the moves by visits, or by their values.

    A move whose value is worse than the best one by ``spread``, in the game's unit, has 1/e of its share.
    """

    def __init__(self, player: Player, simulations: int, spread: float, seed: int = 1) -> None:
        self.game, self.player, self.spread, self.seed = player.game, player, spread, seed
        self._limit = player.limit or Limit(nodes=simulations)
        self._thinker: Any = None
        if player.added is not None:
            self._thinker = player.added.make(seed)
        elif player.method == "mcts":
            self._thinker = player.tree_searcher(seed)
        elif not player.random:
            self._thinker = replace(player, table_bytes=_TEACHER_TABLE).searcher(self._limit, seed)

    def search(self, games: Sequence[Waiting]) -> list[tuple[RootMove, ...]]:
        """Think about each game, and forget the one before."""
        return [self._said(one) for one in games]

    def _said(self, one: Waiting) -> tuple[RootMove, ...]:
        if self._thinker is None:
            source = np.random.default_rng(derive(self.seed, "random", one.number, one.board.ply))
            order = source.permutation(self.game.moves(one.board.position)).tolist()
            return tuple(RootMove(move, 1, 0.0, 1 / len(order), False) for move in order)
        self._thinker.new_game()
        history = one.board.history if self.game.has_repetition else ()
        found = self._thinker.think(one.board.position, self._limit, self.game.max_moves, history=history)
        shares = value_shares([line.score for line in found.lines], self.spread)
        return tuple(
            RootMove(
                line.move,
                round(share * _VISITS) if line.visits is None else line.visits,
                0.0,
                line.prior or 0.0,
                False,
                line.score,
            )
            for line, share in zip(found.lines, shares, strict=True)
        )

    def forget(self, number: int) -> None:
        """Nothing is kept."""


def value_shares(values: Sequence[int], spread: float) -> npt.NDArray[np.float64]:
    """Values as a distribution: worse by ``spread`` is 1/e of the share."""
    found = np.array(values, dtype=np.float64)
    shares: npt.NDArray[np.float64] = np.exp((found - found.max()) / spread)
    return shares / shares.sum()


def check_teacher(player: Player) -> Player:
    """Refuse a player that cannot say what all moves are worth."""
    if player.outside is not None:
        raise InputError(f"player {player.name!r} is an outside program; a net learns from our own players")
    return player


def rollout_searcher(game: Game, seed: int, exploration: float = UCB1, memory_bytes: int = 64 << 20) -> MctsSearcher:
    """Round 0: UCB1, random games, all outcomes of chance alike; in games for one the utility of what they clear."""
    return MctsSearcher(
        game,
        rollout="random",
        selection="uct",
        exploration=exploration if game.players == 1 else None,
        memory_bytes=memory_bytes,
        clearing=game.players == 1,
        seed=seed,
    )
