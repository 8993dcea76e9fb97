"""The words of the endgame solver's context, and the sizes of its work rows."""

from __future__ import annotations

# What Python reads while a solve runs: positions visited, and between which scores (in discs) the value lies.
NODES, LOWER, UPPER = 0, 1, 2
# A row of one word that ends the solve when another thread makes it other than 0.
STOP = 3
# The transposition table and how many buckets it has, the rows of moves, and a position for the evaluation.
TABLE, BUCKETS, MOVES, POSITION = 4, 5, 6, 7
# The evaluation that orders moves, where the caller gave weights: the address of its kernel, and its weights.
EVALUATE, WEIGHTS = 8, 9
# Limits: nodes, and a time of the clock (0: none). At how many nodes to look at them next, and whether one was reached.
NODE_LIMIT, DEADLINE, NEXT_LOOK, HALTED = 10, 11, 12, 13
# Counts the positions of a batch (eight bits of it), so that the table lets older ones go first.
GENERATION = 14
SIZE = 16

# A row of moves for each number of empties, and behind them one for each depth of a look ahead.
MOVE_ROW = 64
LOOK_ROWS = 65
MOVE_ROWS = 128

INFINITE = 65  # discs: beyond every score
