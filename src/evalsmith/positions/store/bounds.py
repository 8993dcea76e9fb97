"""Bounds of what a dataset stores; a file beyond them is broken."""

MAX_LINES = 1000  # of a position; more than any search reports
MAX_SHARES = 4096  # moves of one distribution; more than any game has
HIGHEST_MOVE = (1 << 24) - 1
