"""The slots of a context that alpha-beta owns: counters, limits and flags, and the work arrays of one thread."""

from __future__ import annotations

from evalsmith.compile import Layout
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract

SOLVED = 127  # stored as the depth of values that rest on finished games alone
REDUCED_DEPTHS, REDUCED_MOVES = 32, 64  # the table of reductions; beyond it the last ones count
BUCKET_WORDS = 8  # four entries of the table, two words each
LINE_SCORE, LINE_DEPTH, LINE_LENGTH, LINE_MOVES = 0, 1, 2, 3  # a line: three numbers, then its moves

_layout = Layout(contract.FIRST_FREE, contract.CONTEXT_SIZE)

# ── Numbers, in the context itself so that another thread can read and set them ─────────────────

NODES = _layout.number()  # positions visited since the search began
NODE_LIMIT = _layout.number()  # stop when NODES reaches this
DEADLINE = _layout.number()  # stop at this moment of `clock`, nanoseconds; 0 for none
SOFT_DEADLINE = _layout.number()  # begin no deeper search after this moment; 0 for none
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
BUCKETS = _layout.number()  # how many buckets the table has: any number

# Games inside one kernel.
RANDOM = _layout.number()  # state of the random generator
RANDOM_PLAYER = _layout.number()  # play random legal moves instead of searching
MOVETIME = _layout.number()  # nanoseconds a move; 0 for none
NOISE = _layout.number()  # how many of 1024 moves are random …
NOISE_PLIES = _layout.number()  # … before this ply

# ── Arrays ──────────────────────────────────────────────────────────────────────────────────────

# A row for each ply.
positions = _layout.rows("words", length_in=contract.WORDS)
moves = _layout.rows("integers", length_in=contract.MAX_MOVES)
scores = _layout.rows("integers", length_in=contract.MAX_MOVES)  # how early each move is to be tried
deferred = _layout.rows("integers", length_in=contract.MAX_MOVES)  # moves left for later; several threads only
killers = _layout.rows("integers", 2)
best_line = _layout.rows("integers", MAX_PLY)
probabilities = _layout.rows("reals", length_in=contract.MAX_OUTCOMES)  # of the outcomes of chance

# One number for each ply.
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
reductions = _layout.rows("integers", REDUCED_MOVES)  # plies that late moves are reduced by, a row a depth
tasks = _layout.rows("words")  # the moves that threads are searching; several threads only
