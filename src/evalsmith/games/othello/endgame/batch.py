"""The exact scores of many Othello positions at once: the game's ``solve_many`` hook, for labels and adjudication.

A kernel call solves a chunk of positions without the GIL. Bounds are proven, so the positions of a thread share one
table; a small one, that stays in the processor's cache.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic_ns

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.endgame.root import solve_batch
from evalsmith.games.othello.endgame.solver import make_context, set_limits
from evalsmith.run.errors import InputError, PositionError
from evalsmith.scale import on_threads

DEFAULT_EMPTIES = 14
DEFAULT_BATCH_BYTES = 1 << 18  # of each thread's table

_CHUNK = 64  # positions a kernel call


@dataclass(frozen=True)
class Scores:
    """The scores in centidiscs for the side to move of each position, where ``solved``; 0 elsewhere."""

    scores: npt.NDArray[np.int32]
    solved: npt.NDArray[np.bool_]
    nodes: int


def solve_many(
    positions: npt.NDArray[np.uint64],
    *,
    empties: int = DEFAULT_EMPTIES,
    weights: npt.NDArray[np.int32] | None = None,
    table_bytes: int = DEFAULT_BATCH_BYTES,
    seconds: float | None = None,
    concurrency: int = 1,
    stop: npt.NDArray[np.int64] | None = None,
    watch: Callable[[int], None] | None = None,
) -> Scores:
    """Solve the rows of ``positions`` that have at most so many empty squares; the others stay unsolved.

    ``stop`` (one word that another thread sets to 1) and ``seconds`` for all of them end it early; what was solved
    until then is returned. ``watch`` is called with the number of rows that are done, by this thread. Scores never
    depend on ``concurrency`` or on ``table_bytes``, of each thread; with several threads, nodes do.
    """
    now = monotonic_ns()
    _check(positions, empties, concurrency)
    rows = np.require(positions, requirements=["C", "W"])
    scores, solved = np.zeros(len(rows), dtype=np.int32), np.zeros(len(rows), dtype=np.uint8)
    flag = np.zeros(1, dtype=np.int64) if stop is None else stop
    chunks = range(0, len(rows), _CHUNK)
    contexts = [make_context(weights, table_bytes, flag) for _ in range(max(1, min(concurrency, len(chunks))))]
    free: queue.SimpleQueue[Context] = queue.SimpleQueue()
    for context in contexts:
        set_limits(context, now, None, seconds)
        free.put(context)

    def work(start: int) -> None:
        context, part = free.get(), slice(start, start + _CHUNK)
        solve_batch(context.row, rows[part], empties, scores[part], solved[part])
        free.put(context)

    def end() -> None:
        flag[0] = 1

    done = 0
    for start, _ in on_threads(work, chunks, len(contexts), end):
        done += min(_CHUNK, len(rows) - start)
        if watch is not None:
            watch(done)
    nodes = sum(int(context.row[slots.NODES]) for context in contexts)
    return Scores(scores=scores, solved=solved.astype(np.bool_), nodes=nodes)


def _check(positions: npt.NDArray[np.uint64], empties: int, concurrency: int) -> None:
    if positions.ndim != 2 or positions.shape[1] != 3 or positions.dtype != np.uint64:
        raise PositionError(f"Othello positions are uint64 (n, 3), not {positions.dtype} {positions.shape}")
    twice = np.flatnonzero(positions[:, 0] & positions[:, 1])
    if twice.size:
        raise PositionError(f"row {twice[0]} is not an Othello position: {positions[twice[0]]}")
    if not 0 <= empties <= 64:
        raise InputError(f"the empty squares are 0 to 64, not {empties}")
    if concurrency < 1:
        raise InputError(f"the concurrency must be at least 1, not {concurrency}")
