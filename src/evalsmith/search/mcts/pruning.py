"""Making room in a full tree: nodes that were seldom visited lose what lies below them, but not what they learned.

Without room, simulations would end at the same leaves again and again, and a move whose refutation was not in the tree
any more would look better with every visit.
"""

from __future__ import annotations

from evalsmith.compile import Integers, driver, helper, integers_at, pointer, scan_reverse, scratch, uint64
from evalsmith.search.mcts.reuse import slide
from evalsmith.search.mcts.slots import (
    ARENA,
    ARENA_WORDS,
    EDGES,
    FIRST_BLOCK,
    FULL,
    HEAD,
    NODE_KIND,
    NODE_WORDS,
    PRUNED,
    ROOT,
    TOP,
    VISIT_BITS,
    VISITED,
    VISITS,
)

_CLASSES = VISIT_BITS + 1  # of nodes, by the highest bit of their visits; the first is for none
_words_of_class = scratch("integers", _CLASSES)


@helper("int64(integers, int64)")
def _class(arena: Integers, node: int) -> int:
    """How often a node was visited, roughly: the number of binary digits."""
    return scan_reverse(uint64(arena[node + VISITS] & VISITED)) + 1


@helper("int64(integers)")
def _least_class(context: Integers) -> int:
    """The first class of which all that lies below fits, with that of the classes above, into half of the arena.

    A child is never visited more often than its parent, so no node of these classes loses its place in the tree.
    """
    arena, words = integers_at(context[ARENA]), _words_of_class()
    for i in range(_CLASSES):
        words[i] = 0
    place = FIRST_BLOCK
    while place < context[TOP]:
        size = (arena[place] & HEAD) >> 1
        if arena[place] & 1 == NODE_KIND and arena[place + EDGES] != 0:
            block = arena[place + EDGES]
            end = block + ((arena[block] & HEAD) >> 1)
            below = end - block
            for edge in range(block + 1, end, 2):
                if arena[edge + 1] != 0:
                    below += NODE_WORDS
            words[_class(arena, place)] += below
        place += size
    kept, least = 0, _CLASSES
    while least > 0 and kept + words[least - 1] <= context[ARENA_WORDS] // 2:
        least -= 1
        kept += words[least]
    return least


@driver("int64(int64[::1])")
def prune(given: Integers) -> int:
    """Make room; 0 if there is little to be had, as in an arena that hardly holds the root and its children.

    The context is the first thread's, and no thread runs.
    """
    context = pointer(given)
    arena = integers_at(context[ARENA])
    least, place = _least_class(context), FIRST_BLOCK
    while place < context[TOP]:
        if arena[place] & 1 == NODE_KIND and place != arena[ROOT] and _class(arena, place) < least:
            arena[place + EDGES] = 0
        place += (arena[place] & HEAD) >> 1
    slide(context, arena[ROOT])
    context[FULL] = 0
    context[PRUNED] += 1
    return 1 if 4 * context[TOP] <= 3 * context[ARENA_WORDS] else 0
