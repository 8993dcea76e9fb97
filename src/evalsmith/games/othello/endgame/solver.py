"""The exact score of an Othello position: the game's ``solve`` hook.

Nodes are all positions visited: in the exact searches down to a single empty square, in the looks ahead that order
moves, and on the way along the best line. For the same position, weights and bytes they are always as many.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic_ns, perf_counter
from types import ModuleType

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context, load
from evalsmith.games.game import NO_MOVE, Position
from evalsmith.games.othello import terms as own
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.endgame.root import solve_line
from evalsmith.games.othello.endgame.table import BUCKET_BYTES
from evalsmith.games.othello.rules import CENTIDISC
from evalsmith.run.errors import InputError, PositionError
from evalsmith.scale import interruptible

DEFAULT_TABLE_BYTES = 64 << 20
WATCH_SECONDS = 1.0

_MAX_LINE = 128  # moves and passes of a line
_NO_LIMIT = 1 << 62
_MAX_SECONDS = 1_000_000_000


@dataclass(frozen=True)
class Solution:
    """What a solve proved: the score in centidiscs for the side to move lies from ``lower`` to ``upper``.

    ``solved`` says that they are one number, and that ``line`` is best play of both sides to the end of the game. A
    solve that was stopped or reached a limit may have proven the score alone, with the line cut short.
    """

    solved: bool
    lower: int
    upper: int
    line: tuple[int, ...]
    nodes: int
    seconds: float

    @property
    def score(self) -> int | None:
        """The exact score in centidiscs for the side to move; None if it was not proven."""
        return self.lower if self.lower == self.upper else None

    @property
    def move(self) -> int:
        """The best move; NO_MOVE where the game is over, or where it was not found."""
        return self.line[0] if self.line else NO_MOVE


@dataclass(frozen=True)
class Progress:
    """How far a solve is: the score in centidiscs lies from ``lower`` to ``upper``."""

    nodes: int
    seconds: float
    lower: int
    upper: int


def solve(
    position: Position,
    *,
    weights: npt.NDArray[np.int32] | None = None,
    terms: ModuleType | None = None,
    table_bytes: int = DEFAULT_TABLE_BYTES,
    nodes: int | None = None,
    seconds: float | None = None,
    stop: npt.NDArray[np.int64] | None = None,
    watch: Callable[[Progress], None] | None = None,
) -> Solution:
    """Solve a position, however long that takes, or until a limit of nodes or seconds is reached.

    ``weights`` are the row that the game's fused evaluation reads (``Weights.engine_row``): good ones order the moves
    better, so that fewer are searched, and never change the score. ``terms`` is the module with that evaluation, the
    game's own if left out. ``stop`` is a row of one word that another thread sets to 1 to end the solve. ``watch`` is
    called every second, by another thread.
    """
    check_position(position)
    load(solve_line)
    began, now = perf_counter(), monotonic_ns()
    flag = np.zeros(1, dtype=np.int64) if stop is None else stop
    context = make_context(weights, table_bytes, flag, terms)
    set_limits(context, now, nodes, seconds)
    row, line = np.array(position), np.zeros(_MAX_LINE, dtype=np.int64)

    def end() -> None:
        flag[0] = 1

    with _Watcher(context, began, watch):
        length = interruptible(lambda: int(solve_line(context.row, row, line)), end)
    return Solution(
        solved=not context.row[slots.HALTED],
        lower=int(context.row[slots.LOWER]) * CENTIDISC,
        upper=int(context.row[slots.UPPER]) * CENTIDISC,
        line=tuple(int(move) for move in line[:length]),
        nodes=int(context.row[slots.NODES]),
        seconds=perf_counter() - began,
    )


def check_position(position: Position) -> None:
    """Refuse a row that is no position."""
    if position.shape != (3,) or position.dtype != np.uint64 or int(position[0]) & int(position[1]):
        raise PositionError(f"not an Othello position: {position}")


def make_context(
    weights: npt.NDArray[np.int32] | None,
    table_bytes: int,
    stop: npt.NDArray[np.int64],
    terms: ModuleType | None = None,
) -> Context:
    """The solver's surroundings, without limits; the table takes the largest power of two of the bytes."""
    if stop.shape != (1,) or stop.dtype != np.int64:
        raise InputError(f"the stop flag is one int64, not {stop.dtype} {stop.shape}")
    context = Context(slots.SIZE)
    buckets = 1 << (_checked_bytes(table_bytes) // BUCKET_BYTES).bit_length() - 1
    try:
        table = np.zeros(buckets * slots.BUCKET_WORDS, dtype=np.uint64)
    except MemoryError:
        raise InputError(f"there is not enough memory for a table of {table_bytes:,} bytes") from None
    slots.table.attach(context, table)
    context.row[slots.BUCKETS] = buckets
    context.row[slots.LOWER], context.row[slots.UPPER] = -64, 64
    context.row[slots.NODE_LIMIT] = _NO_LIMIT
    slots.stop.attach(context, stop)
    slots.moves.allocate(context, slots.MOVE_ROWS)
    if weights is not None:
        _attach_weights(context, weights, terms)
    return context


def set_limits(context: Context, now: int, nodes: int | None, seconds: float | None) -> None:
    """Limit a solve; the seconds count from ``now``, in nanoseconds of the clock that never goes back."""
    if nodes is not None and not 0 < nodes < _NO_LIMIT:
        raise InputError(f"the number of nodes must be above 0 and finite, not {nodes}")
    if seconds is not None and not 0 < seconds <= _MAX_SECONDS:
        raise InputError(f"the seconds must be above 0 and at most {_MAX_SECONDS:,}, not {seconds}")
    context.row[slots.NODE_LIMIT] = nodes or _NO_LIMIT
    context.row[slots.DEADLINE] = now + int(seconds * 1e9) if seconds else 0


def _checked_bytes(table_bytes: int) -> int:
    """Refuse a table without a bucket, and one that the machine has no memory for, before it is half filled."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if not BUCKET_BYTES <= table_bytes <= memory:
        raise InputError(f"the table needs from {BUCKET_BYTES} to {memory:,} bytes (all memory), not {table_bytes:,}")
    return table_bytes


def _attach_weights(context: Context, weights: npt.NDArray[np.int32], terms: ModuleType | None) -> None:

    terms = terms or own
    size = terms.ENGINE_SIZE
    if weights.shape != (size,) or weights.dtype != np.int32:
        raise InputError(f"a row of weights is int32 ({size},), not {weights.dtype} {weights.shape}")
    slots.position.allocate(context)
    slots.weights.attach(context, weights)
    context.bind(slots.EVALUATE, terms.evaluate)


class _Watcher:
    """Reports once a second how far a solve is."""

    def __init__(self, context: Context, began: float, watch: Callable[[Progress], None] | None) -> None:
        self.row, self.began, self.watch = context.row, began, watch
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        if self.watch is not None:
            self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.done.set()
        if self.watch is not None:
            self.thread.join()

    def _run(self) -> None:
        while self.watch is not None and not self.done.wait(WATCH_SECONDS):
            nodes, lower, upper = (int(self.row[slot]) for slot in (slots.NODES, slots.LOWER, slots.UPPER))
            self.watch(Progress(nodes, perf_counter() - self.began, lower * CENTIDISC, upper * CENTIDISC))
