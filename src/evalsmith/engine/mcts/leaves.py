"""Simulations that stop at a leaf until somebody says what it is worth: a net, for many leaves at once.

    descend    goes down the tree to a leaf, and says whether a value is wanted
    absorb     gives the leaf its edges with priors, and backs the value up

**Deferred chance.** What chance reveals may matter only later: the preview of Dr. Mario is the pill after the next
move. A net that does not see it says the same of all outcomes, and a tree with a node for each would ask nine times for
nothing. So where DEFERRED is set a node that waits for chance has the moves themselves as its edges, and below each
move stands a fork with the outcomes, each of which leads to what outcome and move make together:

    bottle, pill A, preview B ── place A ──▶ bottle', pill B, preview ? ── place B ──▶ fork ── C ──▶ bottle'', pill C, …

Each context has one leaf open at most. Several contexts of one tree, as threads have them, have several; each counts as
a lost game until it comes back (virtual loss), so that they part.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Reals, Words, driver, helper, int64, pointer, uint64, volatile
from evalsmith.engine.mcts import blocks, slots
from evalsmith.engine.mcts.backup import back_up
from evalsmith.engine.mcts.rollout import judge, worth
from evalsmith.engine.mcts.selection import pick_move, pick_outcome
from evalsmith.engine.mcts.simulation import enter, note_position
from evalsmith.engine.mcts.tree import add, create, grow
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract

OPEN, DONE, BUSY, FULL = 0, 1, 2, 3
"""What `descend` says: a value is wanted; the simulation needed none; another context waits there; no room is left."""

LEAF_ROW = slots.PRIOR_ROW  # the row of `positions` that holds the leaf


@helper("void(integers, int64)")
def _withdraw(context: Integers, last: int) -> None:
    """Leave the path as if the simulation had not begun."""
    for ply in range(last + 1):
        if context[slots.PENDING] != 0:
            node = slots.path(context)[ply]
            add(context, slots.arena(context), node + blocks.VISITS, -context[slots.PENDING])


@helper("void(integers, int64, float64, int64)", floats=True)
def _finish(context: Integers, ply: int, value: float, changed: int) -> None:
    """Back a value up, and count the simulation."""
    back_up(context, ply, value, changed)
    context[slots.SIMULATIONS] += 1
    context[slots.PLIES] += ply
    context[slots.SELDEPTH] = max(context[slots.SELDEPTH], ply)


@driver("void(int64[::1])", floats=True)
def plant_root(given: Integers) -> None:
    """Make sure that there is a root; it gets its edges with its first value."""
    context = pointer(given)
    arena = slots.arena(context)
    if arena[blocks.ROOT] == 0:
        arena[blocks.ROOT] = create(context, slots.positions(context), blocks.UNKNOWN)


@driver("int64(int64[::1])", floats=True)
def descend(given: Integers) -> int:
    """Go down to a leaf: OPEN, DONE, BUSY or FULL. The position of an open leaf stands in LEAF_ROW."""
    context = pointer(given)
    arena, path = slots.arena(context), slots.path(context)
    root, words = slots.positions(context), context[contract.WORDS]
    here, there = slots.positions(context, slots.HERE_ROW), slots.positions(context, slots.THERE_ROW)
    for i in range(words):
        here[i] = root[i]
    node, ply, changed, deferred = arena[blocks.ROOT], 0, 0, -1  # `deferred`: the move that waits for chance
    context[slots.LEAF_MOVES] = context[slots.BASE_MOVES]
    note_position(context, here, 0)
    enter(context, node, 0)
    while True:
        # Step 1. A proven node, and a full tree, need no value.
        if arena[node + blocks.LOW] == arena[node + blocks.HIGH]:
            _finish(context, ply, worth(context, arena[node + blocks.LOW]), changed)
            return DONE
        block = volatile(arena, node + blocks.EDGES)
        if block < 0 or (block == 0 and ply >= MAX_PLY - 1):
            _withdraw(context, ply)
            return BUSY
        if block == 0:
            break

        # Step 2. The next node on the way, made if it is not there.
        end = block + ((arena[block] & blocks.HEAD) >> 1)
        chance = arena[node + blocks.INFO] & blocks.STATUS == contract.CHANCE
        edge = pick_outcome(arena, block, end) if chance else pick_move(context, node, block, end)
        if edge == 0:
            _withdraw(context, ply)
            return BUSY
        waits = context[slots.DEFERRED] != 0 and not chance and contract.status_of(context, here) == contract.CHANCE
        if waits:
            deferred = arena[edge] & blocks.MOVE
            context[slots.LEAF_MOVES] += 1
        else:
            if chance:
                contract.reveal_into(context, here, arena[edge] & blocks.MOVE, there)
            else:
                contract.play_into(context, here, arena[edge] & blocks.MOVE, there)
                context[slots.LEAF_MOVES] += 1
            here, there = there, here
            if deferred >= 0:
                contract.play_into(context, here, deferred, there)
                here, there, deferred = there, here, -1
        node = volatile(arena, edge + 1)
        if node == 0:
            exact = blocks.UNKNOWN if waits else judge(context, here, ply + 1)
            node = grow(context, edge, here, exact)
            if node == 0 or (waits and _fork(context, node, here) == 0):
                _withdraw(context, ply)
                return FULL
            if context[slots.DEFERRED] != 0 and not waits and exact == blocks.UNKNOWN:
                _let_player_move(context, node)
            ply += 1
            path[ply] = node
            changed = 1 if exact != blocks.UNKNOWN else 0
            note_position(context, here, ply)
            continue
        ply += 1
        enter(context, node, ply)
        note_position(context, here, ply)
    # Step 3. The leaf waits for its value; whoever comes by meanwhile sees that.
    arena[node + blocks.EDGES] = blocks.CLAIMED
    context[slots.LEAF], context[slots.LEAF_PLY] = node, ply
    leaf = slots.positions(context, LEAF_ROW)
    for i in range(words):
        leaf[i] = here[i]
    return OPEN


@helper("int64(integers, int64)", floats=True)
def _fill_edges(context: Integers, count: int) -> int:
    """The edges of the open leaf, with the shares in PRIORS; 0 when the arena is full."""
    shared, arena = slots.shared(context), slots.arena(context)
    moves, priors = slots.moves(context), slots.priors(context)
    block, size = shared[slots.TOP], 1 + 2 * count
    if block + size > context[slots.ARENA_WORDS]:
        shared[slots.FULL] = 1
        return 0
    shared[slots.TOP] = block + size
    arena[block] = 2 * size + blocks.EDGES_KIND
    for i in range(count):
        arena[block + 1 + 2 * i] = moves[i] + (int64(priors[i] * blocks.SHARE) << blocks.MOVE_BITS)
        arena[block + 2 + 2 * i] = 0
    return block


@helper("int64(integers, int64, words)", floats=True)
def _fork(context: Integers, node: int, position: Words) -> int:
    """Give a node the outcomes of chance as edges; 0 when the arena is full.

    Outcomes that are as likely are visited in their order, so it begins elsewhere with every root.
    """
    priors = slots.priors(context)
    count = contract.chance_of(context, position, priors)
    if context[slots.EVEN_CHANCE] != 0:
        for i in range(count):
            priors[i] = 1.0 / count
    block = _fill_edges(context, count)
    if block == 0:
        return 0
    arena = slots.arena(context)
    first = (contract.key_of(context, slots.positions(context)) >> uint64(8)) % uint64(count)
    for i in range(count):
        outcome = (i + int64(first)) % count
        arena[block + 1 + 2 * i] = outcome + (int64(priors[outcome] * blocks.SHARE) << blocks.MOVE_BITS)
    arena[node + blocks.EDGES] = block
    return block


@helper("void(integers, int64)")
def _let_player_move(context: Integers, node: int) -> None:
    """Have a node that waits for chance chosen and backed up as one of its mover."""
    arena = slots.arena(context)
    arena[node + blocks.INFO] = (arena[node + blocks.INFO] & ~blocks.STATUS) + contract.PLAYER


@driver("void(int64[::1], float64, float64[::1])", floats=True)
def absorb(given: Integers, value: float, policy: Reals) -> None:
    """Give the open leaf its edges, whose priors are the shares of their slots, and back up its value for side 0."""
    context = pointer(given)
    node, leaf = context[slots.LEAF], slots.positions(context, LEAF_ROW)
    moves, priors = slots.moves(context), slots.priors(context)
    if slots.arena(context)[node + blocks.INFO] & blocks.STATUS == contract.CHANCE:
        count = contract.chance_of(context, leaf, priors)
        for i in range(count):
            moves[i] = i
            if context[slots.EVEN_CHANCE] != 0:
                priors[i] = 1.0 / count
    else:
        if contract.status_of(context, leaf) == contract.CHANCE:  # deferred: any outcome has the same moves
            contract.reveal_into(context, leaf, 0, slots.positions(context, slots.HERE_ROW))
            leaf = slots.positions(context, slots.HERE_ROW)
        count = contract.moves_of(context, leaf, moves)
        total = 0.0
        for i in range(count):
            priors[i] = max(policy[contract.slot_of(context, leaf, moves[i])], 1e-9)
            total += priors[i]
        for i in range(count):
            priors[i] /= total
    slots.arena(context)[node + blocks.EDGES] = _fill_edges(context, count)
    _finish(context, context[slots.LEAF_PLY], value, 0)


@driver("void(int64[::1], float64[::1], float64)", floats=True)
def add_noise(given: Integers, noise: Reals, share: float) -> None:
    """Mix noise into the priors of the root, edge by edge."""
    context = pointer(given)
    arena = slots.arena(context)
    block = arena[arena[blocks.ROOT] + blocks.EDGES]
    if block <= 0:
        return
    count = ((arena[block] & blocks.HEAD) >> 1) // 2
    for i in range(count):
        edge = block + 1 + 2 * i
        move, prior = arena[edge] & blocks.MOVE, float(arena[edge] >> blocks.MOVE_BITS) / blocks.SHARE
        mixed = (1.0 - share) * prior + share * noise[i]
        arena[edge] = move + (int64(mixed * blocks.SHARE) << blocks.MOVE_BITS)
