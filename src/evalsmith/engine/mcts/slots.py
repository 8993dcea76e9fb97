"""The slots of a context of Monte Carlo tree search.

Every thread has a context of its own. The first one's holds what all share, and all reach it through ``shared``.
"""

from __future__ import annotations

from evalsmith.compile import Layout
from evalsmith.games import contract

UCT, PUCT = 0, 1
UNIFORM, BY_ORDER, BY_EVALUATION = 0, 1, 2
EXPLORATION, SLOPE, CONSTANTS = 0, 1, 2  # SLOPE: what the evaluation is multiplied with before tanh
FIND_DEPTH = 4  # how far below the old root a new one is looked for: two moves, each with an outcome of chance
# Rows of `positions`: a simulation plays in two of them, priors in a third; reuse has one a ply from HERE_ROW on.
ROOT_ROW, NEXT_ROW, HERE_ROW, THERE_ROW, PRIOR_ROW = range(5)
POSITION_ROWS = HERE_ROW + FIND_DEPTH + 1

_layout = Layout(contract.FIRST_FREE, contract.CONTEXT_SIZE)

# ── Shared by all threads: read and written in the first context ────────────────────────────────

TAKEN = _layout.number()  # simulations that a thread has begun or is about to
SIMULATION_LIMIT = _layout.number()
DEADLINE = _layout.number()  # stop at this moment of `clock`, nanoseconds; 0 for none
STOP = _layout.number()  # set to stop at once, from outside or by the thread that reached the depth limit
DEPTH_LIMIT = _layout.number()  # stop when simulations have this mean length, or the arena is full; 0 for none
FULL = _layout.number()  # set when a node found no place
TOP = _layout.number()  # the first free word of the arena
PRUNING = _layout.number()  # whether threads end when the tree is full, so that room can be made
PRUNED = _layout.number()  # how often that was done since the game began

# ── Of each thread ──────────────────────────────────────────────────────────────────────────────

SIMULATIONS = _layout.number()  # since the search began
PLIES = _layout.number()  # plies of all simulations since the search began
SELDEPTH = _layout.number()  # the longest of them
RANDOM = _layout.number()  # state of the random generator
HISTORY_LENGTH = _layout.number()  # how many positions were played before the root
ARENA_WORDS = _layout.number()
REPEATS = _layout.number()  # whether the game can repeat positions
CHECKS = _layout.number()  # whether the game has check
ROLLOUT_PLIES = _layout.number()  # random moves before a leaf is evaluated
SELECTION = _layout.number()  # UCT or PUCT
PRIOR = _layout.number()  # UNIFORM, BY_ORDER or BY_EVALUATION
CENTRE = _layout.number()  # the evaluation that counts as 0
PENDING = _layout.number()  # what a thread adds to VISITS on its way down: 0 where it is alone
MAX_EDGES = _layout.number()  # of a node
EVEN_CHANCE = _layout.number()  # whether all outcomes of chance are visited alike, whatever their probabilities
LEFT = _layout.number()  # the kernel that counts what is left to clear; 0 where values come from results alone
BASE_LEFT = _layout.number()  # what was left where utilities count from
BASE_MOVES = _layout.number()  # moves from there to the root
EXPECTED = _layout.number()  # moves from there to the end as somebody expects them, thousandths; 0 where nobody does
DEFERRED = _layout.number()  # whether chance is left open until the move after it is chosen
LEAF = _layout.number()  # the node whose value somebody outside is asked for
LEAF_PLY = _layout.number()  # its place in `path`
LEAF_MOVES = _layout.number()  # moves from where utilities count from to there

shared = _layout.rows("integers")  # the first thread's context
arena = _layout.rows("integers")  # the tree
positions = _layout.rows("words", length_in=contract.WORDS)
moves = _layout.rows("integers", length_in=MAX_EDGES)
priors = _layout.rows("reals", length_in=MAX_EDGES)  # of the moves in `moves`; probabilities where chance moves
path = _layout.rows("integers")  # the nodes of the simulation
keys = _layout.rows("words")  # keys of the played positions and of the simulation
checks = _layout.rows("integers")  # whether the mover was in check there
constants = _layout.rows("reals", CONSTANTS)
