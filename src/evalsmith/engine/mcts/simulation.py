"""Monte Carlo tree search for every game: one simulation after another, until a limit strikes."""

from __future__ import annotations

from evalsmith.compile import Integers, Words, clock, driver, helper, pointer, volatile
from evalsmith.engine.mcts import blocks, slots
from evalsmith.engine.mcts.backup import back_up
from evalsmith.engine.mcts.rollout import judge, roll_out, worth
from evalsmith.engine.mcts.selection import pick_move, pick_outcome
from evalsmith.engine.mcts.tree import add, create, expand, grow
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract

_BATCH = 8  # a thread takes so many simulations at a time, and looks at the clock between


@helper("void(integers, words, int64)")
def note_position(context: Integers, position: Words, ply: int) -> None:
    """Remember a position of the path, for repetitions."""
    if context[slots.REPEATS] != 0:
        slots.keys(context)[context[slots.HISTORY_LENGTH] + ply] = contract.key_of(context, position)
        checked = contract.check_of(context, position) if context[slots.CHECKS] != 0 else 0
        slots.checks(context)[context[slots.HISTORY_LENGTH] + ply] = checked


@helper("void(integers, int64, int64)")
def enter(context: Integers, node: int, ply: int) -> None:
    """Make a node the next of the path; until the simulation comes back it counts as lost."""
    slots.path(context)[ply] = node
    if context[slots.PENDING] != 0:
        add(context, slots.arena(context), node + blocks.VISITS, context[slots.PENDING])


@helper("void(integers)", floats=True)
def _simulate(context: Integers) -> None:
    """Go down the tree, add one node, find its value, and back it up."""
    arena, path = slots.arena(context), slots.path(context)
    root, words = slots.positions(context), context[contract.WORDS]
    here, there = slots.positions(context, slots.HERE_ROW), slots.positions(context, slots.THERE_ROW)
    for i in range(words):
        here[i] = root[i]
    node, ply, changed, value = arena[blocks.ROOT], 0, 0, 0.0
    context[slots.LEAF_MOVES] = context[slots.BASE_MOVES]
    enter(context, node, ply)
    while True:
        if arena[node + blocks.LOW] == arena[node + blocks.HIGH]:
            value = worth(context, arena[node + blocks.LOW])
            break
        block = volatile(arena, node + blocks.EDGES)
        if block == 0 and ply < MAX_PLY - 1:
            block = expand(context, node, here)
        if block <= 0:
            value = roll_out(context, here, there)
            break
        end = block + ((arena[block] & blocks.HEAD) >> 1)
        chance = arena[node + blocks.INFO] & blocks.STATUS == contract.CHANCE
        edge = pick_outcome(arena, block, end) if chance else pick_move(context, node, block, end)
        if edge == 0:  # what other threads proved below has yet to reach this node
            value, changed = roll_out(context, here, there), 1
            break
        if chance:
            contract.reveal_into(context, here, arena[edge] & blocks.MOVE, there)
        else:
            contract.play_into(context, here, arena[edge] & blocks.MOVE, there)
            context[slots.LEAF_MOVES] += 1
        here, there = there, here
        node = volatile(arena, edge + 1)
        if node <= 0:
            exact = judge(context, here, ply + 1)
            node = grow(context, edge, here, exact)
            if node != 0:
                ply += 1
                path[ply] = node
                changed = 1 if exact != blocks.UNKNOWN else 0
            value = roll_out(context, here, there) if exact == blocks.UNKNOWN else worth(context, exact)
            break
        ply += 1
        enter(context, node, ply)
        note_position(context, here, ply)
    back_up(context, ply, value, changed)
    context[slots.PLIES] += ply
    context[slots.SELDEPTH] = max(context[slots.SELDEPTH], ply)


@helper("int64(integers)")
def _late(context: Integers) -> int:
    """Whether time is up, or somebody wants the search to stop."""
    shared = slots.shared(context)
    return (
        1
        if volatile(shared, slots.STOP) != 0 or (shared[slots.DEADLINE] != 0 and clock() >= shared[slots.DEADLINE])
        else 0
    )


@helper("int64(integers)")
def _deep(context: Integers) -> int:
    """Whether this thread has come to the depth limit."""
    shared, done = slots.shared(context), context[slots.SIMULATIONS]
    if shared[slots.DEPTH_LIMIT] == 0 or done == 0:
        return 0
    return 1 if context[slots.PLIES] >= shared[slots.DEPTH_LIMIT] * done or shared[slots.FULL] != 0 else 0


@driver("void(int64[::1])", floats=True)
def plant(given: Integers) -> None:
    """Make sure that there is a root, and that it has edges: before any thread runs."""
    context = pointer(given)
    arena, root = slots.arena(context), slots.positions(context)
    if arena[blocks.ROOT] == 0:
        arena[blocks.ROOT] = create(context, root, blocks.UNKNOWN)
    if arena[arena[blocks.ROOT] + blocks.EDGES] == 0:
        expand(context, arena[blocks.ROOT], root)


@driver("void(int64[::1])", floats=True)
def run(given: Integers) -> None:
    """Simulate from the root until a limit strikes, the root is proven, or room must be made: what each thread does."""
    context = pointer(given)
    shared, arena = slots.shared(context), slots.arena(context)
    node, limit = arena[blocks.ROOT], shared[slots.SIMULATION_LIMIT]
    note_position(context, slots.positions(context), 0)
    while shared[slots.PRUNING] == 0 or volatile(shared, slots.FULL) == 0:
        first = add(context, shared, slots.TAKEN, _BATCH) - _BATCH
        if first >= limit or _late(context) != 0:
            return
        if _deep(context) != 0:
            shared[slots.STOP] = 1
            return
        for i in range(first, min(first + _BATCH, limit)):
            if volatile(arena, node + blocks.LOW) == volatile(arena, node + blocks.HIGH):
                return
            # A random game can take a millisecond.
            if i > first and context[slots.ROLLOUT_PLIES] > 0 and _late(context) != 0:
                return
            _simulate(context)
            context[slots.SIMULATIONS] += 1
