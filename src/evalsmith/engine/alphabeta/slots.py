"""The slots of a context that alpha-beta owns: counters, limits and flags, and the work arrays of one thread."""

from __future__ import annotations

from evalsmith.compile import Layout
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract
from evalsmith.games.finishing import REQUEST as FINISH_REQUEST
from evalsmith.weights.probcut import ENTRY as PROBCUT_ENTRY

SOLVED = 127  # stored as the depth of values that rest on finished games alone
REDUCED_DEPTHS, REDUCED_MOVES = 32, 64  # the table of reductions; beyond it the last ones count
BUCKET_WORDS = 8  # four entries of the table, two words each
LINE_SCORE, LINE_DEPTH, LINE_LENGTH, LINE_MOVES = 0, 1, 2, 3  # a line: three numbers, then its moves

# What the helpers of the search share of the position at one ply.
SIDE = 0  # who moves
CHECKED = 1  # whether the mover is in check
EXTENDABLE = 2  # whether the search may go one ply deeper from here
STATIC = 3  # the static value where pruning may rely on it, else -INFINITE
NUMBER = 4  # the number of the move that is being searched …
SIGN = 5  # … and 1 if who made it moves again, else -1
EVALUATION = 6  # the static value, or -INFINITE in check
IMPROVING = 7  # whether that has risen since the mover's last move
CUT = 8  # whether a cut-off is expected: the position must be refuted, or its parent would be the best line
_NODE = 9
EVALUATIONS = 1 << 16  # positions whose evaluation a thread keeps, where its memory allows so many

_layout = Layout(contract.FIRST_FREE, contract.CONTEXT_SIZE)

# ── Numbers, in the context itself so that another thread can read and set them ─────────────────

NODES = _layout.number()  # positions visited since the search began
NODE_LIMIT = _layout.number()  # stop when NODES reaches this
DEADLINE = _layout.number()  # stop at this moment of `clock`, nanoseconds; 0 for none
SOFT_DEADLINE = _layout.number()  # begin no deeper search after this moment; 0 for none
FREE_DEADLINE = _layout.number()  # … nor before this one, where time would be given away; 0 for none
STOP = _layout.number()  # set from outside to stop at once
ABORTED = _layout.number()  # set by the search when a limit is reached: the value at hand is worthless
DEPTH_LIMIT = _layout.number()  # last depth of the deepening
ROOT_DEPTH = _layout.number()  # the depth that is being searched
DEPTH_DONE = _layout.number()  # last depth that was finished
SELDEPTH = _layout.number()  # deepest ply visited
HORIZON = _layout.number()  # how often a value rested on something other than finished games
MULTIPV = _layout.number()  # how many lines are wanted
CURRENT_MOVE = _layout.number()  # the root move that is being searched …
CURRENT_NUMBER = _layout.number()  # … and its number, from 1
ALLOWED_COUNT = _layout.number()  # how many root moves may be chosen; 0 where all may be
HISTORY_LENGTH = _layout.number()  # how many positions were played before the root
TECHNIQUES = _layout.number()  # bits of what the search uses
REPEATS = _layout.number()  # whether the game can repeat positions
CHECKS = _layout.number()  # whether the game has check
SHARES = _layout.number()  # whether other threads search the same position
GENERATION = _layout.number()  # age of table entries, 0 … 63
REPLACEMENT = _layout.number()  # which entry of the table gives way
FINISH = _layout.number()  # the kernel that proves the end of a game; 0 where there is none
BUCKETS = _layout.number()  # how many buckets the table has: any number
EVALUATION_PLACES = _layout.number()  # how many evaluations are kept: a power of two

