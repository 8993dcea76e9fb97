"""Many trees that grow together: the leaves of all are evaluated at once, by whatever function is handed in.

    trees = [LeafTree(game, evaluator) for _ in range(64)]
    for tree in trees: tree.place(position)
    grow_together(trees, simulations=100)
    trees[0].moves()

An `Evaluator` takes leaves (their positions, and what utilities need of them) and gives values and distributions over
slots. So the search knows nothing of nets, and one batch serves many games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from evalsmith.compile import address, load
from evalsmith.engine.limit import Line
from evalsmith.engine.mcts import blocks, leaves, slots
from evalsmith.engine.mcts.memory import allocate, usage
from evalsmith.engine.mcts.reuse import reuse_subtree
from evalsmith.engine.mcts.searcher import default_scale
from evalsmith.engine.mcts.view import RootMove, TreeView
from evalsmith.engine.memory import Memory
from evalsmith.games import Game, Position
from evalsmith.games.planes import planes_of
from evalsmith.weights import starting_weights

Reals: TypeAlias = npt.NDArray[np.float64]

EXPLORATION = 1.5
EXPLORATION_ALONE = 0.4  # of games for one, whose values differ by less: a pill is a twentieth
_REBASE_MOVES = 8  # moves after which utilities count from the root again
_BYTES_OF_NODE = 1200  # with its edges, in most games


@dataclass(frozen=True)
class Leaves:
    """Leaves of several trees, one a row.

    In games for one ``base_left`` and ``moves`` are what was left to clear and the moves made since, for `utility`, and
    ``expected`` the moves that were expected then (0 where none were).
    """

    positions: npt.NDArray[np.uint64]
    base_left: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    expected: Reals

    def __len__(self) -> int:
        return len(self.positions)


Evaluator: TypeAlias = Callable[[Leaves], tuple[Reals, Reals]]
"""Values from -1 to 1 for the side to move, and rows of shares of slots."""


class LeafTree:
    """The tree of one game; up to ``width`` of its leaves wait for their values at the same time."""

    def __init__(
        self,
        game: Game,
        *,
        width: int = 1,
        exploration: float | None = None,
        memory_bytes: int = 0,
        simulations: int = 100,
        even_chance: bool = False,
    ) -> None:
        load(leaves.plant_root, leaves.descend, leaves.absorb, leaves.add_noise, reuse_subtree)
        self.game = game
        scale = default_scale(game)
        weights = starting_weights(game)
        planes = planes_of(game)
        if exploration is None:
            exploration = EXPLORATION_ALONE if planes.left is not None else EXPLORATION
        memory = memory_bytes or (2 << 20) + 4 * simulations * _BYTES_OF_NODE
        self.contexts = allocate(game, weights, (exploration, 0.5 / scale), width, memory)
        self.context = self.contexts[0]
        for context in self.contexts:
            row = context.row
            row[slots.SELECTION], row[slots.PRIOR] = slots.PUCT, slots.UNIFORM
            row[slots.EVEN_CHANCE] = int(even_chance)
            row[slots.LEFT] = address(planes.left) if planes.left is not None else 0
            row[slots.DEFERRED] = int(planes.deferred)
        self._planes, self._view = planes, TreeView(game, self.context, scale)
        self.new_game()

    def new_game(self) -> None:
        """Forget everything."""
        slots.arena.of(self.context)[blocks.ROOT] = 0
        self.context.row[slots.TOP] = blocks.FIRST_BLOCK
        self._played: list[int] = []
        self._set_base(0, 0, 0.0)

    def _set_base(self, left: int, moves: int, expected: float) -> None:
        for context in self.contexts:
            context.row[slots.BASE_LEFT], context.row[slots.BASE_MOVES] = left, moves
            context.row[slots.EXPECTED] = round(1000 * expected)

    def place(
        self, position: Position, history: Sequence[Position] = (), moved: int = 0, expected: float = 0.0
    ) -> None:
        """Make a position the root, and keep what is known of it; ``moved`` is how many moves were made since the last.

        Where a utility counts from an earlier root that is far away, the tree begins anew; it also does where chance is
        deferred, since most of what it knows is about other outcomes. With ``expected`` moves to the end values say how
        much quicker a game for one is (`utility.pace`).
        """
        game, row = self.game, self.context.row
        depth = slots.FIND_DEPTH
        if row[slots.REPEATS]:
            played = [game.key(earlier) for earlier in history[-game.max_plies :]]
            follows = played[: len(self._played)] == self._played
            depth = len(played) - len(self._played) if follows and len(played) - len(self._played) <= depth else -1
            checks = [int(game.check(earlier)) for earlier in history[-game.max_plies :]]
            for context in self.contexts:
                slots.keys.of(context)[: len(played), 0] = np.array(played, dtype=np.uint64)
                slots.checks.of(context)[: len(played), 0] = checks
                context.row[slots.HISTORY_LENGTH] = len(played)
            self._played = played
        left, moves = 0, 0
        if row[slots.LEFT]:
            left, moves = int(self._planes.count_left(position[None])[0]), int(row[slots.BASE_MOVES]) + moved
            if left != row[slots.BASE_LEFT] or moves > _REBASE_MOVES or expected or row[slots.DEFERRED]:
                depth = -1
        slots.positions.of(self.context)[slots.NEXT_ROW] = position
        row[slots.FULL] = 0
        kept = reuse_subtree(row, depth)
        self._set_base(int(row[slots.BASE_LEFT]) if kept else left, moves if kept else 0, expected)
        for context in self.contexts:
            slots.positions.of(context)[slots.ROOT_ROW] = position
            for slot in (slots.SIMULATIONS, slots.PLIES, slots.SELDEPTH):
                context.row[slot] = 0
        leaves.plant_root(row)

    def mix_noise(self, noise: Reals, share: float) -> None:
        """Mix noise into the priors of the root, which has its edges by then."""
        leaves.add_noise(self.context.row, noise, share)

    # ── What `grow_together` does ──

    @property
    def expanded(self) -> bool:
        """Whether the root has its edges."""
        return bool(self.arena[self._view.root + blocks.EDGES] > 0)

    @property
    def arena(self) -> npt.NDArray[np.int64]:
        """The words of the tree."""
        found: npt.NDArray[np.int64] = self._view.arena
        return found

    @property
    def simulations(self) -> int:
        """Simulations since the root was placed."""
        return sum(int(context.row[slots.SIMULATIONS]) for context in self.contexts)

    @property
    def proven(self) -> bool:
        """Whether nothing is left to find out."""
        return self._view.proven

    def open_leaves(self, limit: int) -> list[Any]:
        """The contexts whose leaf waits for a value, at most ``limit`` simulations altogether."""
        found: list[Any] = []
        for context in self.contexts:
            while self.simulations + len(found) < limit and not self.proven:
                said = leaves.descend(context.row)
                if said == leaves.OPEN:
                    found.append(context)
                if said != leaves.DONE:
                    break
            else:
                break
        return found

    # ── What the tree says ──

    @property
    def visits(self) -> int:
        """Visits of the root, those of earlier searches included."""
        return int(self.arena[self._view.root + blocks.VISITS]) & blocks.VISITED

    def moves(self) -> tuple[RootMove, ...]:
        """All moves at the root, best first."""
        return self._view.moves()

    def lines(self, count: int) -> tuple[Line, ...]:
        """The best lines."""
        return self._view.lines(count)

    @property
    def depth(self) -> int:
        """The mean length of a simulation."""
        return round(sum(int(context.row[slots.PLIES]) for context in self.contexts) / max(self.simulations, 1))

    @property
    def memory(self) -> Memory:
        """What the tree takes."""
        return usage(self.contexts)


def grow_together(
    trees: Sequence[LeafTree], evaluate: Evaluator, simulations: int, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Let every tree make its simulations; each round evaluates the leaves of all trees in one batch."""
    if not trees:
        return
    growing = list(trees)
    while growing and not stopped():
        growing = _round(growing, evaluate, simulations)


