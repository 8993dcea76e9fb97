"""Our search as Python sees it: allocate once, think under a limit, get lines back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic_ns, perf_counter

import numpy as np

from evalsmith.games import contract
from evalsmith.games.game import OVER, Game, Position
from evalsmith.run import InputError
from evalsmith.scale import interruptible
from evalsmith.search import slots
from evalsmith.search.alphabeta import new_game, think
from evalsmith.search.table import BUCKET, ENTRY_BYTES
from evalsmith.weights import Weights, starting_weights

DEFAULT_TABLE_BYTES = 16 << 20
NO_LIMIT = 1 << 62
LONGEST_SECONDS = 1_000_000_000


@dataclass(frozen=True)
class Limit:
    """When to stop: after a depth, a number of nodes, or seconds; whichever comes first.

    After ``soft_seconds`` no deeper search is begun, and a single legal move is played at once.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    soft_seconds: float | None = None

    def __post_init__(self) -> None:
        limits = (
            ("depth", self.depth),
            ("number of nodes", self.nodes),
            ("movetime", self.seconds),
            ("soft time", self.soft_seconds),
        )
        for name, value in limits:
            if value is not None and not 0 < value < NO_LIMIT:
                raise InputError(f"the {name} must be above 0 and finite, not {value}")
        if max(self.seconds or 0, self.soft_seconds or 0) > LONGEST_SECONDS:
            raise InputError(f"the movetime must be at most {LONGEST_SECONDS:,} s, not {self.seconds}")
        if self.depth is not None and self.depth > slots.MAX_DEPTH:
            raise InputError(f"the depth must be at most {slots.MAX_DEPTH}, not {self.depth}")

    def __str__(self) -> str:
        parts = [f"{self.nodes} nodes"] if self.nodes else []
        parts += [f"depth {self.depth}"] if self.depth else []
        parts += [f"{self.seconds} s"] if self.seconds else []
        return ", ".join(parts) or "no limit"


@dataclass(frozen=True)
class Line:
    """One line of play: its first move is the one that is judged. The score is for the side to move."""

    move: int
    score: int
    depth: int
    moves: tuple[int, ...]


@dataclass(frozen=True)
class Thought:
    """What a search found: the lines, best first, and what they cost."""

    lines: tuple[Line, ...]
    depth: int
    selective_depth: int
    nodes: int
    seconds: float


def table_bytes_for(nodes: int | None) -> int:
    """A table that a search of so many nodes can use, and that is quickly cleared between games."""
    if nodes is None:
        return DEFAULT_TABLE_BYTES
    wanted = 1 << (max(nodes, 1024) * 2 * ENTRY_BYTES - 1).bit_length()
    return min(wanted, DEFAULT_TABLE_BYTES)


def longest_game(game: Game) -> int:
    """The most moves and outcomes of chance that a game has: one outcome before each move, and one at the end."""
    return 2 * game.max_plies + 1 if game.max_outcomes else game.max_plies


