"""What Monte Carlo tree search keeps where: the slots of its contexts, and the words of its tree.

Every thread has a context of its own. The first one's holds what all share, and all reach it through SHARED.

The tree lives in one row of int64 words, the arena. It is a sequence of blocks, each with its size in its first word:

    node    head, VISITS, SUM, LOW, HIGH, EDGES, INFO
    edges   head, then two words an edge: the move or outcome with its prior or probability, and the child (0 for none)

A block only points to blocks behind it, since a parent is made before its children. That is what lets `keep` slide
the subtree of a played move to the front in one pass and without other memory.

Values are for side 0, whoever moves. SUM adds up values between -1 and 1. LOW and HIGH enclose what the node is worth
by finished games alone, in 1/65536 of the game's unit; where they meet, the node is proven and is not visited again.
"""

from __future__ import annotations

from evalsmith.games.contract import FIRST_FREE

# ── Slots that all threads share: read and written in the first context ─────────────────────────
(
    TAKEN,  # simulations that a thread has begun or is about to
    SIMULATION_LIMIT,
    DEADLINE,  # stop at this moment of `clock`, nanoseconds; 0 for none
    STOP,  # set to stop at once, from outside or by the thread that came to the depth limit
    DEPTH_LIMIT,  # stop when simulations are so long on average, or the arena is full; 0 for none
    FULL,  # set when a node found no place
    TOP,  # the first free word of the arena
    PRUNING,  # whether threads end when the tree is full, so that room can be made
    PRUNED,  # how often that was done since the game began
) = range(FIRST_FREE, FIRST_FREE + 9)
# ── Slots of each thread ────────────────────────────────────────────────────────────────────────
(
    SIMULATIONS,  # since the search began
    PLIES,  # plies of all simulations since the search began
    SELDEPTH,  # the longest of them
    RANDOM,  # state of the random generator
    HISTORY_LENGTH,  # how many positions were played before the root
    ARENA_WORDS,
    REPEATS,  # whether the game can repeat positions
    CHECKS,  # whether the game has check
    ROLLOUT_PLIES,  # random moves before a leaf is evaluated
    SELECTION,  # UCT or PUCT
    PRIOR,  # UNIFORM, BY_ORDER or BY_EVALUATION
    CENTRE,  # the evaluation that counts as 0
    PENDING,  # what a thread adds to VISITS on its way down: 0 where it is alone
) = range(FIRST_FREE + 16, FIRST_FREE + 29)
# Addresses: of the first context, and of work arrays.
(
    SHARED,
    ARENA,
    POSITIONS,  # a row each for the root, what the next root shall be, and those below
    MOVES,
    PRIORS,  # of the moves in MOVES; probabilities where chance moves
    PATH,  # the nodes of the simulation
    KEYS,  # keys of the played positions and of the simulation
    CHECK_FLAGS,  # whether the mover was in check there
    CONSTANTS,
) = range(FIRST_FREE + 32, FIRST_FREE + 41)
EXPLORATION, SLOPE, CONSTANTS_SIZE = 0, 1, 2  # SLOPE: what the evaluation is multiplied with before tanh

UCT, PUCT = 0, 1
UNIFORM, BY_ORDER, BY_EVALUATION = 0, 1, 2
FIND_DEPTH = 4  # how far below the old root a new one is looked for: two moves, each with an outcome of chance
# Rows of POSITIONS: a simulation plays in two of them, priors in a third; `keep` has one a ply from HERE_ROW on.
ROOT_ROW, NEXT_ROW, HERE_ROW, THERE_ROW, PRIOR_ROW = range(5)
ROWS = HERE_ROW + FIND_DEPTH + 1

# ── Blocks ──────────────────────────────────────────────────────────────────────────────────────
ROOT, NOWHERE, FIRST_BLOCK = 0, 1, 2  # word 0 of the arena holds the address of the root
VISITS, SUM, LOW, HIGH, EDGES, INFO, NODE_WORDS = range(1, 8)
CLAIMED = -1  # stands for the address of a block that a thread is just making
# A head is kind + 2·size, and while `keep` works, above that, the address of the word that points to the block.
NODE_KIND, EDGES_KIND = 0, 1
BACK_BITS = 24
HEAD = (1 << BACK_BITS) - 1
MOST_WORDS = 1 << (63 - BACK_BITS - 1)  # of an arena, so that a head has room for an address
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