# The constants of the search; `engine.constants` says what each is. Two more are in the table of reductions.
ASPIRATION_DEPTH, ASPIRATION_MARGIN, ASPIRATION_WIDEST = _layout.number(), _layout.number(), _layout.number()
IID_DEPTH, IID_PLIES = _layout.number(), _layout.number()
NULL_DEPTH, NULL_PLIES, NULL_DIVISOR = _layout.number(), _layout.number(), _layout.number()
NULL_STEP, NULL_MAX = _layout.number(), _layout.number()
FUTILITY_DEPTH, FUTILITY_MARGIN = _layout.number(), _layout.number()
LMR_DEPTH, LMR_MOVES, LMR_HISTORY = _layout.number(), _layout.number(), _layout.number()
DELTA_MARGIN = _layout.number()
PROBCUT_DEPTH, PROBCUT_CONFIDENCE, PROBCUT_GUARD = _layout.number(), _layout.number(), _layout.number()
SOLVER_SHARE = _layout.number()
HISTORY_STEP, HISTORY_BONUS, HISTORY_MAX = _layout.number(), _layout.number(), _layout.number()
EXCHANGE_DEPTH, EXCHANGE_QUIET, EXCHANGE_NOISY = _layout.number(), _layout.number(), _layout.number()
LATE_DEPTH, LATE_MOVES, LATE_HISTORY = _layout.number(), _layout.number(), _layout.number()
RAZOR_DEPTH, RAZOR_MARGIN, IIR_DEPTH = _layout.number(), _layout.number(), _layout.number()

# Games inside one kernel.
RANDOM = _layout.number()  # state of the random generator
RANDOM_PLAYER = _layout.number()  # play random legal moves instead of searching
MOVETIME = _layout.number()  # nanoseconds a move; 0 for none
NOISE = _layout.number()  # how many of 1024 moves are random …
NOISE_PLIES = _layout.number()  # … before this ply
DECLARATION = _layout.number()  # the rule by which wins are declared; 0 for none

# ── Arrays ──────────────────────────────────────────────────────────────────────────────────────

# A row for each ply.
positions = _layout.rows("words", length_in=contract.WORDS)
moves = _layout.rows("integers", length_in=contract.MAX_MOVES)
scores = _layout.rows("integers", length_in=contract.MAX_MOVES)  # how early each move is to be tried
deferred = _layout.rows("integers", length_in=contract.MAX_MOVES)  # moves left for later; several threads only
killers = _layout.rows("integers", 2)
best_line = _layout.rows("integers", MAX_PLY)
probabilities = _layout.rows("reals", length_in=contract.MAX_OUTCOMES)  # of the outcomes of chance

nodes = _layout.rows("integers", _NODE)

# One number for each ply.
node_keys = _layout.rows("words")  # the key of the position whose moves are being searched
line_lengths = _layout.rows("integers")
previous = _layout.rows("integers")  # the slot of the move before each ply; -1 none, -2 the null move

# One number for each position that was played, and for each of the current line.
keys = _layout.rows("words")
checks = _layout.rows("integers")  # whether the mover was in check

# A row for each side.
history = _layout.rows("integers", length_in=contract.SLOTS)
counters = _layout.rows("integers", length_in=contract.SLOTS)  # what refuted a move last

# The root.
root_moves = _layout.rows("integers", length_in=contract.MAX_MOVES)
allowed = _layout.rows("integers", length_in=contract.MAX_MOVES)  # the root moves that may be chosen
lines = _layout.rows("integers", LINE_MOVES + MAX_PLY)

# Tables.
table = _layout.rows("words", BUCKET_WORDS)
evaluations = _layout.rows("words", 2)  # the key of a position and its evaluation, a row for each place
reductions = _layout.rows("integers", REDUCED_MOVES)  # plies that late moves are reduced by, a row a depth
probcut_stages = _layout.rows("integers")  # the stage of each phase
probcut_pairs = _layout.rows("integers", PROBCUT_ENTRY)  # by stage, depth and number
finish_request = _layout.rows("integers", FINISH_REQUEST)
solver = _layout.rows("integers")  # the context of the game's solver
tasks = _layout.rows("words")  # the moves that threads are searching; several threads only
