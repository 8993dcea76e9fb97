"""Monte Carlo tree search as Python sees it: allocate once, think under a limit, get lines back.

**Values.** The tree works with values between -1 and 1. A finished game is worth result / ``win``, or, where the
result is a margin, tanh(result / 2·``scale``): the same curve as the evaluation, which is worth
tanh(evaluation / 2·``scale``), a logistic function stretched to -1…1. So among margins a close one counts most.
In a game for one player evaluations have no natural zero; there that of the root counts as 0, and the
tree is not kept once the evaluation has moved on by more than ``scale``.

**Scores.** A proven line has its exact value: ``win`` less the plies to the end, a margin, or an expectation. Any other
mean goes back through the same curve, 2·``scale``·artanh(mean), and stays below a proven win.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic_ns, perf_counter

import numpy as np

from evalsmith.games import contract
from evalsmith.games.game import CHANCE, PLAYER, Game, Position
from evalsmith.run import InputError
from evalsmith.scale import interruptible
from evalsmith.search import mcts
from evalsmith.search.searcher import NO_LIMIT, Limit, Line, Thought
from evalsmith.weights import Weights, starting_weights

DEFAULT_MEMORY_BYTES = 64 << 20
ROLLOUTS = ("evaluation", "random")
SELECTIONS = {"uct": mcts.UCT, "puct": mcts.PUCT}
PRIORS = {"uniform": mcts.UNIFORM, "order": mcts.BY_ORDER}
MOST_ROLLOUT_PLIES = 1000  # random chess can last 12,000 plies; by then the evaluation has long seen who wins
# Evaluations differ by far less than results, so they need less exploration.
_EXPLORATION = {"uct": {"evaluation": 0.15, "random": 0.7}, "puct": {"evaluation": 1.5, "random": 3.0}}
_ELO_SCALE = 400 / math.log(10)  # centipawns for odds of e
_MARGIN_SCALE = 1000.0  # ten discs or stones


@dataclass(frozen=True)
class RootMove:
    """What the tree knows of one move: ``value`` is the mean for the mover, or exact where ``proven``."""

    move: int
    visits: int
    value: float
    prior: float
    proven: bool


@dataclass(frozen=True)
class _Node:
    """A node as its parent's mover sees it; bounds in 1/65536 unit."""

    move: int
    address: int
    visits: int
    mean: float
    low: int
    high: int
    distance: int
    prior: float

    @property
    def proven(self) -> bool:
        return self.low == self.high


