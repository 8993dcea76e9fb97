"""Bounds of what a dataset stores; a file beyond them is broken."""

MAX_LINES = 1000  # of a position; more than any search reports
HIGHEST_MOVE = (1 << 24) - 1
