"""Monte Carlo tree search as Python sees it: allocate once, think under a limit, get lines back.

**Values.** The tree works with values between -1 and 1. A finished game is worth result / ``win``, or, where the
result is a margin, tanh(result / 2·``scale``): the same curve as the evaluation, which is worth
tanh(evaluation / 2·``scale``), a logistic function stretched to -1…1. So among margins a close one counts most.
In a game for one player evaluations have no natural zero; there that of the root counts as 0, and the
tree is not kept once the evaluation has moved on by more than ``scale``.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from time import monotonic_ns, perf_counter

import numpy as np

from evalsmith.compile import address, load
from evalsmith.engine.limit import MAX_THREADS, NO_LIMIT, Limit, Line, SearchResult, State
from evalsmith.engine.mcts import blocks, simulation, slots
from evalsmith.engine.mcts.memory import allocate, usage
from evalsmith.engine.mcts.pruning import prune
from evalsmith.engine.mcts.reuse import reuse_subtree
from evalsmith.engine.mcts.view import RootMove, TreeView
from evalsmith.engine.memory import Memory
from evalsmith.games import contract
from evalsmith.games.game import PLAYER, Game, Position
from evalsmith.games.planes import planes_of
from evalsmith.run import InputError
from evalsmith.scale import on_threads
from evalsmith.weights import Weights, default_weights

__all__ = ["MctsSearcher", "RootMove"]

_GLANCE = 0.005  # seconds between two looks at the stop flag while room is made

DEFAULT_MEMORY_BYTES = 64 << 20
ROLLOUTS = ("evaluation", "random")
SELECTIONS = {"uct": slots.UCT, "puct": slots.PUCT}
PRIORS = {"uniform": slots.UNIFORM, "order": slots.BY_ORDER, "evaluation": slots.BY_EVALUATION}
MAX_ROLLOUT_PLIES = 1000  # random chess can last 12,000 plies; by then the evaluation has long seen who wins
# Evaluations differ by far less than results, so they need less exploration.
_EXPLORATION = {"uct": {"evaluation": 0.15, "random": 0.7}, "puct": {"evaluation": 0.6, "random": 3.0}}
_ELO_SCALE = 400 / math.log(10)  # centipawns for odds of e
_MARGIN_SCALE = 1000.0  # ten discs or stones
_SEED_STEP = 0x9E3779B97F4A7C15  # between the generators of two threads: the golden ratio of 2⁶⁴


def default_scale(game: Game) -> float:
    """What an advantage is measured by: one of this makes odds of e."""
    return min(_ELO_SCALE, game.win / 6) if game.win else _MARGIN_SCALE


class MctsSearcher:
    """Monte Carlo tree search with given weights; a searcher thinks of one position at a time.

    ``memory_bytes`` bounds the tree and the work arrays of all threads. A full tree forgets what was seldom visited.
    ``threads`` is how many threads grow the tree together.
    ``rollout`` says how a leaf gets its value: by the evaluation, or by random moves to the end of the game.
    ``rollout_plies`` changes how many random moves come before the evaluation: 0, or up to 1000 for "random".
    ``selection`` is "puct" (moves are tried by ``priors``) or "uct" (UCB1; every move is tried once first).
    ``priors`` are "uniform", or a softmax of the game's "order" of the moves or of the "evaluation" after each; that
    is what PUCT takes if nothing else is said.
    ``clearing`` makes values of what a game for one clears and how soon (`utility`), by random moves alone, with all
    outcomes of chance visited alike; the tree then begins anew with every root.
    With one thread and a fixed number of simulations a search repeats exactly, given the same ``seed`` and the same
    searches since ``new_game``. With more threads it does not: ``repeats`` tells.
    """

    def __init__(
        self,
        game: Game,
        weights: Weights | None = None,
        *,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        threads: int = 1,
        rollout: str = "evaluation",
        rollout_plies: int | None = None,
        selection: str = "puct",
        exploration: float | None = None,
        priors: str | None = None,
        scale: float | None = None,
        reuse: bool = True,
        clearing: bool = False,
        seed: int = 1,
    ) -> None:
        if priors is None:
            priors = "evaluation" if selection == "puct" else "uniform"
        for what, given, known in (
            ("roll-outs", rollout, ROLLOUTS),
            ("selection", selection, tuple(SELECTIONS)),
            ("priors", priors, tuple(PRIORS)),
        ):
            if given not in known:
                raise InputError(f"the {what} must be one of {', '.join(known)}, not {given!r}")
        for what, number in (("exploration", exploration), ("scale", scale)):
            if number is not None and not 0 < number < math.inf:
                raise InputError(f"the {what} must be above 0 and finite, not {number}")
        if not 1 <= threads <= MAX_THREADS:
            raise InputError(f"the number of threads must be from 1 to {MAX_THREADS}, not {threads}")
        if rollout_plies is not None and not 0 <= rollout_plies < NO_LIMIT:
            raise InputError(f"the plies of a rollout must be at least 0, not {rollout_plies}")
        if not 0 <= seed < NO_LIMIT:
            raise InputError(f"the seed must be from 0 to {NO_LIMIT - 1}, not {seed}")
        load(simulation.plant, simulation.run, prune, reuse_subtree)
        self.game = game
        self.weights = weights or default_weights(game)
        self.scale = scale or default_scale(game)
        self.threads, self.reuse, self.seed = threads, reuse, seed
        constants = (exploration or _EXPLORATION[selection][rollout], 0.5 / self.scale)
        self.contexts = allocate(game, self.weights, constants, threads, memory_bytes)
        self.context = self.contexts[0]
        if rollout_plies is None:
            rollout_plies = min(MAX_ROLLOUT_PLIES, game.max_plies) if rollout == "random" else 0
        for context in self.contexts:
            context.row[slots.ROLLOUT_PLIES] = rollout_plies
            context.row[slots.SELECTION], context.row[slots.PRIOR] = SELECTIONS[selection], PRIORS[priors]
        self._planes = planes_of(game) if clearing else None
        if self._planes is not None:
            if self._planes.left is None:
                raise InputError(f"{game.title} does not say what is left to clear")
            for context in self.contexts:
                context.row[slots.LEFT], context.row[slots.EVEN_CHANCE] = address(self._planes.left), 1
        self._view = TreeView(game, self.context, self.scale)
        self._still = threading.Lock()  # whoever holds it may rely on the tree staying where it is
        self._played: list[int] = []  # keys of the positions before the root of the tree
        self.new_game()

    @property
    def memory(self) -> Memory:
        """What the search takes, and what the process around it takes; its table is the tree."""
        return usage(self.contexts)

    @property
    def repeats(self) -> bool:
        """Whether a fixed number of simulations finds the same again."""
        return self.threads == 1

    def new_game(self) -> None:
        """Forget all that earlier searches found."""
        with self._still:
            slots.arena.of(self.context)[blocks.ROOT] = 0
            self.context.row[slots.TOP], self.context.row[slots.PRUNED] = blocks.FIRST_BLOCK, 0
            for number, context in enumerate(self.contexts):
                context.row[slots.RANDOM] = (self.seed + number * _SEED_STEP) % NO_LIMIT
                context.row[slots.CENTRE] = 0
            self._played = []

    def stop(self) -> None:
        """Stop the running search; another thread calls this."""
        self.context.row[slots.STOP] = 1

    def think(
        self, position: Position, limit: Limit, multipv: int = 1, history: Sequence[Position] = ()
    ) -> SearchResult:
        """Search a position; ``history`` is what was played before it, oldest first.

        Nodes are simulations. A depth is reached when simulations are so long on average, or memory is full. Soft
        seconds end the search, for it may end anywhere; a single legal move then gets one simulation.
        """
        began = perf_counter()
        row = self.context.row
        if multipv < 1:
            raise InputError(f"multipv must be at least 1, not {multipv}")
        seconds = limit.enough_seconds
        row[slots.TAKEN], row[slots.STOP], row[slots.FULL] = 0, 0, 0
        row[slots.SIMULATION_LIMIT] = limit.nodes or NO_LIMIT
        row[slots.DEPTH_LIMIT] = limit.depth or 0
        row[slots.DEADLINE] = monotonic_ns() + int(seconds * 1e9) if seconds is not None else 0
        for context in self.contexts:
            context.row[slots.SIMULATIONS], context.row[slots.PLIES], context.row[slots.SELDEPTH] = 0, 0, 0
        if self.game.status(position) != PLAYER:
            return SearchResult.empty(perf_counter() - began)
        if limit.soft_seconds is not None and len(self.game.moves(position)) == 1:
            row[slots.SIMULATION_LIMIT] = 1
        self._place_root(position, history)
        lines = self._grow(multipv)
        reached = self.state
        return SearchResult(
            lines=lines,
            depth=reached.depth,
            selective_depth=reached.selective_depth,
            nodes=self.nodes,
            seconds=perf_counter() - began,
        )

    def _grow(self, multipv: int) -> tuple[Line, ...]:
        """Let all threads simulate until a limit strikes, making room whenever the tree is full; what was found."""
        row = self.context.row
        # A depth that does not fit into memory would never be reached.
        row[slots.PRUNING] = int(row[slots.DEPTH_LIMIT] == 0)
        while True:
            for _ in on_threads(lambda context: simulation.run(context.row), self.contexts, self.threads, self.stop):
                pass
            ended = self._struck() or row[slots.TAKEN] >= row[slots.SIMULATION_LIMIT] or self.proven
            lines = self.lines(multipv)
            if ended or not (row[slots.FULL] and row[slots.PRUNING]):
                return lines
            # A large tree takes a tenth of a second, and who says stop has no time: the room is then made behind the
            # answer, and whoever looks at the tree next waits for it.
            self._still.acquire()
            worker = threading.Thread(target=self._make_room, daemon=True)
            worker.start()
            while worker.is_alive():
                if self._struck():
                    return lines
                worker.join(_GLANCE)

    def _struck(self) -> bool:
        """Whether the search was stopped, or its time is up."""
        row = self.context.row
        return bool(row[slots.STOP] or (row[slots.DEADLINE] and monotonic_ns() >= row[slots.DEADLINE]))

    def _make_room(self) -> None:
        """Prune the tree, which stays locked until it is done."""
        try:
            self.context.row[slots.PRUNING] = prune(self.context.row)
        finally:
            self._still.release()

    def _place_root(self, position: Position, history: Sequence[Position]) -> None:
        """Make a position the root; keep what the tree knows of it, if it follows from the old root."""
        game, row = self.game, self.context.row
        depth = slots.FIND_DEPTH if self.reuse else -1
        if row[slots.REPEATS]:
            known = history[-game.max_plies :]
            played = [game.key(earlier) for earlier in known]
            # A node of such a game stands for its position and for all that was played before.
            continued = played[: len(self._played)] == self._played and len(played) - len(self._played) <= depth
            depth = len(played) - len(self._played) if continued and self.reuse else -1
            checks = [int(game.check(earlier)) for earlier in known]
            for context in self.contexts:
                slots.keys.of(context)[: len(played), 0] = np.array(played, dtype=np.uint64)
                slots.checks.of(context)[: len(played), 0] = checks
                context.row[slots.HISTORY_LENGTH] = len(played)
            self._played = played
        if self._planes is not None:
            depth, left = -1, int(self._planes.count_left(position[None])[0])
            for context in self.contexts:
                context.row[slots.BASE_LEFT], context.row[slots.BASE_MOVES] = left, 0
        centre = int(row[slots.CENTRE])
        if game.players == 1:
            value = int(contract.call_evaluate(row, position))
            if abs(value - centre) > self.scale:
                depth = -1
        slots.positions.of(self.context)[slots.NEXT_ROW] = position
        with self._still:
            if not reuse_subtree(row, depth) and game.players == 1:
                centre = value
            for context in self.contexts:
                slots.positions.of(context)[slots.ROOT_ROW] = position
                context.row[slots.CENTRE] = centre
            simulation.plant(row)

    # ── What the tree says; also while a search runs ──

    def moves(self) -> tuple[RootMove, ...]:
        """All moves at the root, best first."""
        with self._still:
            return self._view.moves()

    def lines(self, count: int) -> tuple[Line, ...]:
        """The best lines, each with the most visited replies; a move that nobody tried has the value of the root."""
        with self._still:
            return self._view.lines(count)

    @property
    def proven(self) -> bool:
        """Whether the value of the root rests on finished games alone."""
        with self._still:
            return self._view.proven

    @property
    def nodes(self) -> int:
        """How many simulations the running or last search has made."""
        return self._sum(slots.SIMULATIONS)

    @property
    def state(self) -> State:
        """How far the running or last search is; its depth is the mean length of a simulation."""
        row = self.context.row
        return State(
            depth=round(self._sum(slots.PLIES) / max(self.nodes, 1)),
            selective_depth=max(int(context.row[slots.SELDEPTH]) for context in self.contexts),
            full=int(1000 * row[slots.TOP] // row[slots.ARENA_WORDS]),
        )

    def _sum(self, slot: int) -> int:
        return sum(int(context.row[slot]) for context in self.contexts)