class MctsSearcher:
    """Monte Carlo tree search with given weights; one searcher serves one thread at a time.

    ``rollout`` says how a leaf gets its value: by the evaluation, or by random moves to the end of the game.
    ``rollout_plies`` changes how many random moves come before the evaluation: 0, or up to 1000 for "random".
    ``selection`` is "uct" (UCB1; every move is tried once first) or "puct" (moves are tried by ``priors``).
    ``memory_bytes`` bounds the tree and all work arrays. When full, a search goes on and its tree stays.
    With a fixed number of simulations a search repeats exactly, given the same ``seed`` and the same
    searches since ``new_game``.
    """

    def __init__(
        self,
        game: Game,
        weights: Weights | None = None,
        *,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        rollout: str = "evaluation",
        rollout_plies: int | None = None,
        selection: str = "uct",
        exploration: float | None = None,
        priors: str = "uniform",
        scale: float | None = None,
        reuse: bool = True,
        seed: int = 1,
    ) -> None:
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
        if rollout_plies is not None and rollout_plies < 0:
            raise InputError(f"the plies of a roll-out must be at least 0, not {rollout_plies}")
        if not 0 <= seed < NO_LIMIT:
            raise InputError(f"the seed must be from 0 to {NO_LIMIT - 1}, not {seed}")
        self.game = game
        self.weights = weights or starting_weights(game)
        self.scale = scale or (min(_ELO_SCALE, game.win / 6) if game.win else _MARGIN_SCALE)
        self.reuse, self.seed = reuse, seed
        self.context = context = game.context(evaluation=True)
        self.weights.attach(context)
        row = context.row
        if rollout_plies is None:
            rollout_plies = min(MOST_ROLLOUT_PLIES, game.max_plies) if rollout == "random" else 0
        row[mcts.ROLLOUT_PLIES] = rollout_plies
        row[mcts.SELECTION], row[mcts.PRIOR] = SELECTIONS[selection], PRIORS[priors]
        row[mcts.REPEATS] = int(hasattr(game.rules_module, "repeated"))
        row[mcts.CHECKS] = int(hasattr(game.rules_module, "check"))
        chosen = exploration or _EXPLORATION[selection][rollout]
        constants = np.zeros(mcts.CONSTANTS_SIZE, dtype=np.float64)
        constants[mcts.EXPLORATION], constants[mcts.SLOPE] = chosen, 0.5 / self.scale
        self.memory = self._allocate(memory_bytes, constants)
        self._played: list[int] = []  # keys of the positions before the root of the tree
        self.new_game()

    def _allocate(self, memory_bytes: int, constants: np.ndarray) -> int:
        """Attach the work arrays, and an arena in the bytes that are left; how many bytes all of them take."""
        game, context = self.game, self.context
        widest = max(game.max_moves, game.max_outcomes, 1)
        # Only games that repeat positions keep keys.
        plies = game.max_plies + mcts.MAX_PLY + 1 if context.row[mcts.REPEATS] else 1
        work = {
            mcts.CONSTANTS: constants,
            mcts.POSITIONS: np.zeros(mcts.ROWS * game.words, dtype=np.uint64),
            mcts.MOVES: np.zeros(widest, dtype=np.int64),
            mcts.PRIORS: np.zeros(widest, dtype=np.float64),
            mcts.PATH: np.zeros(mcts.MAX_PLY + 1, dtype=np.int64),
            mcts.KEYS: np.zeros(plies, dtype=np.uint64),
            mcts.CHECK_FLAGS: np.zeros(plies, dtype=np.int64),
        }
        used = sum(array.nbytes for array in work.values())
        # The root, its edges, and a node for each of them: then a move is always known.
        least = 8 * (mcts.FIRST_BLOCK + (1 + widest) * mcts.NODE_WORDS + 1 + 2 * widest)
        if memory_bytes < used + least:
            raise InputError(f"a tree for {game.title} needs at least {used + least} bytes, not {memory_bytes}")
        for slot, array in work.items():
            context.attach(slot, array)
        # Zeroed pages cost nothing until the tree reaches them.
        arena = context.attach(mcts.ARENA, np.zeros((memory_bytes - used) // 8, dtype=np.int64))
        context.row[mcts.ARENA_WORDS] = arena.size
        return used + arena.nbytes

    def new_game(self) -> None:
        """Forget all that earlier searches found."""
        row = self.context.row
        self.context.arrays[mcts.ARENA][mcts.ROOT] = 0
        row[mcts.TOP], row[mcts.RANDOM], row[mcts.CENTRE] = mcts.FIRST_BLOCK, self.seed, 0
        self._played = []

    def stop(self) -> None:
        """Stop the running search; another thread calls this."""
        self.context.row[mcts.STOP] = 1

    @property
    def fullness(self) -> int:
        """How much of the arena the tree fills, in thousandths."""
        row = self.context.row
        return int(1000 * row[mcts.TOP] // row[mcts.ARENA_WORDS])

    def think(self, position: Position, limit: Limit, multipv: int = 1, history: Sequence[Position] = ()) -> Thought:
        """Search a position; ``history`` is what was played before it, oldest first.

        Nodes are simulations. A depth is reached when simulations are so long on average, or memory is full. Soft
        seconds end the search, for it may end anywhere; a single legal move then gets one simulation.
        """
        began = perf_counter()
        row = self.context.row
        if multipv < 1:
            raise InputError(f"multipv must be at least 1, not {multipv}")
        row[mcts.STOP] = 0
        seconds = min((s for s in (limit.seconds, limit.soft_seconds) if s is not None), default=None)
        row[mcts.SIMULATION_LIMIT] = limit.nodes or NO_LIMIT
        row[mcts.DEPTH_LIMIT] = limit.depth or 0
        row[mcts.DEADLINE] = monotonic_ns() + int(seconds * 1e9) if seconds is not None else 0
        if self.game.status(position) != PLAYER:
            return Thought((), 0, 0, 0, perf_counter() - began)
        if limit.soft_seconds is not None and len(self.game.moves(position)) == 1:
            row[mcts.SIMULATION_LIMIT] = 1
        self._place_root(position, history)
        interruptible(lambda: mcts.run(row), self.stop)
        simulations = int(row[mcts.SIMULATIONS])
        return Thought(
            lines=self.lines(multipv),
            depth=round(int(row[mcts.PLIES]) / max(simulations, 1)),
            selective_depth=int(row[mcts.SELDEPTH]),
            nodes=simulations,
            seconds=perf_counter() - began,
        )

    def _place_root(self, position: Position, history: Sequence[Position]) -> None:
        """Make a position the root; keep what the tree knows of it, if it follows from the old root."""
        game, context, row = self.game, self.context, self.context.row
        depth = mcts.FIND_DEPTH if self.reuse else -1
        context.arrays[mcts.POSITIONS][game.words : 2 * game.words] = position
        if row[mcts.REPEATS]:
            known = history[-game.max_plies :]
            played = [game.key(earlier) for earlier in known]
            # A node of such a game stands for its position and for all that was played before.
            continued = played[: len(self._played)] == self._played and len(played) - len(self._played) <= depth
            depth = len(played) - len(self._played) if continued and self.reuse else -1
            context.arrays[mcts.KEYS][: len(played)] = np.array(played, dtype=np.uint64)
            context.arrays[mcts.CHECK_FLAGS][: len(played)] = [int(game.check(earlier)) for earlier in known]
            row[mcts.HISTORY_LENGTH] = len(played)
            self._played = played
        if game.players == 1:
            value = int(contract.call_evaluate(context.row, position))
            if abs(value - int(row[mcts.CENTRE])) > self.scale:
                depth = -1
        if not mcts.keep(row, depth) and game.players == 1:
            row[mcts.CENTRE] = value

    # ── What the tree says; also while a search runs ──

    def moves(self) -> tuple[RootMove, ...]:
        """All moves at the root, best first."""
        root = int(self.context.arrays[mcts.ARENA][mcts.ROOT])
        children = self._children(root) if root else []
        return tuple(RootMove(n.move, n.visits, self._value(n), n.prior, n.proven) for n in children)

    @property
    def proven(self) -> bool:
        """Whether the value of the root rests on finished games alone."""
        arena = self.context.arrays[mcts.ARENA]
        root = int(arena[mcts.ROOT])
        return bool(root and arena[root + mcts.LOW] == arena[root + mcts.HIGH])

    @property
    def nodes(self) -> int:
        """How many simulations the running or last search has made."""
        return int(self.context.row[mcts.SIMULATIONS])

    def lines(self, count: int) -> tuple[Line, ...]:
        """The best lines, each with the most visited replies; a move that nobody tried has the value of the root."""
        arena = self.context.arrays[mcts.ARENA]
        root = int(arena[mcts.ROOT])
        found = []
        for node in self._children(root)[:count] if root else ():
            moves, below = [node.move], node
            while below.address and len(moves) < mcts.MAX_PLY:
                children = [child for child in self._children(below.address) if child.visits]
                if not children or int(arena[below.address + mcts.INFO]) & 3 == CHANCE:
                    break
                below = children[0]
                moves.append(below.move)
            found.append(Line(move=node.move, score=self._score(node), depth=len(moves), moves=tuple(moves)))
        return tuple(found)

    def _children(self, address: int) -> list[_Node]:
        """The children of a node as its mover sees them, best first.

        First come moves that nothing can surpass, the quickest win and the slowest loss ahead; then the most visited,
        after a proven move that is worth no less; last those that a proven move surpasses.
        """
        arena = self.context.arrays[mcts.ARENA]
        visits, total, low, high, block, info = (int(word) for word in arena[address + 1 : address + mcts.NODE_WORDS])
        if not block:
            return []
        sign = -1 if info >> mcts.SIDE & 1 else 1
        least, most = (low, high) if sign > 0 else (-high, -low)
        limit = self.game.win * mcts.UNIT or mcts.OPEN
        found = []
        size = int(arena[block]) >> 1
        for word, child in arena[block + 1 : block + size].reshape(-1, 2).tolist():
            move, prior = word & ((1 << mcts.MOVE_BITS) - 1), (word >> mcts.MOVE_BITS) / mcts.SHARE
            if not child:
                mean = sign * total / (visits * mcts.ONE) if visits else 0.0
                found.append(_Node(move, 0, 0, mean, -limit, limit, 0, prior))
                continue
            count, summed, *bounds = (int(word) for word in arena[child + 1 : child + 1 + 4])
            bounds = bounds if sign > 0 else [-bounds[1], -bounds[0]]
            distance = int(arena[child + mcts.INFO]) >> mcts.DISTANCE
            mean = sign * summed / (max(count, 1) * mcts.ONE)
            found.append(_Node(move, child, count, mean, bounds[0], bounds[1], distance, prior))

        tried = max((node for node in found if node.visits and not node.proven), key=lambda n: n.visits, default=None)

        def rank(node: _Node) -> tuple[float, ...]:
            if node.low == most:
                return (3, -node.distance if node.low > 0 else node.distance, node.visits)
            if node.high < least or (node.high == least and not node.proven):
                return (0, node.visits, node.mean, node.prior)
            if node.proven and tried is not None and self._value(node) >= tried.mean:
                return (2, node.visits)
            return (1, 0 if node.proven else node.visits, node.mean, node.prior)

        return sorted(found, key=rank, reverse=True)

    def _value(self, node: _Node) -> float:
        """Between -1 and 1, for the mover above the node."""
        if not node.proven:
            return node.mean
        value = node.low / mcts.UNIT
        return value / self.game.win if self.game.win else math.tanh(value / (2 * self.scale))

    def _score(self, node: _Node) -> int:
        """In the game's unit, for the mover above the node."""
        win = self.game.win
        if node.proven:
            value = round(node.low / mcts.UNIT)
            if win and abs(value) == win:
                return value - (node.distance + 1 if value > 0 else -node.distance - 1)
            return value
        centre = int(self.context.row[mcts.CENTRE])
        score = centre + round(2 * self.scale * math.atanh(max(-1 + 1e-9, min(1 - 1e-9, node.mean))))
        decided = win - min(2 * mcts.MAX_PLY, win // 2) if win else mcts.OPEN // mcts.UNIT
        return max(-decided, min(decided, score))
