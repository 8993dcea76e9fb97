"""Evaluation suites: positions whose moves have known values, and how good the moves of an engine are by them."""
