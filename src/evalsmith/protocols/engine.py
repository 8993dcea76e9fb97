"""Our engine under any protocol: a position with its history, options, and a search that runs beside the reader.

Kernels are compiled in the background from the start, so that a handshake is answered at once.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from evalsmith.compile import drop_code
from evalsmith.engine import Limit, Line, MctsSearcher, Searcher, SearchResult
from evalsmith.engine.constants import SearchConstants
from evalsmith.engine.warming import warm
from evalsmith.games import Game, Position
from evalsmith.games.board import Board
from evalsmith.run import InputError
from evalsmith.weights import Weights, load_weights

DEFAULT_TABLE_BYTES = 16 << 20
DEFAULT_TREE_BYTES = 64 << 20
METHODS = ("alphabeta", "mcts")
INFO_EVERY = 0.05  # seconds between looks at the counters of a running search
SPEAK_EVERY = 1.0  # seconds after which something is said even if nothing has changed


@dataclass(frozen=True)
class EngineOptions:
    """How the engine searches.

    ``weights`` are described as `evalsmith.weights.named` says. ``memory_bytes`` bounds all that the search takes, and
    overrides ``table_bytes``. ``budget`` is the time for all moves of a game, in seconds, in protocols without a clock.
    ``constants`` are those of the game if left out.
    """

    weights: str | None = None
    table_bytes: int = DEFAULT_TABLE_BYTES
    memory_bytes: int | None = None
    threads: int = 1
    method: str = "alphabeta"
    without: tuple[str, ...] = ()
    replacement: str = "relevance"
    constants: SearchConstants | None = None
    budget: float = 5.0

    def make(self, game: Game, known: Weights | None = None) -> Searcher | MctsSearcher:
        """A search with these options; ``known`` are the weights, if they were read before."""
        weights = known or (load_weights(self.weights, game) if self.weights else None)
        try:
            return self._make(game, weights)
        except MemoryError:
            wanted = self.memory_bytes or self.table_bytes
            raise InputError(f"a search with {wanted:,} bytes does not fit into the memory of this machine") from None

    def _make(self, game: Game, weights: Weights | None) -> Searcher | MctsSearcher:
        if self.method == "mcts":
            bytes_ = self.memory_bytes or max(self.table_bytes, DEFAULT_TREE_BYTES)
            return MctsSearcher(game, weights, memory_bytes=bytes_, threads=self.threads)
        return Searcher(
            game,
            weights,
            self.table_bytes,
            memory_bytes=self.memory_bytes,
            threads=self.threads,
            without=self.without,
            replacement=self.replacement,
            constants=self.constants,
        )


def _thread(work: Callable[..., None], *given: Any) -> threading.Thread:
    """A thread with the settings of this one, numpy's among them."""
    return threading.Thread(target=contextvars.copy_context().run, args=(work, *given), daemon=True)


@dataclass(frozen=True)
class Info:
    """A running search: its lines so far, best first, and its counters.

    ``full`` says how full the table is, in thousandths; ``current`` is the root move being searched (-1 for none) and
    its number.
    """

    lines: tuple[Line, ...]
    selective_depth: int
    nodes: int
    seconds: float
    full: int
    current: tuple[int, int] = (-1, 0)