def _round(trees: Sequence[LeafTree], evaluate: Evaluator, simulations: int) -> list[LeafTree]:
    """One batch; the trees that have simulations left."""
    waiting, growing = [], []
    for tree in trees:
        found = tree.open_leaves(simulations)
        waiting += found
        if found:
            growing.append(tree)
    if waiting:
        absorb_leaves(trees[0].game, waiting, evaluate)
    return growing


def absorb_leaves(game: Game, waiting: Sequence[Any], evaluate: Evaluator) -> None:
    """Have open leaves evaluated, and back their values up."""
    positions = np.stack([slots.positions.of(context)[leaves.LEAF_ROW] for context in waiting])
    base = np.array([int(context.row[slots.BASE_LEFT]) for context in waiting], dtype=np.int64)
    moves = np.array([int(context.row[slots.LEAF_MOVES]) for context in waiting], dtype=np.int64)
    expected = np.array([int(context.row[slots.EXPECTED]) / 1000 for context in waiting])
    values, policies = evaluate(Leaves(positions, base, moves, expected))
    for context, position, value, policy in zip(waiting, positions, values, policies, strict=True):
        sign = 1.0 if game.players == 1 or game.mover(position) == 0 else -1.0
        leaves.absorb(context.row, sign * float(value), policy)
