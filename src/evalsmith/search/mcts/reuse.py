"""Keeping the tree between moves: the subtree of what was played becomes the tree."""

from __future__ import annotations

from evalsmith.compile import Integers, Words, at, driver, helper, integers_at, pointer, words_at
from evalsmith.games.contract import CHANCE, WORDS, key_of, play_into, reveal_into
from evalsmith.search.mcts.slots import (
    ARENA,
    BACK_BITS,
    EDGES,
    FIRST_BLOCK,
    HEAD,
    HERE_ROW,
    HISTORY_LENGTH,
    INFO,
    KEYS,
    MOVE,
    NEXT_ROW,
    NODE_KIND,
    NODE_WORDS,
    NOWHERE,
    POSITIONS,
    REPEATS,
    ROOT,
    STATUS,
    TOP,
)


@helper("int64(integers, int64, words, int64, int64)")
def _find(context: Integers, node: int, position: Words, ply: int, depth: int) -> int:
    """The node at or below this one with the position of the next root, at most ``depth`` plies below the old, or 0.

    Where positions can repeat, a node depends on how it was reached, so the keys of what was played must fit.
    """
    words, wanted = context[WORDS], at(words_at(context[POSITIONS]), NEXT_ROW * context[WORDS])
    same = context[REPEATS] == 0 or ply == depth
    for i in range(words):
        same = same and position[i] == wanted[i]
    if same:
        return node
    arena = integers_at(context[ARENA])
    block = arena[node + EDGES]
    if block == 0 or ply >= depth:
        return 0
    if context[REPEATS] != 0:
        played = words_at(context[KEYS])[context[HISTORY_LENGTH] - depth + ply]
        if key_of(context, position) != played:
            return 0
    below = at(position, words)
    for edge in range(block + 1, block + ((arena[block] & HEAD) >> 1), 2):
        child = arena[edge + 1]
        if child == 0:
            continue
        if arena[node + INFO] & STATUS == CHANCE:
            reveal_into(context, position, arena[edge] & MOVE, below)
        else:
            play_into(context, position, arena[edge] & MOVE, below)
        found = _find(context, child, below, ply + 1, depth)
        if found != 0:
            return found
    return 0


@helper("void(integers, int64)")
def slide(context: Integers, root: int) -> None:
    """Keep the blocks that can be reached from ``root``, at the front of the arena.

    One pass is enough, as a block only points to blocks behind it: each that is kept tells those it points to where
    it now stands, and what nobody has told so is left out.
    """
    arena = integers_at(context[ARENA])
    place, target = root, FIRST_BLOCK
    arena[root] += NOWHERE << BACK_BITS
    while place < context[TOP]:
        head = arena[place] & HEAD
        size, back = head >> 1, arena[place] >> BACK_BITS
        if back != 0:
            arena[back] = target
            arena[target] = head
            for i in range(1, size):
                arena[target + i] = arena[place + i]
            first, step = (target + EDGES, NODE_WORDS) if head & 1 == NODE_KIND else (target + 2, 2)
            for pointing in range(first, target + size, step):
                if arena[pointing] != 0:
                    arena[arena[pointing]] += pointing << BACK_BITS
            target += size
        place += size
    context[TOP] = target
    arena[ROOT] = FIRST_BLOCK


@driver("int64(int64[::1], int64)")
def keep(given: Integers, depth: int) -> int:
    """Make the next root the root, with what is known of it; 1 if it was found below the old one.

    The context is the first thread's, and no thread runs.
    """
    context = pointer(given)
    arena, root, words = integers_at(context[ARENA]), words_at(context[POSITIONS]), context[WORDS]
    found = 0
    if arena[ROOT] != 0 and depth >= 0:
        row = at(root, HERE_ROW * words)
        for i in range(words):
            row[i] = root[i]
        found = _find(context, arena[ROOT], row, 0, depth)
    for i in range(words):
        root[i] = root[NEXT_ROW * words + i]
    # A node without edges has nothing to keep, and if it was drawn by repetition it must not stay so.
    if found == 0 or arena[found + EDGES] == 0:
        arena[ROOT], context[TOP] = 0, FIRST_BLOCK
        return 0
    slide(context, found)
    return 1