class Engine:
    """A game in progress and the search that plays it; protocols translate to and from it.

    ``on_load`` is called with the search once it is there, before anybody gets it.
    """

    def __init__(
        self,
        game: Game,
        options: EngineOptions | None = None,
        on_load: Callable[[Searcher | MctsSearcher], None] | None = None,
    ) -> None:
        self.game = game
        self.options = options or EngineOptions()
        self.multipv = 1
        self._board: Board | None = None
        self._on_load = on_load
        self._searcher: Searcher | MctsSearcher | None = None
        self._failure: BaseException | None = None
        self._worker: threading.Thread | None = None
        self._loader = _thread(self._load)
        self._loader.start()

    # ── Readiness and options ──

    def _load(self) -> None:
        try:
            searcher = self.options.make(self.game)
            warm(self.game, searcher)
            drop_code("libllvmlite")
            if self._on_load is not None:
                self._on_load(searcher)
            self._board, self._searcher = Board(self.game), searcher
        except BaseException as error:
            self._failure = error

    @property
    def ready(self) -> bool:
        """Whether everything is compiled and loaded."""
        return not self._loader.is_alive()

    @property
    def failed(self) -> bool:
        """Whether there is no search and never will be: the options that the engine was started with are wrong."""
        return self.ready and self._searcher is None

    @property
    def searcher(self) -> Searcher | MctsSearcher:
        """The search; waits for the kernels."""
        self._loader.join()
        if self._failure is not None:
            raise self._failure
        assert self._searcher is not None
        return self._searcher

    def configure(self, **changes: Any) -> None:
        """Change some of the options; on an error all stays as it was."""
        self.stop()
        current = self.searcher
        wanted = replace(self.options, **changes)
        known = current.weights if wanted.weights == self.options.weights else None
        self._searcher = wanted.make(self.game, known)
        self.options = wanted

    # ── The game ──

    @property
    def board(self) -> Board:
        """The game in progress; waits for the kernels."""
        _ = self.searcher
        assert self._board is not None
        return self._board

    def new_game(self) -> None:
        """Forget the last game."""
        self.stop()
        self.searcher.new_game()
        self.set_position(self.game.start())

    def set_position(self, start: Position, moves: Sequence[str | int] = ()) -> None:
        """Go to a position by moves from a start; one illegal move, and nothing changes."""
        self.stop()
        _ = self.searcher  # which sets up a board of its own
        self._board = Board(self.game, start, moves)

    # ── Searching ──

    def go(
        self,
        limit: Limit,
        on_done: Callable[[SearchResult], None],
        on_info: Callable[[Info], None] | None = None,
        only: Sequence[int] = (),
    ) -> None:
        """Search beside the caller; ``on_done`` comes once, also after ``stop``. ``only`` is for alpha-beta."""
        self.stop()
        searcher, position, history = self.searcher, self.board.position, list(self.board.history)
        finished = threading.Event()

        def work() -> None:
            watcher = None
            if on_info is not None:
                watcher = _thread(self._watch, finished, on_info)
                watcher.start()
            try:
                chosen: dict[str, Any] = {"only": only} if only else {}
                thought = searcher.think(position, limit, self.multipv, history, **chosen)
            finally:
                finished.set()
                if watcher is not None:
                    watcher.join()
            on_done(thought)

        self._worker = _thread(work)
        self._worker.start()

    def _watch(self, finished: threading.Event, on_info: Callable[[Info], None]) -> None:
        searcher = self.searcher
        began = spoken = perf_counter()
        seen = 0
        while not finished.wait(INFO_EVERY):
            now, depth = perf_counter(), searcher.state.depth
            if depth != seen or now - spoken >= SPEAK_EVERY:
                seen, spoken = depth, now
                on_info(self.info(now - began))

    def info(self, seconds: float) -> Info:
        """The search as it stands."""
        searcher = self.searcher
        count = min(self.multipv, len(self.game.moves(self.board.position)))
        lines = tuple(line for line in searcher.lines(count) if line.depth > 0)
        state = searcher.state
        return Info(lines, state.selective_depth, searcher.nodes, seconds, state.full, state.current)

    def think(self, limit: Limit, multipv: int = 1) -> SearchResult:
        """Search the position while the caller waits."""
        return self.searcher.think(self.board.position, limit, multipv, self.board.history)

    def hurry(self, soft: float, hard: float) -> None:
        """Give the running search a number of seconds from now, as ``Limit`` has them: the opponent has moved."""
        worker, searcher = self._worker, self.searcher
        if len(self.game.moves(self.board.position)) == 1:
            hard = 0.0

        def watch(running: threading.Thread) -> None:
            began, late = perf_counter(), -1
            while running.is_alive():
                passed = perf_counter() - began
                if passed >= soft:
                    depth = searcher.state.depth
                    if passed >= hard or late not in (-1, depth):
                        searcher.stop()
                    late = depth if late < 0 else late
                running.join(0.002)

        if worker is not None:
            _thread(watch, worker).start()

    def interrupt(self) -> None:
        """End the running search, if there is one, and do not wait for it."""
        if self._searcher is not None:
            self._searcher.stop()

    def stop(self) -> None:
        """End the running search, if there is one, and wait until it has said its move."""
        worker = self._worker
        if worker is None:
            return
        while worker.is_alive():
            self.searcher.stop()
            worker.join(0.002)
        self._worker = None

    def wait(self) -> None:
        """Wait for the running search to end by itself."""
        if self._worker is not None:
            self._worker.join()
