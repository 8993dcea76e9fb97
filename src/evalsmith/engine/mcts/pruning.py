"""Making room in a full tree: nodes that were seldom visited lose what lies below them, but not what they learned.

Without room, simulations would end at the same leaves again and again, and a move whose refutation was not in the tree
any more would look better with every visit.
"""

from __future__ import annotations

from evalsmith.compile import Integers, driver, helper, pointer, scan_reverse, scratch, uint64
from evalsmith.engine.mcts import blocks, slots
from evalsmith.engine.mcts.reuse import slide

_CLASSES = blocks.VISIT_BITS + 1  # of nodes, by the highest bit of their visits; the first is for none
_words_of_class = scratch("integers", _CLASSES)


@helper("int64(integers, int64)")
def _class(arena: Integers, node: int) -> int:
    """How often a node was visited, roughly: the number of binary digits."""
    return scan_reverse(uint64(arena[node + blocks.VISITS] & blocks.VISITED)) + 1


@helper("int64(integers)")
def _min_class(context: Integers) -> int:
    """The first class of which all that lies below fits, with that of the classes above, into half of the arena.

    A child is never visited more often than its parent, so no node of these classes loses its place in the tree.
    """
    arena, words = slots.arena(context), _words_of_class()
    for i in range(_CLASSES):
        words[i] = 0
    place = blocks.FIRST_BLOCK
    while place < context[slots.TOP]:
        size = (arena[place] & blocks.HEAD) >> 1
        if arena[place] & 1 == blocks.NODE_KIND and arena[place + blocks.EDGES] != 0:
            block = arena[place + blocks.EDGES]
            end = block + ((arena[block] & blocks.HEAD) >> 1)
            below = end - block
            for edge in range(block + 1, end, 2):
                if arena[edge + 1] != 0:
                    below += blocks.NODE_WORDS
            words[_class(arena, place)] += below
        place += size
    used, lowest = 0, _CLASSES
    while lowest > 0 and used + words[lowest - 1] <= context[slots.ARENA_WORDS] // 2:
        lowest -= 1
        used += words[lowest]
    return lowest


@driver("int64(int64[::1])")
def prune(given: Integers) -> int:
    """Make room; 0 if there is little to be had, as in an arena that hardly holds the root and its children.

    The context is the first thread's, and no thread runs.
    """
    context = pointer(given)
    arena = slots.arena(context)
    lowest, place = _min_class(context), blocks.FIRST_BLOCK
    while place < context[slots.TOP]:
        if arena[place] & 1 == blocks.NODE_KIND and place != arena[blocks.ROOT] and _class(arena, place) < lowest:
            arena[place + blocks.EDGES] = 0
        place += (arena[place] & blocks.HEAD) >> 1
    slide(context, arena[blocks.ROOT])
    context[slots.FULL] = 0
    context[slots.PRUNED] += 1
    return 1 if 4 * context[slots.TOP] <= 3 * context[slots.ARENA_WORDS] else 0
