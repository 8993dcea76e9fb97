"""The solver in play: the game's ``finish`` hook, which a search calls before it begins.

A request is a row of numbers: what the search allows, and what the solver answers. The solver tries only what it
expects to prove with what it is allowed: a try that fails costs time that the search needs.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context, Integers, Words, at, clock, helper, kernel, popcount, table
from evalsmith.games.finishing import (
    CLEAR,
    DEPTH,
    FAILED,
    LENGTH,
    LINE,
    NODES,
    NODES_ALLOWED,
    NOT_TRIED,
    PROVEN,
    SCORE,
    TIME_ALLOWED,
    WANTED,
    Finisher,
)
from evalsmith.games.othello.endgame import slots
from evalsmith.games.othello.endgame.limits import halted
from evalsmith.games.othello.endgame.root import solve_moves
from evalsmith.games.othello.endgame.solver import make_context
from evalsmith.games.othello.rules import CENTIDISC

_0 = np.uint64(0)
_NODES_IN_1024_NS = 12  # of the solver, on a usual machine
# Nodes that nine of ten positions of games need at most, by the number of empties (benchmarks/bench_endgame.py).
_EXPECTED = np.array(
    [1, 1, 3, 8, 20, 70, 230, 500, 1_100, 2_000, 3_700, 7_000, 14_000, 30_000, 65_000, 130_000, 275_000, 500_000,
     1_000_000, 1_900_000, 3_600_000, 7_000_000, 14_000_000, 28_000_000, 56_000_000],
    dtype=np.int64,
)  # fmt: skip
_expected = table("othello.expected_nodes", _EXPECTED)
_MOST_EMPTIES = len(_EXPECTED) - 1


@helper("void(integers)")
def _clear(solver: Integers) -> None:
    """Forget all bounds."""
    entries = slots.table(solver)
    for i in range(solver[slots.BUCKETS] * slots.BUCKET_WORDS):
        entries[i] = _0


@kernel("int64(words, integers, integers)")
def finish(position: Words, solver: Integers, request: Integers) -> int:
    """Answer a request about a position: NOT_TRIED, FAILED or PROVEN."""
    if request[WANTED] == CLEAR:
        _clear(solver)
        return NOT_TRIED
    mover, enemy = position[0], position[1]
    empties = 64 - popcount(mover | enemy)
    if empties > _MOST_EMPTIES:
        return NOT_TRIED
    allowed, time = request[NODES_ALLOWED], request[TIME_ALLOWED]
    expected = _expected()[empties]
    if expected > allowed or (time > 0 and expected > time // 1024 * _NODES_IN_1024_NS):
        return NOT_TRIED
    solver[slots.NODES], solver[slots.NEXT_LOOK], solver[slots.HALTED] = 0, 0, 0
    solver[slots.NODE_LIMIT], solver[slots.DEADLINE] = allowed, 0
    if time > 0:
        solver[slots.DEADLINE] = clock() + time
    request[LENGTH] = solve_moves(solver, mover, enemy, at(request, LINE))
    request[NODES] = solver[slots.NODES]
    if halted(solver) != 0:
        return FAILED
    request[SCORE], request[DEPTH] = solver[slots.LOWER] * CENTIDISC, empties
    return PROVEN


def _make(weights: npt.NDArray[np.int32], terms: ModuleType, table_bytes: int, stop: npt.NDArray[np.int64]) -> Context:
    return make_context(weights, table_bytes, stop, terms)


FINISHER = Finisher(kernel=finish, make=_make)
