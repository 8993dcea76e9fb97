"""Reusing the tree after a move: the subtree of what was played becomes the tree."""

from __future__ import annotations

from evalsmith.compile import Integers, Words, at, driver, helper, pointer
from evalsmith.engine.mcts import blocks, slots
from evalsmith.games import contract


@helper("int64(integers, int64, words, int64, int64)")
def _find(context: Integers, node: int, position: Words, ply: int, depth: int) -> int:
    """The node at or below this one with the position of the next root, at most ``depth`` plies below the old, or 0.

    Where positions can repeat, a node depends on how it was reached, so the keys of what was played must fit.
    """
    words, wanted = context[contract.WORDS], slots.positions(context, slots.NEXT_ROW)
    same = context[slots.REPEATS] == 0 or ply == depth
    for i in range(words):
        same = same and position[i] == wanted[i]
    if same:
        return node
    arena = slots.arena(context)
    block = arena[node + blocks.EDGES]
    if block == 0 or ply >= depth:
        return 0
    if context[slots.REPEATS] != 0:
        played = slots.keys(context)[context[slots.HISTORY_LENGTH] - depth + ply]
        if contract.key_of(context, position) != played:
            return 0
    child_position = at(position, words)
    for edge in range(block + 1, block + ((arena[block] & blocks.HEAD) >> 1), 2):
        child = arena[edge + 1]
        if child == 0:
            continue
        if arena[node + blocks.INFO] & blocks.STATUS == contract.CHANCE:
            contract.reveal_into(context, position, arena[edge] & blocks.MOVE, child_position)
        else:
            contract.play_into(context, position, arena[edge] & blocks.MOVE, child_position)
        found = _find(context, child, child_position, ply + 1, depth)
        if found != 0:
            return found
    return 0


@helper("void(integers, int64)")
def slide(context: Integers, root: int) -> None:
    """Move the blocks that can be reached from ``root`` to the front of the arena, and drop the others.

    One pass is enough, as a block only points to blocks behind it: each block that stays leaves its new address in
    those it points to, and a block without such an address is dropped.
    """
    arena = slots.arena(context)
    place, target = root, blocks.FIRST_BLOCK
    arena[root] += blocks.NOWHERE << blocks.BACK_BITS
    while place < context[slots.TOP]:
        head = arena[place] & blocks.HEAD
        size, back = head >> 1, arena[place] >> blocks.BACK_BITS
        if back != 0:
            arena[back] = target
            arena[target] = head
            for i in range(1, size):
                arena[target + i] = arena[place + i]
            first, step = target + 2, 2
            if head & 1 == blocks.NODE_KIND:
                first, step = target + blocks.EDGES, blocks.NODE_WORDS
            for pointing in range(first, target + size, step):
                if arena[pointing] != 0:
                    arena[arena[pointing]] += pointing << blocks.BACK_BITS
            target += size
        place += size
    context[slots.TOP] = target
    arena[blocks.ROOT] = blocks.FIRST_BLOCK


@driver("int64(int64[::1], int64)")
def reuse_subtree(given: Integers, depth: int) -> int:
    """Make the next root the root, with what is known of it; 1 if it was found below the old one.

    The context is the first thread's, and no thread runs.
    """
    context = pointer(given)
    arena, root, words = slots.arena(context), slots.positions(context), context[contract.WORDS]
    found = 0
    if arena[blocks.ROOT] != 0 and depth >= 0:
        row = slots.positions(context, slots.HERE_ROW)
        for i in range(words):
            row[i] = root[i]
        found = _find(context, arena[blocks.ROOT], row, 0, depth)
    for i in range(words):
        root[i] = root[slots.NEXT_ROW * words + i]
    # A node without edges has nothing to reuse, and if it was drawn by repetition it must not stay so.
    if found == 0 or arena[found + blocks.EDGES] == 0:
        arena[blocks.ROOT], context[slots.TOP] = 0, blocks.FIRST_BLOCK
        return 0
    slide(context, found)
    return 1
