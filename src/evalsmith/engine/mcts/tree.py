"""The tree of Monte Carlo tree search and its memory: blocks, nodes and edges, made by one thread or several.

Several threads grow one tree without locks. What two of them may write at once goes through `put`, which only succeeds
if the word is still what was read. So space is given out once, no visit is lost, and bounds only narrow. A thread that
wants to make a block first claims the word that will point to it, and lets it point there when the block is complete. A
thread that finds a word claimed does without the block. A thread that is alone writes plainly.

In a full arena simulations end at the leaves that are there, until `prune` makes room.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Words, exchange, helper, int64, volatile
from evalsmith.engine.mcts import blocks, slots
from evalsmith.engine.mcts.priors import fill_priors
from evalsmith.engine.mcts.rollout import max_bound
from evalsmith.games import contract


@helper("int64(integers, integers, int64, int64, int64)", inline=True)
def put(context: Integers, row: Integers, index: int, old: int, new: int) -> int:
    """Put ``new`` in the place of ``old``; 0 if another thread put something else there meanwhile."""
    if context[slots.PENDING] == 0:
        row[index] = new
        return 1
    return exchange(row, index, old, new)


@helper("int64(integers, integers, int64, int64)")
def add(context: Integers, row: Integers, index: int, change: int) -> int:
    """Add to a word; what it is then."""
    while True:
        old = volatile(row, index)
        if put(context, row, index, old, old + change) != 0:
            return old + change


@helper("int64(integers, int64, int64)")
def _allocate(context: Integers, kind: int, size: int) -> int:
    """A block of so many words, or 0 when the arena is full."""
    shared = slots.shared(context)
    while True:
        block = volatile(shared, slots.TOP)
        if block + size > context[slots.ARENA_WORDS]:
            shared[slots.FULL] = 1
            return 0
        if put(context, shared, slots.TOP, block, block + size) != 0:
            slots.arena(context)[block] = 2 * size + kind
            return block


@helper("int64(integers, words, int64)")
def create(context: Integers, position: Words, value: int) -> int:
    """A node without edges, proven if ``value`` is known; 0 when the arena is full."""
    node = _allocate(context, blocks.NODE_KIND, blocks.NODE_WORDS)
    if node == 0:
        return 0
    arena = slots.arena(context)
    limit = max_bound(context)
    arena[node + blocks.VISITS], arena[node + blocks.SUM], arena[node + blocks.EDGES] = 0, 0, 0
    arena[node + blocks.LOW], arena[node + blocks.HIGH] = (-limit, limit) if value == blocks.UNKNOWN else (value, value)
    arena[node + blocks.INFO] = contract.status_of(context, position) + (
        contract.mover_of(context, position) << blocks.SIDE
    )
    return node


@helper("int64(integers, int64, words, int64)")
def grow(context: Integers, edge: int, position: Words, value: int) -> int:
    """The new child of an edge, with this thread below it; 0 when the arena is full or another thread makes it."""
    arena = slots.arena(context)
    if volatile(arena, edge + 1) != 0 or put(context, arena, edge + 1, 0, blocks.CLAIMED) == 0:
        return 0
    child = create(context, position, value)
    if child != 0:
        arena[child + blocks.VISITS] = context[slots.PENDING]
    put(context, arena, edge + 1, blocks.CLAIMED, child)
    return child


@helper("int64(integers, int64, words)", floats=True)
def expand(context: Integers, node: int, position: Words) -> int:
    """Give a node its edges; 0 when the arena is full or another thread does it."""
    arena = slots.arena(context)
    if put(context, arena, node + blocks.EDGES, 0, blocks.CLAIMED) == 0:
        return 0
    moves, priors = slots.moves(context), slots.priors(context)
    chance = arena[node + blocks.INFO] & blocks.STATUS == contract.CHANCE
    count = contract.chance_of(context, position, priors) if chance else contract.moves_of(context, position, moves)
    block = _allocate(context, blocks.EDGES_KIND, 1 + 2 * count)
    if block != 0:
        if not chance:
            fill_priors(context, position, count)
        for i in range(count):
            if chance and context[slots.EVEN_CHANCE] != 0:
                priors[i] = 1.0 / count
            move = i if chance else moves[i]
            arena[block + 1 + 2 * i] = move + (int64(priors[i] * blocks.SHARE) << blocks.MOVE_BITS)
            arena[block + 2 + 2 * i] = 0
    put(context, arena, node + blocks.EDGES, blocks.CLAIMED, block)
    return block


@helper("int64(integers, int64, int64, int64)")
def narrow(context: Integers, node: int, low: int, high: int) -> int:
    """Bring the bounds of a node closer to each other where these are closer; whether they were."""
    arena = slots.arena(context)
    changed = 0
    while True:
        known = volatile(arena, node + blocks.LOW)
        if low <= known:
            break
        if put(context, arena, node + blocks.LOW, known, low) != 0:
            changed = 1
            break
    while True:
        known = volatile(arena, node + blocks.HIGH)
        if high >= known:
            break
        if put(context, arena, node + blocks.HIGH, known, high) != 0:
            changed = 1
            break
    return changed
