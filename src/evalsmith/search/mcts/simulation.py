"""Monte Carlo tree search for every game: one simulation after another, until a limit strikes."""

from __future__ import annotations

from evalsmith.compile import Integers, Words, at, clock, driver, helper, integers_at, pointer, volatile, words_at
from evalsmith.games.contract import CHANCE, WORDS, check_of, key_of, play_into, reveal_into
from evalsmith.search.mcts.backup import back_up
from evalsmith.search.mcts.rollout import judge, roll_out, worth
from evalsmith.search.mcts.selection import pick_move, pick_outcome
from evalsmith.search.mcts.slots import (
    ARENA,
    CHECK_FLAGS,
    CHECKS,
    DEADLINE,
    DEPTH_LIMIT,
    EDGES,
    FULL,
    HEAD,
    HERE_ROW,
    HIGH,
    HISTORY_LENGTH,
    INFO,
    KEYS,
    LOW,
    MOVE,
    PATH,
    PENDING,
    PLIES,
    POSITIONS,
    PRUNING,
    REPEATS,
    ROLLOUT_PLIES,
    ROOT,
    SELDEPTH,
    SHARED,
    SIMULATION_LIMIT,
    SIMULATIONS,
    STATUS,
    STOP,
    TAKEN,
    THERE_ROW,
    UNKNOWN,
    VISITS,
)
from evalsmith.search.mcts.tree import add, create, expand, grow
from evalsmith.search.values import MAX_PLY

_BATCH = 8  # a thread takes so many simulations at a time, and looks at the clock between


@helper("void(integers, words, int64)")
def _note(context: Integers, position: Words, ply: int) -> None:
    """Remember a position of the path, for repetitions."""
    if context[REPEATS] != 0:
        words_at(context[KEYS])[context[HISTORY_LENGTH] + ply] = key_of(context, position)
        checked = check_of(context, position) if context[CHECKS] != 0 else 0
        integers_at(context[CHECK_FLAGS])[context[HISTORY_LENGTH] + ply] = checked


@helper("void(integers, int64, int64)")
def _enter(context: Integers, node: int, ply: int) -> None:
    """Make a node the next of the path; until the simulation comes back it counts as lost."""
    integers_at(context[PATH])[ply] = node
    if context[PENDING] != 0:
        add(context, integers_at(context[ARENA]), node + VISITS, context[PENDING])


@helper("void(integers)", floats=True)
def _simulate(context: Integers) -> None:
    """Go down the tree, add one node, find its value, and back it up."""
    arena, path = integers_at(context[ARENA]), integers_at(context[PATH])
    root, words = words_at(context[POSITIONS]), context[WORDS]
    here, there = at(root, HERE_ROW * words), at(root, THERE_ROW * words)
    for i in range(words):
        here[i] = root[i]
    node, ply, changed, value = arena[ROOT], 0, 0, 0.0
    _enter(context, node, ply)
    while True:
        if arena[node + LOW] == arena[node + HIGH]:
            value = worth(context, arena[node + LOW])
            break
        block = volatile(arena, node + EDGES)
        if block == 0 and ply < MAX_PLY - 1:
            block = expand(context, node, here)
        if block <= 0:
            value = roll_out(context, here, there)
            break
        end = block + ((arena[block] & HEAD) >> 1)
        chance = arena[node + INFO] & STATUS == CHANCE
        edge = pick_outcome(arena, block, end) if chance else pick_move(context, node, block, end)
        if edge == 0:  # what other threads proved below has yet to reach this node
            value, changed = roll_out(context, here, there), 1
            break
        if chance:
            reveal_into(context, here, arena[edge] & MOVE, there)
        else:
            play_into(context, here, arena[edge] & MOVE, there)
        here, there = there, here
        node = volatile(arena, edge + 1)
        if node <= 0:
            exact = judge(context, here, ply + 1)
            node = grow(context, edge, here, exact)
            if node != 0:
                ply += 1
                path[ply] = node
                changed = 1 if exact != UNKNOWN else 0
            value = roll_out(context, here, there) if exact == UNKNOWN else worth(context, exact)
            break
        ply += 1
        _enter(context, node, ply)
        _note(context, here, ply)
    back_up(context, ply, value, changed)
    context[PLIES] += ply
    context[SELDEPTH] = max(context[SELDEPTH], ply)


@helper("int64(integers)")
def _late(context: Integers) -> int:
    """Whether time is up, or somebody wants the search to stop."""
    shared = integers_at(context[SHARED])
    return 1 if volatile(shared, STOP) != 0 or (shared[DEADLINE] != 0 and clock() >= shared[DEADLINE]) else 0


@helper("int64(integers)")
def _deep(context: Integers) -> int:
    """Whether this thread has come to the depth limit."""
    shared, done = integers_at(context[SHARED]), context[SIMULATIONS]
    if shared[DEPTH_LIMIT] == 0 or done == 0:
        return 0
    return 1 if context[PLIES] >= shared[DEPTH_LIMIT] * done or shared[FULL] != 0 else 0


@driver("void(int64[::1])", floats=True)
def plant(given: Integers) -> None:
    """Make sure that there is a root, and that it has edges: before any thread runs."""
    context = pointer(given)
    arena, root = integers_at(context[ARENA]), words_at(context[POSITIONS])
    if arena[ROOT] == 0:
        arena[ROOT] = create(context, root, UNKNOWN)
    if arena[arena[ROOT] + EDGES] == 0:
        expand(context, arena[ROOT], root)


@driver("void(int64[::1])", floats=True)
def run(given: Integers) -> None:
    """Simulate from the root until a limit strikes, the root is proven, or room must be made: what each thread does."""
    context = pointer(given)
    shared, arena = integers_at(context[SHARED]), integers_at(context[ARENA])
    node, limit = arena[ROOT], shared[SIMULATION_LIMIT]
    _note(context, words_at(context[POSITIONS]), 0)
    while shared[PRUNING] == 0 or volatile(shared, FULL) == 0:
        first = add(context, shared, TAKEN, _BATCH) - _BATCH
        if first >= limit or _late(context) != 0:
            return
        if _deep(context) != 0:
            shared[STOP] = 1
            return
        for i in range(first, min(first + _BATCH, limit)):
            if volatile(arena, node + LOW) == volatile(arena, node + HIGH):
                return
            # A random game can take a millisecond.
            if i > first and context[ROLLOUT_PLIES] > 0 and _late(context) != 0:
                return
            _simulate(context)
            context[SIMULATIONS] += 1
