"""The words of the tree of Monte Carlo tree search.

The tree lives in one row of int64 words, the arena. It is a sequence of blocks, each with its size in its first word:

    node    head, VISITS, SUM, LOW, HIGH, EDGES, INFO
    edges   head, then two words an edge: the move or outcome with its prior or probability, and the child (0 for none)

A block only points to blocks behind it, since a parent is made before its children. That is what lets `reuse` slide
the subtree of a played move to the front in one pass and without other memory.

Values are for side 0, whoever moves. SUM adds up values between -1 and 1. LOW and HIGH enclose what the node is worth
by finished games alone, in 1/65536 of the game's unit; where they meet, the node is proven and is not visited again.
"""

from __future__ import annotations

ROOT, NOWHERE, FIRST_BLOCK = 0, 1, 2  # word 0 of the arena holds the address of the root
VISITS, SUM, LOW, HIGH, EDGES, INFO, NODE_WORDS = range(1, 8)
CLAIMED = -1  # stands for the address of a block that a thread is just making
# A head is kind + 2·size, and while `slide` works, above that, the address of the word that points to the block.
NODE_KIND, EDGES_KIND = 0, 1
BACK_BITS = 24
HEAD = (1 << BACK_BITS) - 1
MAX_WORDS = 1 << (63 - BACK_BITS - 1)  # of an arena, so that a head has room for an address
# VISITS counts the simulations that came back in its low bits, and above them those that are still below the node.
# Until they come back each counts as a lost game, so that threads part (virtual loss).
VISIT_BITS = 40
VISITED = (1 << VISIT_BITS) - 1
ONE_PENDING = 1 << VISIT_BITS
# The first word of an edge.
MOVE_BITS = 24
MOVE = (1 << MOVE_BITS) - 1
SHARE = 1 << 38  # a prior or a probability of 1
# INFO is status + 4·mover + 256·plies to the end, the last where the node is proven.
STATUS, SIDE, DISTANCE = 3, 2, 8
ONE = 1 << 30  # a value of 1 in SUM
UNIT = 1 << 16  # one unit of the game in LOW and HIGH
OPEN = (1 << 22) * UNIT  # beyond every value
UNKNOWN = 1 << 62