class Searcher:
    """Alpha-beta with given weights; one searcher serves one thread at a time."""

    def __init__(self, game: Game, weights: Weights | None = None, table_bytes: int = DEFAULT_TABLE_BYTES) -> None:
        self.game = game
        self.weights = weights or starting_weights(game)
        self.context = context = game.context(evaluation=True)
        self.weights.attach(context)
        plies = slots.MAX_PLY
        context.attach(slots.POSITIONS, np.zeros((plies + 1) * game.words, dtype=np.uint64))
        context.attach(slots.MOVE_ROWS, np.zeros(plies * game.max_moves, dtype=np.int64))
        context.attach(slots.SCORE_ROWS, np.zeros(plies * game.max_moves, dtype=np.int64))
        context.attach(slots.KILLERS, np.full(2 * plies, -1, dtype=np.int64))
        context.attach(slots.HISTORY, np.zeros(2 * game.slots, dtype=np.int64))
        context.attach(slots.PV, np.zeros((plies + 1) * plies, dtype=np.int64))
        context.attach(slots.PV_LENGTH, np.zeros(plies + 1, dtype=np.int64))
        context.attach(slots.KEYS, np.zeros(longest_game(game) + plies + 1, dtype=np.uint64))
        context.attach(slots.CHECK_FLAGS, np.zeros(longest_game(game) + plies + 1, dtype=np.int64))
        context.attach(slots.ROOT_MOVES, np.zeros(game.max_moves, dtype=np.int64))
        context.attach(slots.LINES, np.zeros(game.max_moves * (slots.LINE_HEAD + plies), dtype=np.int64))
        context.attach(slots.PROBABILITIES, np.zeros(max(1, game.max_outcomes) * plies, dtype=np.float64))
        buckets = 1 << max(0, (table_bytes // (BUCKET * ENTRY_BYTES)).bit_length() - 1)
        context.attach(slots.TABLE, np.zeros(buckets * BUCKET * 2, dtype=np.uint64))
        context.row[slots.TABLE_BUCKETS] = buckets
        for slot, name in ((slots.REPEATS, "repeated"), (slots.CHECKS, "check"), (slots.QUIESCENT, "noisy")):
            context.row[slot] = int(hasattr(game.rules_module, name))
        self.limit(Limit())

    def limit(self, limit: Limit, multipv: int = 1) -> None:
        """Set the limits of the searches that follow; seconds count from now."""
        row = self.context.row
        row[slots.STOP] = 0
        row[slots.NODE_LIMIT] = limit.nodes or NO_LIMIT
        row[slots.DEPTH_LIMIT] = limit.depth or slots.MAX_DEPTH
        now = monotonic_ns()
        row[slots.DEADLINE] = now + int(limit.seconds * 1e9) if limit.seconds else 0
        row[slots.SOFT_DEADLINE] = now + int(limit.soft_seconds * 1e9) if limit.soft_seconds else 0
        row[slots.MULTIPV] = multipv

    def new_game(self) -> None:
        """Forget all that earlier searches found."""
        new_game(self.context.row)

    def stop(self) -> None:
        """Stop the running search; another thread calls this."""
        self.context.row[slots.STOP] = 1

    def think(self, position: Position, limit: Limit, multipv: int = 1, history: Sequence[Position] = ()) -> Thought:
        """Search a position; ``history`` is what was played before it, oldest first."""
        began = perf_counter()
        context, row = self.context, self.context.row
        if multipv < 1:
            raise InputError(f"multipv must be at least 1, not {multipv}")
        multipv = min(multipv, self.game.max_moves)
        context.arrays[slots.POSITIONS][: self.game.words] = position
        known = history[-self.game.max_plies :]
        row[slots.HISTORY_LENGTH] = len(known)
        for ply, earlier in enumerate(known):
            context.arrays[slots.KEYS][ply] = self.game.key(earlier)
            context.arrays[slots.CHECK_FLAGS][ply] = int(self.game.check(earlier))
        self.limit(limit, multipv)
        if self.game.status(position) == OVER:
            return Thought((), 0, 0, 0, perf_counter() - began)
        interruptible(lambda: think(row), self.stop)
        return Thought(
            self.lines(min(multipv, len(self.game.moves(position)))),
            int(row[slots.DEPTH_DONE]),
            int(row[slots.SELDEPTH]),
            int(row[slots.NODES]),
            perf_counter() - began,
        )

    @property
    def nodes(self) -> int:
        """How many positions the running or last search has visited."""
        return int(self.context.row[slots.NODES])

    def lines(self, count: int) -> tuple[Line, ...]:
        """The lines as they stand, also while a search runs."""
        width = slots.LINE_HEAD + slots.MAX_PLY
        rows = self.context.arrays[slots.LINES].reshape(-1, width)[:count].copy()
        found = []
        for row in rows:
            moves = tuple(int(move) for move in row[slots.LINE_HEAD : slots.LINE_HEAD + int(row[2])])
            found.append(Line(moves[0] if moves else -1, int(row[0]), int(row[1]), moves))
        return tuple(found)


def evaluate(game: Game, weights: Weights, position: Position) -> int:
    """The evaluation as the search uses it, for the mover, in the game's unit."""
    context = game.context(evaluation=True)
    weights.attach(context)
    return int(contract.call_evaluate(context.row, position))
