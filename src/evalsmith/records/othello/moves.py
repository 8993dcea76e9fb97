"""The names of Othello moves in files, without loading the rules."""

from __future__ import annotations

PASS = 64

NAMES = tuple(f"{column}{row}" for row in "12345678" for column in "abcdefgh")
"""The squares by their numbers, from a1 to h8."""

PASSES = ("pa", "pass", "ps", "--")
"""What files write for a pass, in lower case."""

MOVES: dict[str, int] = {
    name: move
    for move, names in enumerate([*((name,) for name in NAMES), PASSES])
    for lower in names
    for name in (lower, lower.upper())
}
"""Moves by their names, in lower and in upper case."""
