"""Alpha-beta as Python sees it: allocate once, search under a limit, get lines back."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Iterable, Sequence
from time import monotonic_ns, perf_counter

from evalsmith.compile import load
from evalsmith.engine.alphabeta import slots, techniques
from evalsmith.engine.alphabeta.deepening import new_game, think
from evalsmith.engine.alphabeta.memory import DEFAULT_TABLE_BYTES, allocate, set_constants, usage
from evalsmith.engine.alphabeta.table import POLICIES
from evalsmith.engine.constants import SearchConstants, constants_of
from evalsmith.engine.limit import MAX_DEPTH, MAX_THREADS, NO_LIMIT, Limit, Line, SearchResult, State
from evalsmith.engine.memory import Memory
from evalsmith.games import contract
from evalsmith.games.game import OVER, Game, Position
from evalsmith.run import InputError
from evalsmith.scale import interruptible
from evalsmith.weights import Weights, default_weights

_SAMPLED_BUCKETS = 250  # of the table, to see how full it is


class Searcher:
    """Alpha-beta with given weights; one searcher serves one caller at a time.

    ``memory_bytes`` bounds the table and the work arrays of all threads, and then decides how large the table is.
    With several ``threads`` a search of a fixed number of nodes does not repeat; with one it does. ``without``
    leaves techniques out, ``replacement`` is the policy of the table, ``constants`` measure the techniques;
    those of the game if left out.
    """

    def __init__(
        self,
        game: Game,
        weights: Weights | None = None,
        table_bytes: int = DEFAULT_TABLE_BYTES,
        *,
        memory_bytes: int | None = None,
        threads: int = 1,
        without: Iterable[str] = (),
        replacement: str = "relevance",
        constants: SearchConstants | None = None,
    ) -> None:
        if not 1 <= threads <= MAX_THREADS:
            raise InputError(f"the number of threads must be from 1 to {MAX_THREADS}, not {threads}")
        if replacement not in POLICIES:
            raise InputError(f"the replacement must be one of {', '.join(POLICIES)}, not {replacement!r}")
        load(think, new_game)
        self.game = game
        self.weights = weights or default_weights(game)
        self.techniques = techniques.chosen(game, (*without, *(() if self.weights.probcut else ("probcut",))))
        self._contexts = allocate(game, self.weights, threads, table_bytes, memory_bytes)
        self.context = self._contexts[0]
        for context in self._contexts:
            context.row[slots.TECHNIQUES] = techniques.mask(self.techniques)
            context.row[slots.REPLACEMENT] = POLICIES[replacement]
        self.constants = constants or constants_of(game)
        self.limit(Limit())

    @property
    def constants(self) -> SearchConstants:
        """What the techniques are measured by; new ones count from the next search on."""
        return self._constants

    @constants.setter
    def constants(self, constants: SearchConstants) -> None:
        self._constants = constants
        for context in self._contexts:
            set_constants(context, constants)

    @property
    def threads(self) -> int:
        """How many threads a search runs on."""
        return len(self._contexts)

    @property
    def memory(self) -> Memory:
        """What the search takes, and what the process around it takes."""
        return usage(self._contexts)

    def limit(self, limit: Limit, multipv: int = 1, began: int | None = None) -> None:
        """Set the limits of the next searches; seconds count from ``began`` (`monotonic_ns`), or from now."""
        now = monotonic_ns() if began is None else began
        for context in self._contexts:
            row = context.row
            row[slots.STOP] = 0
            row[slots.NODE_LIMIT] = limit.nodes or NO_LIMIT
            row[slots.DEPTH_LIMIT] = limit.depth or MAX_DEPTH
            row[slots.DEADLINE] = now + int(limit.seconds * 1e9) if limit.seconds else 0
            row[slots.SOFT_DEADLINE] = now + int(limit.soft_seconds * 1e9) if limit.soft_seconds else 0
            row[slots.FREE_DEADLINE] = now + int(limit.free_seconds * 1e9) if limit.free_seconds else 0
            row[slots.MULTIPV], row[slots.ALLOWED_COUNT] = multipv, 0

    def new_game(self) -> None:
        """Forget all that earlier searches found."""
        for context in self._contexts:
            new_game(context.row)

    def stop(self) -> None:
        """Stop the running search; another thread calls this."""
        for context in self._contexts:
            context.row[slots.STOP] = 1

    def think(
        self,
        position: Position,
        limit: Limit,
        multipv: int = 1,
        history: Sequence[Position] = (),
        only: Sequence[int] = (),
    ) -> SearchResult:
        """Search a position; ``history`` is what was played before it, oldest first.

        ``only`` are the moves to choose from; all legal ones where it is empty.
        """
        began, asked = perf_counter(), monotonic_ns()
        row = self.context.row
        if multipv < 1:
            raise InputError(f"multipv must be at least 1, not {multipv}")
        multipv = min(multipv, self.game.max_moves)
        self.place(position, history)
        self.limit(limit, multipv, asked)  # a long game takes milliseconds to place, and many more on a busy machine
        if self.game.status(position) == OVER:
            return SearchResult.empty(perf_counter() - began)
        allowed = self._allow(position, only)
        interruptible(self._search, self.stop)
        return SearchResult(
            lines=self.lines(min(multipv, allowed)),
            depth=int(row[slots.DEPTH_DONE]),
            selective_depth=int(row[slots.SELDEPTH]),
            nodes=self.nodes,
            seconds=perf_counter() - began,
        )

    def _allow(self, position: Position, only: Sequence[int]) -> int:
        """Give every thread the root moves that may be chosen; how many they are."""
        legal = self.game.moves(position)
        wanted = [move for move in legal if move in only]
        if only and not wanted:
            raise InputError(f"none of the moves to choose from is legal in {self.game.format(position)}")
        for context in self._contexts:
            slots.allowed.of(context)[0, : len(wanted)] = wanted
            context.row[slots.ALLOWED_COUNT] = len(wanted)
        return len(wanted) or len(legal)

    def place(self, position: Position, history: Sequence[Position]) -> None:
        """Give every thread the root and what was played before it."""
        known = history[-self.game.max_plies :]
        for context in self._contexts:
            slots.positions.of(context)[0] = position
            context.row[slots.HISTORY_LENGTH] = len(known)
            # Whoever looks before the search has begun must not see the last one's lines.
            context.row[slots.DEPTH_DONE] = context.row[slots.SELDEPTH] = context.row[slots.NODES] = 0
            context.row[slots.CURRENT_MOVE] = -1
            slots.lines.of(context)[:, slots.LINE_DEPTH] = 0
        if not self.context.row[slots.REPEATS]:
            return
        for ply, earlier in enumerate(known):
            key, checked = self.game.key(earlier), int(self.game.check(earlier))
            for context in self._contexts:
                slots.keys.of(context)[ply] = key
                slots.checks.of(context)[ply] = checked

    def _search(self) -> None:
        """The search itself; helpers fill the shared table until it ends. Each thread has its share of the nodes."""
        rows = [context.row for context in self._contexts[1:]]
        if rows:
            slots.tasks.of(self.context)[:] = 0
        all_nodes = int(self.context.row[slots.NODE_LIMIT])
        share = NO_LIMIT if all_nodes == NO_LIMIT else all_nodes // self.threads
        if rows and share != NO_LIMIT:
            self.context.row[slots.NODE_LIMIT] = all_nodes - share * len(rows)
        for row in rows:
            row[slots.NODE_LIMIT], row[slots.MULTIPV], row[slots.NODES] = share, 1, 0
            row[slots.DEPTH_LIMIT], row[slots.SOFT_DEADLINE] = MAX_DEPTH, 0
        # numpy's error settings belong to the context of a thread, and a new one would begin with the defaults.
        helpers = [
            threading.Thread(target=contextvars.copy_context().run, args=(think, row), daemon=True) for row in rows
        ]
        for helper in helpers:
            helper.start()
        try:
            think(self.context.row)
        finally:
            for row in rows:
                row[slots.STOP] = 1
            for helper in helpers:
                helper.join()

    @property
    def nodes(self) -> int:
        """How many positions the running or last search has visited, on all threads."""
        return sum(int(context.row[slots.NODES]) for context in self._contexts)

    @property
    def state(self) -> State:
        """How far the running search is."""
        row = self.context.row
        sample = slots.table.of(self.context)[:_SAMPLED_BUCKETS, 1::2]
        return State(
            depth=int(row[slots.DEPTH_DONE]),
            selective_depth=int(row[slots.SELDEPTH]),
            full=int(1000 * (sample != 0).mean()),
            current=(int(row[slots.CURRENT_MOVE]), int(row[slots.CURRENT_NUMBER])),
        )

    def lines(self, count: int) -> tuple[Line, ...]:
        """The lines as they stand, also while a search runs."""
        found = []
        for row in slots.lines.of(self.context)[:count].tolist():
            moves = tuple(row[slots.LINE_MOVES : slots.LINE_MOVES + row[slots.LINE_LENGTH]])
            move = moves[0] if moves else -1
            found.append(Line(move=move, score=row[slots.LINE_SCORE], depth=row[slots.LINE_DEPTH], moves=moves))
        return tuple(found)


def evaluate(game: Game, weights: Weights, position: Position) -> int:
    """The evaluation as the search uses it, for the mover, in the game's unit."""
    context = game.context(evaluation=True)
    weights.attach(context)
    return int(contract.call_evaluate(context.row, position))
