"""Our search as Python sees it: allocate once, think under a limit, get lines back."""

from __future__ import annotations

import contextvars
import math
import threading
from collections.abc import Iterable, Sequence
from time import monotonic_ns, perf_counter

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context
from evalsmith.games import contract
from evalsmith.games.game import OVER, Game, Position
from evalsmith.run import InputError
from evalsmith.scale import interruptible
from evalsmith.search.alphabeta import slots, techniques
from evalsmith.search.alphabeta.deepening import new_game, think
from evalsmith.search.alphabeta.sharing import BUSY_WORDS
from evalsmith.search.alphabeta.table import BUCKET, ENTRY_BYTES, POLICIES
from evalsmith.search.limit import MAX_DEPTH, NO_LIMIT, Limit, Line, SearchResult, State
from evalsmith.search.memory import Memory, resident_bytes
from evalsmith.search.values import MAX_PLY
from evalsmith.weights import Weights, default_weights

DEFAULT_TABLE_BYTES = 16 << 20
MAX_THREADS = 256
_SMALLEST_TABLE = BUCKET * ENTRY_BYTES
_OF_WEIGHTS = (contract.WEIGHTS, contract.BLEND)


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
    """Alpha-beta with given weights; one searcher serves one caller at a time.

    ``memory_bytes`` bounds the table and the work arrays of all threads, and then decides how large the table is.
    With several ``threads`` a search of a fixed number of nodes does not repeat; with one it does. ``without``
    leaves techniques out, ``replacement`` is the policy of the table.
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
    ) -> None:
        if not 1 <= threads <= MAX_THREADS:
            raise InputError(f"the number of threads must be from 1 to {MAX_THREADS}, not {threads}")
        if replacement not in POLICIES:
            raise InputError(f"the replacement must be one of {', '.join(POLICIES)}, not {replacement!r}")
        self.game = game
        self.weights = weights or default_weights(game)
        self.techniques = techniques.chosen(game, without)
        self._contexts = [self._workplace() for _ in range(threads)]
        self.context = self._contexts[0]
        if threads > 1:
            self._share()
        arrays = {id(x): x for made in self._contexts for slot, x in made.arrays.items() if slot not in _OF_WEIGHTS}
        self._work_bytes = sum(array.nbytes for array in arrays.values())
        if memory_bytes is not None:
            table_bytes = memory_bytes - self._work_bytes
            if table_bytes < _SMALLEST_TABLE:
                raise InputError(
                    f"a search of {game.name} needs {self._work_bytes + _SMALLEST_TABLE:,} bytes "
                    f"with {threads} thread{'s' if threads > 1 else ''}, not {memory_bytes:,}"
                )
        buckets = max(1, table_bytes // _SMALLEST_TABLE)
        table = np.zeros(buckets * BUCKET * 2, dtype=np.uint64)
        for made in self._contexts:
            made.attach(slots.TABLE, table)
            made.row[slots.TABLE_BUCKETS] = buckets
            made.row[slots.REPLACEMENT] = POLICIES[replacement]
        self.limit(Limit())

    def _workplace(self) -> Context:
        """The context of one thread, with work arrays of its own."""
        game = self.game
        context = game.context(evaluation=True)
        self.weights.attach(context)
        plies, played = MAX_PLY, longest_game(game) + MAX_PLY + 1
        work: dict[int, npt.NDArray[np.generic]] = {
            slots.POSITIONS: np.zeros((plies + 1) * game.words, dtype=np.uint64),
            slots.MOVE_ROWS: np.zeros(plies * game.max_moves, dtype=np.int64),
            slots.SCORE_ROWS: np.zeros(plies * game.max_moves, dtype=np.int64),
            slots.KILLERS: np.full(2 * plies, -1, dtype=np.int64),
            slots.HISTORY: np.zeros(2 * game.slots, dtype=np.int64),
            slots.COUNTERS: np.full(2 * game.slots, -1, dtype=np.int64),
            slots.PLAYED: np.full(plies + 1, -1, dtype=np.int64),
            slots.REDUCTIONS: _reductions(),
            slots.PV: np.zeros((plies + 1) * plies, dtype=np.int64),
            slots.PV_LENGTH: np.zeros(plies + 1, dtype=np.int64),
            slots.KEYS: np.zeros(played, dtype=np.uint64),
            slots.CHECK_FLAGS: np.zeros(played, dtype=np.int64),
            slots.ROOT_MOVES: np.zeros(game.max_moves, dtype=np.int64),
            slots.ONLY: np.zeros(game.max_moves, dtype=np.int64),
            slots.LINES: np.zeros((game.max_moves + 1) * (slots.LINE_HEAD + plies), dtype=np.int64),
            slots.PROBABILITIES: np.zeros(max(1, game.max_outcomes) * plies, dtype=np.float64),
        }
        for slot, array in work.items():
            context.attach(slot, array)
        for slot, name in ((slots.REPEATS, "repeated"), (slots.CHECKS, "check")):
            context.row[slot] = int(hasattr(game.rules_module, name))
        context.row[slots.TECHNIQUES] = techniques.mask(self.techniques)
        return context

    def _share(self) -> None:
        """What several threads need to put off moves that another one is at."""
        busy = np.zeros(BUSY_WORDS, dtype=np.uint64)
        for made in self._contexts:
            made.attach(slots.BUSY, busy)
            made.attach(slots.DEFERRED, np.zeros(MAX_PLY * self.game.max_moves, dtype=np.int64))

    def _weight_bytes(self) -> int:
        return sum(self.context.arrays[slot].nbytes for slot in _OF_WEIGHTS)

    @property
    def threads(self) -> int:
        """How many threads a search runs on."""
        return len(self._contexts)

    @property
    def memory(self) -> Memory:
        """What the search takes, and what the process around it takes."""
        table = self.context.arrays[slots.TABLE].nbytes
        return Memory(table, self._work_bytes, self._weight_bytes(), resident_bytes())

    def limit(self, limit: Limit, multipv: int = 1) -> None:
        """Set the limits of the searches that follow; seconds count from now."""
        now = monotonic_ns()
        for context in self._contexts:
            row = context.row
            row[slots.STOP] = 0
            row[slots.NODE_LIMIT] = limit.nodes or NO_LIMIT
            row[slots.DEPTH_LIMIT] = limit.depth or MAX_DEPTH
            row[slots.DEADLINE] = now + int(limit.seconds * 1e9) if limit.seconds else 0
            row[slots.SOFT_DEADLINE] = now + int(limit.soft_seconds * 1e9) if limit.soft_seconds else 0
            row[slots.MULTIPV], row[slots.ONLY_COUNT] = multipv, 0

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
        began = perf_counter()
        row = self.context.row
        if multipv < 1:
            raise InputError(f"multipv must be at least 1, not {multipv}")
        multipv = min(multipv, self.game.max_moves)
        self._place(position, history)
        self.limit(limit, multipv)
        if self.game.status(position) == OVER:
            return SearchResult((), 0, 0, 0, perf_counter() - began)
        allowed = self._allow(position, only)
        interruptible(self._search, self.stop)
        return SearchResult(
            self.lines(min(multipv, allowed)),
            int(row[slots.DEPTH_DONE]),
            int(row[slots.SELDEPTH]),
            self.nodes,
            perf_counter() - began,
        )

    def _allow(self, position: Position, only: Sequence[int]) -> int:
        """Tell every workplace which root moves may be chosen; how many they are."""
        legal = self.game.moves(position)
        wanted = [move for move in legal if move in only]
        if only and not wanted:
            raise InputError(f"none of the moves to choose from is legal in {self.game.format(position)}")
        for context in self._contexts:
            context.arrays[slots.ONLY][: len(wanted)] = wanted
            context.row[slots.ONLY_COUNT] = len(wanted)
        return len(wanted) or len(legal)

    def _place(self, position: Position, history: Sequence[Position]) -> None:
        """Put the root and what was played before it into every workplace."""
        known = history[-self.game.max_plies :]
        for context in self._contexts:
            context.arrays[slots.POSITIONS][: self.game.words] = position
            context.row[slots.HISTORY_LENGTH] = len(known)
            # Whoever looks before the search has begun must not see the last one's lines.
            context.row[slots.DEPTH_DONE] = context.row[slots.SELDEPTH] = context.row[slots.NODES] = 0
            context.row[slots.CURRENT_MOVE] = -1
            context.arrays[slots.LINES][1 :: slots.LINE_HEAD + MAX_PLY] = 0
        if not self.context.row[slots.REPEATS]:
            return
        for ply, earlier in enumerate(known):
            key, checked = self.game.key(earlier), int(self.game.check(earlier))
            for context in self._contexts:
                context.arrays[slots.KEYS][ply] = key
                context.arrays[slots.CHECK_FLAGS][ply] = checked

    def _search(self) -> None:
        """The search itself; helpers fill the shared table until it ends. Each thread has its share of the nodes."""
        rows = [context.row for context in self._contexts[1:]]
        if rows:
            self.context.arrays[slots.BUSY][:] = 0
        all_nodes = int(self.context.row[slots.NODE_LIMIT])
        share = NO_LIMIT if all_nodes == NO_LIMIT else all_nodes // self.threads
        if rows and share != NO_LIMIT:
            self.context.row[slots.NODE_LIMIT] = all_nodes - share * len(rows)
        for row in rows:
            row[slots.NODE_LIMIT], row[slots.MULTIPV], row[slots.NODES] = share, 1, 0
            row[slots.DEPTH_LIMIT], row[slots.SOFT_DEADLINE] = MAX_DEPTH, 0
        # numpy keeps its error settings in the context, and a new thread would begin with the usual ones.
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
        sample = self.context.arrays[slots.TABLE][1:2001:2]
        return State(
            int(row[slots.DEPTH_DONE]),
            int(row[slots.SELDEPTH]),
            int(1000 * (sample != 0).mean()),
            (int(row[slots.CURRENT_MOVE]), int(row[slots.CURRENT_NUMBER])),
        )

    def lines(self, count: int) -> tuple[Line, ...]:
        """The lines as they stand, also while a search runs."""
        width = slots.LINE_HEAD + MAX_PLY
        rows = self.context.arrays[slots.LINES].reshape(-1, width)[:count].copy()
        found = []
        for row in rows:
            moves = tuple(int(move) for move in row[slots.LINE_HEAD : slots.LINE_HEAD + int(row[2])])
            found.append(Line(moves[0] if moves else -1, int(row[0]), int(row[1]), moves))
        return tuple(found)


def _reductions() -> npt.NDArray[np.int64]:
    """By how many plies a late move is reduced: it grows with the logarithms of depth and number."""
    table = np.zeros((slots.REDUCED_DEPTHS, slots.REDUCED_MOVES), dtype=np.int64)
    for depth in range(1, slots.REDUCED_DEPTHS):
        for number in range(1, slots.REDUCED_MOVES):
            table[depth, number] = int(0.75 + math.log(depth) * math.log(number) / 2.25)
    return table.ravel()


def evaluate(game: Game, weights: Weights, position: Position) -> int:
    """The evaluation as the search uses it, for the mover, in the game's unit."""
    context = game.context(evaluation=True)
    weights.attach(context)
    return int(contract.call_evaluate(context.row, position))
