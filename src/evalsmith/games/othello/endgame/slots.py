"""The slots of the endgame solver's context."""

from __future__ import annotations

from evalsmith.compile import Layout

SIZE = 16
BUCKET_WORDS = 8  # four entries of the table, two words each
INFINITE = 65  # discs: beyond every score
# Rows of moves: one for each number of empties, and behind them one for each depth of a look ahead.
MOVE_ROW, LOOK_ROWS, MOVE_ROWS = 64, 65, 128

_layout = Layout(0, SIZE)

# What Python reads while a solve runs: positions visited, and between which scores (in discs) the value lies.
NODES = _layout.number()
LOWER = _layout.number()
UPPER = _layout.number()

# Limits.
NODE_LIMIT = _layout.number()
DEADLINE = _layout.number()  # a moment of `clock`, nanoseconds; 0 for none
NEXT_LOOK = _layout.number()  # at how many nodes to look at the limits next
HALTED = _layout.number()  # whether one was reached
stop = _layout.rows("integers")  # one word; another thread ends the solve by making it other than 0

table = _layout.rows("words", BUCKET_WORDS)
BUCKETS = _layout.number()  # of the table: a power of two
GENERATION = _layout.number()  # counts the positions of a batch, so that the table lets older ones go first

moves = _layout.rows("integers", MOVE_ROW)

# The evaluation that orders moves, where the caller gave weights.
EVALUATE = _layout.number()  # the address of its kernel
weights = _layout.rows("indices")
position = _layout.rows("words", 3)  # what it evaluates
